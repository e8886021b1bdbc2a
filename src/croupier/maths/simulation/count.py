"""Round counts and the estimates derived from them."""

from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import nan, sqrt
from typing import NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from croupier.maths.exact.automaton import End, Ends
from croupier.maths.simulation.lanes import Uint32Array

Nets = NDArray[np.int64]
"""[bet, end]: the net result of each bet."""


def nets(ends: tuple[Ends, ...]) -> Nets:
    return np.array([[bet.net for bet in end] for end in ends], np.int64).T


class RoundCounts(NamedTuple):
    """Integer totals, so that sums don't depend on their order.

    A batch is one lane's rounds of one chunk. Batches are independent; rounds of one shoe are not.
    """

    ends: tuple[int, ...] = ()
    """[end]: number of rounds."""
    batches: tuple[int, ...] = ()
    """The number of batches, and the sum over batches of rounds squared."""
    rounds_by_net: tuple[int, ...] = ()
    net_squared: tuple[int, ...] = ()
    """[bet]: sums over batches of rounds x net, and of net squared."""

    @classmethod
    def of(cls, counts: Uint32Array, nets: Nets) -> Self:
        """Return the totals of one chunk's counts[end, lane]."""
        lanes = counts.astype(np.int64)
        rounds, net = lanes.sum(axis=0), nets @ lanes
        batches = (int(np.count_nonzero(rounds)), int(rounds @ rounds))
        ends = tuple(lanes.sum(axis=1).tolist())
        return cls(ends, batches, tuple((net @ rounds).tolist()), tuple((net * net).sum(axis=1).tolist()))

    def plus(self, other: Self) -> Self:
        return type(self)(*map(_sums, self, other)) if self.ends else other

    @property
    def rounds(self) -> int:
        return sum(self.ends)


def _sums(one: tuple[int, ...], other: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(map(sum, zip(one, other, strict=True)))


class Estimate(NamedTuple):
    """The estimate of a bet, in initial stakes."""

    rounds: int
    return_per_initial_stake: float
    return_per_total_stake: float
    standard_error: float
    """Of the return per initial stake, from the spread of the batches."""
    stake_per_round: float
    standard_deviation: float
    """Of a round's net result."""
    distribution: Mapping[Fraction, int]
    """Number of rounds by net result, in ascending order."""


def estimate(count: RoundCounts, ends: tuple[Ends, ...], bet: int, unit_stake: int) -> Estimate:
    """Estimate one bet from the counts; all values are NaN if no round was played."""
    rounds = count.rounds
    if not rounds:
        return Estimate(0, nan, nan, nan, nan, nan, {})
    found = [(end[bet], often) for end, often in zip(ends, count.ends, strict=True)]
    net = sum(end.net * often for end, often in found)
    stake = sum(end.stake * often for end, often in found)
    squares = sum(end.net**2 * often for end, often in found)
    return Estimate(
        rounds=rounds,
        return_per_initial_stake=1 + net / rounds / unit_stake,
        return_per_total_stake=1 + net / stake,
        standard_error=_error(count, bet, Fraction(net, rounds)) / unit_stake,
        stake_per_round=stake / rounds / unit_stake,
        standard_deviation=sqrt(Fraction(squares, rounds) - Fraction(net, rounds) ** 2) / unit_stake,
        distribution=_distribution(found, unit_stake),
    )


def _error(count: RoundCounts, bet: int, mean: Fraction) -> float:
    """Return the standard error of the mean net result, from the spread of the batches."""
    batches, rounds_squared = count.batches
    if batches < 2:
        return float("inf")
    off = count.net_squared[bet] - 2 * mean * count.rounds_by_net[bet] + mean**2 * rounds_squared
    return sqrt(off * batches / (batches - 1)) / count.rounds


def _distribution(found: Sequence[tuple[End, int]], unit_stake: int) -> dict[Fraction, int]:
    nets: Counter[Fraction] = Counter()
    for end, often in found:
        nets[Fraction(end.net, unit_stake)] += often
    return {net: nets[net] for net in sorted(nets) if nets[net]}
