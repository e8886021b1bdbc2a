"""The parts of a game that exact analysis and simulation need beside its round."""

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from croupier.play.contract.bets import Settled
from croupier.play.contract.wants import Choice, Decision


class Strategy(NamedTuple):
    """A strategy decides from the round, which holds only seen cards."""

    decide: Callable[[Any, Decision], Choice]
    memory_key: Callable[[Any], Hashable]
    """The parts of a round, beside its state key, that this and later decisions may depend on."""


class SideBetModel(NamedTuple):
    """A side bet of a round with one box."""

    rank_groups: Callable[[Any], tuple[str, ...]]
    """As the model's `rank_groups`, for this bet."""
    state_key: Callable[[Any], Hashable]
    """Rounds with equal keys have the same future for the bet while it is open."""
    settled_early: Callable[[Any], Settled | None]
    """Its settlement if the cards already decide it; otherwise the round's settlement applies."""
    strategy: str
    """The strategy to simulate it with: one that compiles fast, as no strategy changes its chances."""


@dataclass(frozen=True, slots=True)
class Model:
    """A game's functions for exact analysis and simulation.

    `Any` is the game's own rules and round.
    """

    state_key: Callable[[Any], Hashable]
    """Rounds of one box with equal keys have the same future and the same result."""
    rank_groups: Callable[[Any], tuple[str, ...]]
    """The ranks, grouped if no rule of a main bet distinguishes them: ("A", "2", ... "TJQK").

    (): suits matter too, so every card is distinct.
    """
    strategies: Mapping[str, Callable[[Any], Strategy]]
    """Strategies by name, made from the rules; the first is the default."""
    chart: Callable[[str], Strategy] | None = None
    """Parse a chart file as a strategy; ValueError names the line and the error.

    None for a game without decisions.
    """
    side_bets: Mapping[str, SideBetModel] = field(default_factory=dict)
    """Side bets that can be simulated, by name."""
