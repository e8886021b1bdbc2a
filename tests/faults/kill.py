"""`python -m tests.faults.kill --kills 1000`: the campaign from a terminal."""

from argparse import ArgumentParser
from random import SystemRandom

from rich.console import Console
from rich.progress import Progress

from tests.faults.campaign import Plan, campaign


def main() -> None:
    parser = ArgumentParser(prog="python -m tests.faults.kill", description=__doc__)
    parser.add_argument("--kills", type=int, default=1000, help="how often the house is killed (1000)")
    parser.add_argument(
        "--seed", type=int, default=SystemRandom().randrange(2**32), help="when, and what is played"
    )
    parser.add_argument("--socket", choices=("picows", "websockets"), default="picows")
    parser.add_argument("--json", action="store_true", help="print the result for programs")
    asked = parser.parse_args()
    with Progress(console=Console(stderr=True)) as progress:
        task = progress.add_task(f"kills (seed {asked.seed})", total=asked.kills)
        plan = Plan(
            asked.kills,
            asked.seed,
            socket=asked.socket,
            told=lambda done: progress.update(task, completed=done),
        )
        result = campaign(plan)
    print(result.json() if asked.json else result)


if __name__ == "__main__":
    main()
