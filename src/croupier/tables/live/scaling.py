"""Players' amounts, in proportion to what the unit came to for all of their path: each rounded down.

As every payout is. There are thousands of players at once, so here nothing is done for each that can be done
for all of them: most bets are staked once and lost, what the others come to is read off `rates` for all who
went the path together, and `Lines` are made for whoever looks.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple, TypeVar

from msgspec import Struct

from croupier.play.contract.bets import Settled
from croupier.play.contract.live import StakesByBet

UnitLines = Mapping[str, Sequence[Settled]]
"""What the unit on each bet comes to, by the bet."""
T = TypeVar("T")


class PayoutRate(NamedTuple):
    """What a stake on one bet comes to: so many times the stake is staked beside it, and so many come back.

    `rest`: what the unit staked and returned in each part that is no whole number of times.
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
    """What the unit on each bet came to on one path; nobody on it has another bet."""

    parts: UnitLines
    unit_minor: int

    @cached_property
    def rates(self) -> Sequence[PayoutRate]:
        """Of the bets that aren't simply lost: worked out once, however many played the round."""
        every = [self._rate(bet, lines) for bet, lines in self.parts.items()]
        return [rate for rate in every if not rate.lost]

    def _rate(self, bet: str, lines: Sequence[Settled]) -> PayoutRate:
        parts, unit = [(line.stake_minor, line.returned_minor) for line in lines], self.unit_minor
        whole = [(at, back) for at, back in parts if at % unit == back % unit == 0]
        staked, returned = (sum(amounts) // unit for amounts in zip(*whole, strict=True)) if whole else (0, 0)
        return PayoutRate(bet, staked - 1, returned, tuple(part for part in parts if part not in whole))

    def amounts(self, players: Sequence[StakesByBet]) -> tuple[list[int], list[int]]:
        """All that each stakes and all that comes back to him: what the `Lines` of his stakes add up to."""
        staked, returned = [sum(stakes.values()) for stakes in players], [0] * len(players)
        for bet, more, back_times, rest in self.rates:
            laid = [stakes.get(bet, 0) for stakes in players]
            staked = _and(staked, more, laid)
            returned = _and(returned, back_times, laid)
            for at, back in rest:
                parts = [stake * at // self.unit_minor for stake in laid]
                staked = _and(staked, 1, parts)
                returned = _and(returned, 1, [part * back // at for part in parts])
        return staked, returned


def _and(sums: list[int], times: int, amounts: list[int]) -> list[int]:
    """The sums, each with so many times its amount beside it."""
    return [total + times * minor for total, minor in zip(sums, amounts, strict=True)] if times else sums


class ScaledLines(Struct, frozen=True, gc=False):
    """What each of a player's stakes returned, made whenever it is read."""

    of: UnitResult
    stakes: StakesByBet

    def __iter__(self) -> Iterator[Settled]:
        return iter(self.each(Settled))

    def each(self, make: Callable[[int, int, str, int, int, str], T]) -> list[T]:
        """What `make` makes of the fields of a Settled, and no such record first."""
        parts, unit_minor = self.of.parts, self.of.unit_minor
        made: list[T] = []
        for bet, stake in self.stakes.items():
            for box, hand, name, at, back, outcome in parts[bet]:
                staked = stake * at // unit_minor
                made.append(make(box, hand, name, staked, staked * back // at, outcome))
        return made
