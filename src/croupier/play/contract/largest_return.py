"""The largest amount that a player's round may return, computed from a game's rules."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from fractions import Fraction
from typing import Any, NamedTuple

from croupier.play.contract.bets import Bet
from croupier.play.contract.odds import Odds


class LargestStakes(NamedTuple):
    """The largest stake on each bet of a box, by bet; and on all bets of a round, None: no limit of it."""

    of: Mapping[str, int]
    total_minor: int | None = None


LargestReturns = Callable[[Any, LargestStakes], Iterator[int]]
"""Yield upper bounds of what a round under these rules returns at these stakes, each tighter.

The first is quick to compute. The last is attained, unless the stakes have a total or the round several
boxes: then some hands that it adds up may exclude each other.
"""


class Returned(NamedTuple):
    """A stake, and the amount returned for each unit of it."""

    stake_minor: int
    rate: Fraction


def rate_of(odds: Odds) -> Fraction:
    """Return what a stake of 1 returns when it is paid at these odds."""
    return 1 + Fraction(odds.wins, odds.staked)


def best_rate(bet: Bet) -> Fraction:
    """Return what a stake of 1 returns on the best line of a bet's paytable."""
    return max((rate_of(pay.odds) for pay in bet.pays), default=Fraction(0))


def sum_returned(parts: Iterable[Returned], total_minor: int | None) -> int:
    """Return what the stakes return together; if they exceed the total, the best of them."""
    left = total_minor
    returned = 0
    for stake_minor, rate in sorted(parts, key=lambda part: part.rate, reverse=True):
        staked_minor = stake_minor if left is None else min(stake_minor, left)
        returned += int(staked_minor * rate)
        left = None if left is None else left - staked_minor
    return returned
