"""What the mathematics asks of a game beside its round: what matters, and how one may play."""

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from croupier.play.wants import Choice, Decision


class Strategy(NamedTuple):
    """Decides from the round as everyone sees it; a round holds no card that hasn't been seen."""

    decide: Callable[[Any, Decision], Choice]
    looks_at: Callable[[Any], Hashable]
    """What of a round this and all its later decisions may depend on, beside the round's situation."""


@dataclass(frozen=True, slots=True)
class Model:
    """`Any` is the game's own rules and round."""

    situation: Callable[[Any], Hashable]
    """What of a round with one box matters to the rules, for its future and its result."""
    alike: Callable[[Any], tuple[str, ...]]
    """The ranks, put together where no rule of a main bet tells them apart: ("A", "2", ... "TJQK").

    (): suits matter too, and every card is told apart.
    """
    strategies: Mapping[str, Callable[[Any], Strategy]]
    """By name, made from the rules; the first is played where none is named."""
    chart: Callable[[str], Strategy] | None = None
    """A strategy from the text of a chart file; ValueError says what is wrong on which line.

    None: there is nothing to decide.
    """
