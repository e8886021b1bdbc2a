"""The failures of a campaign, and the phases in which they met the tables."""

import random
import shutil
import tempfile
from collections import Counter
from collections.abc import Awaitable, Callable, Collection, Iterator
from contextlib import contextmanager
from itertools import product
from pathlib import Path
from typing import Literal, NamedTuple

from croupier.tables.live.phases import ROUND_PHASES

Fault = Literal["kill", "freeze"]
FAULTS: tuple[Fault, ...] = "kill", "freeze"
PHASES = (*ROUND_PHASES, "pause")
"""Phases of a round; not every round has each."""
DELAY_S_MAX = 0.3
CLOSE_S_MAX = 0.02
"""The time in which failures meet the commit that closes the bets."""


class Plan(NamedTuple):
    """A failure that comes some time after a table has entered a phase."""

    fault: Fault
    phase: str
    delay_s: float


def plans(trials: int, rng: random.Random) -> Iterator[Plan]:
    """Yield each fault in each phase, in random order, again and again; every other one without a delay."""
    left = list[tuple[Fault, str]]()
    for number in range(trials):
        if not left:
            left = list(product(FAULTS, PHASES))
            rng.shuffle(left)
        fault, phase = left.pop()
        most_s = CLOSE_S_MAX if phase == "no_more_bets" else DELAY_S_MAX
        yield Plan(fault, phase, rng.uniform(0, most_s) if number % 2 else 0)


class Trial(NamedTuple):
    """The phases in which the owner's failure met its tables, and the time until one was open elsewhere."""

    fault: Fault
    phases: tuple[str, ...]
    took_s: float


class FailureCounts(Counter[tuple[Fault, str]]):
    """The number of tables whose owner has failed, by the fault and the phase in which the table was."""

    def record(self, trial: Trial) -> None:
        self.update((trial.fault, phase) for phase in trial.phases)

    def __str__(self) -> str:
        others = sorted({phase for _, phase in self} - {*PHASES})
        lines = [f"{'phase':<13}" + "".join(f"{fault:>8}" for fault in FAULTS)]
        lines += [self._line(phase, [phase]) for phase in (*PHASES, *others)]
        return "\n".join([*lines, self._line("all", [*PHASES, *others])])

    def _line(self, name: str, phases: Collection[str]) -> str:
        numbers = [sum(self[fault, phase] for phase in phases) for fault in FAULTS]
        return f"{name:<13}" + "".join(f"{number:>8}" for number in numbers)


@contextmanager
def kept_if_failed() -> Iterator[Path]:
    """Make a temporary folder, which is kept with its logs if the block fails."""
    folder = Path(tempfile.mkdtemp(prefix="croupier-nodes-"))
    try:
        yield folder
    except BaseException:
        print(f"the nodes' logs are in {folder}", flush=True)
        raise
    shutil.rmtree(folder)


async def run_campaign(trials: int, seed: int, run: Callable[[Plan], Awaitable[Trial]]) -> str:
    """Run trials, print each, and return the counts and the longest take-over."""
    counts, most_s = FailureCounts(), 0.0
    for number, plan in enumerate(plans(trials, random.Random(seed)), 1):
        trial = await run(plan)
        counts.record(trial)
        most_s = max(most_s, trial.took_s)
        print(f"{number}: {plan.fault} in {plan.phase}: {trial.took_s:.2f} s", flush=True)
    return f"{counts}\nlongest take-over {most_s:.2f} s"
