"""Run the campaign of limits and breaks: `python -m tests.faults.limits --sequences 100000`."""

from argparse import ArgumentParser
from random import SystemRandom

from rich.console import Console
from rich.progress import Progress

from tests.faults.limits.campaign import Plan, campaign


def main() -> None:
    parser = ArgumentParser(prog="python -m tests.faults.limits", description=__doc__)
    parser.add_argument("--sequences", type=int, default=100_000, help="number of sequences (100000)")
    parser.add_argument("--first-seed", type=int, default=SystemRandom().randrange(2**32))
    parser.add_argument("--processes", type=int, default=1, help="number of processes (1)")
    arguments = parser.parse_args()
    with Progress(console=Console(stderr=True)) as progress:
        task = progress.add_task(f"sequences (from seed {arguments.first_seed})", total=arguments.sequences)
        plan = Plan(**vars(arguments), progress=lambda done: progress.update(task, completed=done))
        result = campaign(plan)
    print(result)


if __name__ == "__main__":
    main()
