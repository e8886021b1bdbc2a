"""Run the campaign of overspends: `python -m tests.faults.overspends --attempts 1000000`."""

from argparse import ArgumentParser

from rich.console import Console
from rich.progress import Progress

from tests.faults.overspends.campaign import Plan, campaign


def main() -> None:
    parser = ArgumentParser(prog="python -m tests.faults.overspends", description=__doc__)
    parser.add_argument("--attempts", type=int, default=1_000_000, help="number of bets (1000000)")
    parser.add_argument("--seed", type=int, default=0, help="repeats the bets at live tables (0)")
    arguments = parser.parse_args()
    with Progress(console=Console(stderr=True)) as progress:
        task = progress.add_task("bets", total=arguments.attempts)
        plan = Plan(**vars(arguments), progress=lambda done: progress.update(task, completed=done))
        result = campaign(plan)
    print(result)


if __name__ == "__main__":
    main()
