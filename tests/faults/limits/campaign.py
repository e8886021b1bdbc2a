"""Many random scenarios: a failure names its seed and the shortest scenario that shows it."""

import logging
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from multiprocessing import Pool
from typing import NamedTuple

from tests.faults.limits.comparison import Wrong
from tests.faults.limits.memory_repositories import memory_stores
from tests.faults.limits.sequence import carry_out, random_scenario, shortened
from tests.faults.limits.surroundings import event_loop

PART = 500
"""Scenarios of one task of a process."""


class Plan(NamedTuple):
    """The plan of a campaign.

    `progress` is called with the number of scenarios done.
    """

    sequences: int
    first_seed: int = 0
    processes: int = 1
    progress: Callable[[int], None] = lambda _done: None


class Result(NamedTuple):
    sequences: int
    commands: int
    seconds: float

    def __str__(self) -> str:
        return (
            f"{self.sequences:,} sequences with {self.commands:,} commands in {self.seconds:,.0f} s,"
            f" {self.sequences / self.seconds:,.0f} a second: none passed a limit or a break, and nothing"
            " allowed was refused"
        )


def campaign(plan: Plan) -> Result:
    """Carry out the scenarios of consecutive seeds; raise Wrong as soon as one fails."""
    began, commands, done = time.monotonic(), 0, 0
    end = plan.first_seed + plan.sequences
    parts = [range(first, min(first + PART, end)) for first in range(plan.first_seed, end, PART)]
    for part, count in zip(parts, _counts(parts, plan.processes), strict=True):
        commands, done = commands + count, done + len(part)
        plan.progress(done)
    return Result(plan.sequences, commands, time.monotonic() - began)


def _counts(parts: list[range], processes: int) -> Iterator[int]:
    if processes == 1:
        yield from map(commands_of, parts)
        return
    with Pool(processes) as pool:
        yield from pool.imap(commands_of, parts)


def commands_of(seeds: Iterable[int]) -> int:
    """Carry out the scenarios of some seeds in memory; return the number of their commands."""
    with event_loop() as loop, _quiet():
        return loop.run_until_complete(_carry_out_all(seeds))


async def _carry_out_all(seeds: Iterable[int]) -> int:
    commands = 0
    for seed in seeds:
        scenario = random_scenario(seed)
        try:
            commands += await carry_out(scenario, memory_stores())
        except Wrong as wrong:
            shortest = await shortened(scenario, memory_stores)
            raise Wrong(f"seed {seed}: {wrong}; the shortest is {shortest}") from wrong
    return commands


@contextmanager
def _quiet() -> Iterator[None]:
    """Log nothing: each payment would be a line."""
    before = logging.root.manager.disable
    logging.disable(logging.CRITICAL)
    try:
        yield
    finally:
        logging.disable(before)
