"""What an analysis finds. Every value is in initial stakes: -1 is a stake lost."""

from collections.abc import Mapping
from fractions import Fraction
from functools import cached_property
from typing import Generic, NamedTuple, TypeVar

from msgspec import Struct

N = TypeVar("N", float, Fraction)
"""Floats from the fast analysis, fractions from its slow twin."""


STRATEGY = "composition-dependent"
"""Decides by the own hand's cards and the dealer's; a hand of a split knows of the other its first card."""

PREFERENCE = ("stand", "hit", "double", "split")
"""Of equally good options the first is taken."""


class Value(NamedTuple, Generic[N]):
    """What a way to play nets and what it stakes on average."""

    net: N
    stake: N


class Offer(Struct, Generic[N], frozen=True):
    """Insurance or even money: what taking it adds on average to declining it, and whether it is taken."""

    name: str
    gain: N
    taken: bool


class OpeningAnalysis(Struct, Generic[N], frozen=True):
    """Two cards of a box against the dealer's cards that are seen, as ranks: `A6` against `T`."""

    hand: str
    dealer: str
    chance: N
    """Of these cards."""
    live: N
    """That anything can be decided: the chance that no dealer's blackjack is found before."""
    value: Value[N]
    """When it is played at its best, blackjacks found at once and offers included."""
    options: Mapping[str, N]
    """The net result of each option and the best play after it, given that it can be decided."""
    offer: Offer[N] | None

    @property
    def best(self) -> str:
        """The best option; empty where there is nothing to decide."""
        return max(self.options, key=lambda action: self.options[action], default="")


class Analysis(Struct, Generic[N], frozen=True, dict=True):
    """The first hand of a fresh shoe under one set of rules, played at its best."""

    strategy: str
    """The class of strategies among which it is the best."""
    openings: tuple[OpeningAnalysis[N], ...]

    @cached_property
    def value(self) -> Value[N]:
        zero = self.openings[0].chance * 0
        return Value(
            sum((opening.chance * opening.value.net for opening in self.openings), zero),
            sum((opening.chance * opening.value.stake for opening in self.openings), zero),
        )

    @property
    def return_per_initial_stake(self) -> N:
        return 1 + self.value.net

    @property
    def return_per_total_stake(self) -> N:
        return 1 + self.value.net / self.value.stake

    @property
    def stake_per_round(self) -> N:
        return self.value.stake
