"""Attack both ports with hostile clients: `python -m tests.faults.edge --seconds 20`."""

from argparse import ArgumentParser

from tests.faults.attacks import ATTACKS
from tests.faults.edge_campaign import campaign


def main() -> None:
    parser = ArgumentParser(prog="python -m tests.faults.edge", description=__doc__)
    parser.add_argument("attacks", nargs="*", help=f"which of {', '.join(ATTACKS)} (all)")
    parser.add_argument("--seconds", type=float, default=20, help="how long each attack lasts (20)")
    arguments = parser.parse_args()
    for attack in arguments.attacks or ATTACKS:
        print(campaign(attack, arguments.seconds).json(), flush=True)


if __name__ == "__main__":
    main()
