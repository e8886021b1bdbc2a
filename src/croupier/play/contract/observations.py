"""Observations and actions of a game for learning agents, as integers."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from croupier.play.contract.wants import Decision


@dataclass(frozen=True, slots=True)
class Observations:
    """A game's round as numbers for a policy.

    `Any` is the game's own round.
    """

    actions: tuple[str, ...]
    """All actions; the first is taken if there is nothing to decide."""
    sizes: Mapping[str, int]
    """Observed quantities by name; each is an integer from 0 to below the size."""
    observe: Callable[[Any, Decision | None], tuple[int, ...]]
    """Return one number for each of `sizes`, before a decision or, with None, after the round."""
