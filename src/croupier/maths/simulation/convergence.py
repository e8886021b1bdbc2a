"""The convergence of a simulation's estimate."""

from collections.abc import Iterator, Sequence
from math import log10
from typing import NamedTuple

from croupier.maths.simulation.count import RoundCounts, estimate
from croupier.maths.simulation.lanes import play_chunk
from croupier.maths.simulation.layout import LANES
from croupier.maths.simulation.simulate import Result, SimulationJob

POINTS_MAX = 200


class RunningEstimate(NamedTuple):
    """The estimate after a number of rounds."""

    rounds: int
    figure: float
    """The return per initial stake."""
    error: float


def running_estimate(result: Result, bet: str) -> RunningEstimate:
    """Return the estimate of a bet from a result."""
    found = result.of(bet)
    return RunningEstimate(found.rounds, found.return_per_initial_stake, found.standard_error)


def convergence_points(
    job: SimulationJob, bet: str, after_chunks: Sequence[RunningEstimate]
) -> list[RunningEstimate]:
    """Return the estimates after each chunk, preceded by those within the first chunk, lane by lane."""
    return list(thin([*_first_chunk(job, bet), *after_chunks[1:]]))


def _first_chunk(job: SimulationJob, bet: str) -> Iterator[RunningEstimate]:
    """Replay the first chunk, which takes milliseconds, and yield the estimate after each of its lanes."""
    place = job.bets.index(job.bet_name(bet))
    counts = play_chunk(job.packed, job.seed, 0, job.chunk_rounds(0))
    before = 0
    for lanes in range(1, LANES + 1):
        count = RoundCounts.of(counts[:, :lanes], job.nets)
        if count.rounds > before:
            before = count.rounds
            found = estimate(count, job.ends, place, job.unit_stake)
            yield RunningEstimate(before, found.return_per_initial_stake, found.standard_error)


def thin(points: Sequence[RunningEstimate], limit: int = POINTS_MAX) -> Iterator[RunningEstimate]:
    """Reduce to at most `limit` points, evenly spaced on a logarithmic scale; the last point is kept."""
    first = log10(points[0].rounds)
    width = (log10(points[-1].rounds) - first) / limit or 1.0
    taken = -1
    for point in points:
        place = int((log10(point.rounds) - first) / width)
        if place > taken or point is points[-1]:
            taken = place
            yield point
