"""Run the campaign of kills: `python -m tests.faults.kill --kills 1000`."""

from argparse import ArgumentParser
from random import SystemRandom

from rich.console import Console
from rich.progress import Progress

from tests.faults.campaign import Plan, campaign
from tests.support import loop_guard


def main() -> None:
    loop_guard.install()
    parser = ArgumentParser(prog="python -m tests.faults.kill", description=__doc__)
    parser.add_argument("--kills", type=int, default=1000, help="number of kills (1000)")
    parser.add_argument(
        "--seed",
        type=int,
        default=SystemRandom().randrange(2**32),
        help="repeats the moments of kills and the play",
    )
    parser.add_argument("--json", action="store_true", help="print JSON")
    arguments = parser.parse_args()
    with Progress(console=Console(stderr=True)) as progress:
        task = progress.add_task(f"kills (seed {arguments.seed})", total=arguments.kills)
        plan = Plan(
            arguments.kills,
            arguments.seed,
            progress=lambda done: progress.update(task, completed=done),
        )
        result = campaign(plan)
    print(result.json() if arguments.json else result)


if __name__ == "__main__":
    main()
