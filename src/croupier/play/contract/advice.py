"""Advice on decisions, and the kinds by which a player's decisions are counted."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from croupier.play.contract.wants import Decision


@dataclass(frozen=True, slots=True)
class GameAdvice:
    """A game's functions for advice.

    `Any` is the game's own round. A round holds only seen cards, so advice can't reveal others.
    """

    option_values: Callable[[Any, Decision], Mapping[str, float]]
    """Average net result of each option, in initial stakes, with the best play afterwards.

    It may take a second, so it runs in a separate process.
    """
    kind: Callable[[Any, Decision], str]
    """The kind of a decision, one of `kinds`, by which a player's decisions are counted."""
    kinds: Mapping[str, str]
    """Labels of the kinds, in display order."""
    describe: Callable[[Any, Decision], str]
    """A short description of the situation: `A-7 against 6`."""
