"""Results of an analysis. Values are in initial stakes: -1 is a lost stake."""

from collections.abc import Mapping
from fractions import Fraction
from functools import cached_property
from typing import Generic, NamedTuple, TypeVar

from msgspec import Struct

N = TypeVar("N", float, Fraction)
"""Floats in the fast analysis, fractions in the reference implementation."""


STRATEGY = "composition-dependent"
"""Decides by the hand's and the dealer's cards; for a split hand also by the other's first card."""

PREFERENCE = ("stand", "hit", "double", "split")
"""Order of preference among equally good options."""


class Value(NamedTuple, Generic[N]):
    """The average net result and total stake of a strategy."""

    net: N
    stake: N


class Offer(Struct, Generic[N], frozen=True):
    """Insurance or even money: the average gain of accepting it, and whether it is accepted."""

    name: str
    gain: N
    taken: bool


class OpeningAnalysis(Struct, Generic[N], frozen=True):
    """Two cards of a box against the dealer's face-up cards, as ranks: `A6` against `T`."""

    hand: str
    dealer: str
    chance: N
    """Chance of these cards."""
    live: N
    """Chance that no dealer's blackjack is found before play."""
    value: Value[N]
    """Value with the best play, including blackjacks found at once and offers."""
    options: Mapping[str, N]
    """Net result of each option with the best play afterwards, given that a decision is possible."""
    offer: Offer[N] | None

    @property
    def best(self) -> str:
        """The best option; empty if there is nothing to decide."""
        return max(self.options, key=lambda action: self.options[action], default="")


class Analysis(Struct, Generic[N], frozen=True, dict=True):
    """The first round of a fresh shoe under one set of rules, with the best play."""

    strategy: str
    """The class of strategies that was optimized over."""
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
