"""What the mathematics asks of a game beside its round: what matters, and how one may play."""

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from croupier.play.contract.bets import Settled
from croupier.play.contract.wants import Choice, Decision


class Strategy(NamedTuple):
    """Decides from the round as everyone sees it; a round holds no card that hasn't been seen."""

    decide: Callable[[Any, Decision], Choice]
    memory_key: Callable[[Any], Hashable]
    """What of a round this and all its later decisions may depend on, beside the round's situation."""


class SideBetModel(NamedTuple):
    """What of a round with one box matters to a bet that is placed beside the main ones."""

    rank_groups: Callable[[Any], tuple[str, ...]]
    """The ranks that it doesn't tell apart, as the model's `alike`."""
    state_key: Callable[[Any], Hashable]
    """What matters to it while it is open."""
    settled_early: Callable[[Any], Settled | None]
    """What it came to, as soon as the cards say so; at the round's end the settlement does."""
    strategy: str
    """By which it is played: one that is quickly compiled, since no way to play changes its chances."""


@dataclass(frozen=True, slots=True)
class Model:
    """`Any` is the game's own rules and round."""

    state_key: Callable[[Any], Hashable]
    """What of a round with one box matters to the rules, for its future and its result."""
    rank_groups: Callable[[Any], tuple[str, ...]]
    """The ranks, put together where no rule of a main bet tells them apart: ("A", "2", ... "TJQK").

    (): suits matter too, and every card is told apart.
    """
    strategies: Mapping[str, Callable[[Any], Strategy]]
    """By name, made from the rules; the first is played where none is named."""
    chart: Callable[[str], Strategy] | None = None
    """A strategy from the text of a chart file; ValueError says what is wrong on which line.

    None: there is nothing to decide.
    """
    side_bets: Mapping[str, SideBetModel] = field(default_factory=dict)
    """The side bets that can be simulated, by name."""
