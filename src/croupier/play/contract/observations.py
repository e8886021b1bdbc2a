"""What a learning player senses of a game in whole numbers, and what he may do."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from croupier.play.contract.wants import Decision


@dataclass(frozen=True, slots=True)
class Observations:
    """`Any` is the game's own round."""

    actions: tuple[str, ...]
    """Every action there is; the first is taken where there is nothing to decide."""
    sizes: Mapping[str, int]
    """What is sensed, by name: a whole number from 0 to below the size."""
    observe: Callable[[Any, Decision | None], tuple[int, ...]]
    """One number for each of `sizes`, before a decision or, with None, once the round has ended."""
