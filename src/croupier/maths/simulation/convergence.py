"""What a simulation had found after ever more rounds."""

from collections.abc import Iterator, Sequence
from math import log10
from typing import NamedTuple

from croupier.maths.simulation.count import Count, estimate
from croupier.maths.simulation.lanes import play_chunk
from croupier.maths.simulation.layout import LANES
from croupier.maths.simulation.simulate import Job, Result

POINTS_MAX = 200


class Running(NamedTuple):
    """What a simulation had found after so many rounds."""

    rounds: int
    figure: float
    """The return per initial stake."""
    error: float


def running(result: Result, bet: str) -> Running:
    """What a result says of a bet."""
    found = result.of(bet)
    return Running(found.rounds, found.return_per_initial_stake, found.standard_error)


def from_the_start(work: Job, bet: str, after_chunks: Sequence[Running]) -> list[Running]:
    """The points after each chunk, and before them those within the first, lane by lane."""
    return list(thinned([*_first_chunk(work, bet), *after_chunks[1:]]))


def _first_chunk(work: Job, bet: str) -> Iterator[Running]:
    """The chunk is played again, which takes some milliseconds; after all of its lanes it is as before."""
    place = work.bets.index(work.named(bet))
    counts = play_chunk(work.plan, work.seed, 0, work.chunk_rounds(0))
    before = 0
    for lanes in range(1, LANES + 1):
        count = Count.of(counts[:, :lanes], work.nets)
        if count.rounds > before:
            before = count.rounds
            found = estimate(count, work.ends, place, work.unit_stake)
            yield Running(before, found.return_per_initial_stake, found.standard_error)


def thinned(points: Sequence[Running], most: int = POINTS_MAX) -> Iterator[Running]:
    """At most so many of them, evenly on a scale of powers of ten, the last among them."""
    least = log10(points[0].rounds)
    width = (log10(points[-1].rounds) - least) / most or 1.0
    taken = -1
    for point in points:
        place = int((log10(point.rounds) - least) / width)
        if place > taken or point is points[-1]:
            taken = place
            yield point
