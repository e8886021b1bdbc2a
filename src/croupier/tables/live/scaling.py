"""Players' amounts at a shared deal: the amounts of the unit stake in proportion, rounded down like payouts.

Thousands of players settle at once, so work is done for all players of a path where possible: lost bets cost
nothing, the others are scaled by their `PayoutRate`, and `ScaledLines` are computed when they are read.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple, TypeVar

from msgspec import Struct

from croupier.play.contract.bets import Settled
from croupier.play.contract.live import StakesByBet

UnitLines = Mapping[str, Sequence[Settled]]
"""The settlement of the unit stake on each bet, by bet."""
T = TypeVar("T")


class PayoutRate(NamedTuple):
    """The result of a stake on one bet, in whole stakes: `more` are staked besides it, `returned` come back.

    `rest`: the unit's stake and return in each part that isn't a whole number of units.
    """

    bet: str
    more: int
    returned: int
    rest: tuple[tuple[int, int], ...]

    @property
    def lost(self) -> bool:
        return not (self.more or self.returned or self.rest)


@dataclass(frozen=True, eq=False)
class UnitResult:
    """The result of one path at the unit stake on each bet that a player on it has."""

    parts: UnitLines
    unit_minor: int

    @cached_property
    def rates(self) -> Sequence[PayoutRate]:
        """The rates of the bets that aren't simply lost."""
        every = [self._rate(bet, lines) for bet, lines in self.parts.items()]
        return [rate for rate in every if not rate.lost]

    def _rate(self, bet: str, lines: Sequence[Settled]) -> PayoutRate:
        parts, unit = [(line.stake_minor, line.returned_minor) for line in lines], self.unit_minor
        whole = [(at, back) for at, back in parts if at % unit == back % unit == 0]
        staked, returned = (sum(amounts) // unit for amounts in zip(*whole, strict=True)) if whole else (0, 0)
        return PayoutRate(bet, staked - 1, returned, tuple(part for part in parts if part not in whole))

    def amounts(self, players: Sequence[StakesByBet]) -> tuple[list[int], list[int]]:
        """Return each player's total stake and total return, the sums of their `ScaledLines`."""
        staked, returned = [sum(stakes.values()) for stakes in players], [0] * len(players)
        for bet, more, back_times, rest in self.rates:
            laid = [stakes.get(bet, 0) for stakes in players]
            staked = _plus(staked, more, laid)
            returned = _plus(returned, back_times, laid)
            for at, back in rest:
                parts = [stake * at // self.unit_minor for stake in laid]
                staked = _plus(staked, 1, parts)
                returned = _plus(returned, 1, [part * back // at for part in parts])
        return staked, returned


def _plus(sums: list[int], times: int, amounts: list[int]) -> list[int]:
    """Add `times` each amount to its sum."""
    return [total + times * minor for total, minor in zip(sums, amounts, strict=True)] if times else sums


class ScaledLines(Struct, frozen=True, gc=False):
    """The settlement of each of a player's stakes, computed whenever it is read."""

    of: UnitResult
    stakes: StakesByBet

    def __iter__(self) -> Iterator[Settled]:
        return iter(self.each(Settled))

    def each(self, make: Callable[[int, int, str, int, int, str], T]) -> list[T]:
        """Return `make` of the fields of each Settled, without creating a Settled first."""
        parts, unit_minor = self.of.parts, self.of.unit_minor
        made: list[T] = []
        for bet, stake in self.stakes.items():
            for box, hand, name, at, back, outcome in parts[bet]:
                staked = stake * at // unit_minor
                made.append(make(box, hand, name, staked, staked * back // at, outcome))
        return made
