"""Roulette wheels: the pockets in their order, clockwise from zero, and their colours."""

from collections.abc import Sequence
from typing import Literal

from croupier.equipment.rng import RandomSource

Colour = Literal["red", "black", "green"]


def _pockets(text: str) -> tuple[str, ...]:
    return tuple(text.split())


SINGLE_ZERO = _pockets(
    "0 32 15 19 4 21 2 25 17 34 6 27 13 36 11 30 8 23 10 5 24 16 33 1 20 14 31 9 22 18 29 7 28 12 35 3 26"
)
DOUBLE_ZERO = _pockets(
    "0 28 9 26 30 11 7 20 32 17 5 22 34 15 3 24 36 13 1 00 27 10 25 29 12 8 19 31 18 6 21 33 16 4 23 35 14 2"
)
RED = frozenset(_pockets("1 3 5 7 9 12 14 16 18 19 21 23 25 27 30 32 34 36"))
GREEN = frozenset(("0", "00"))


def colour(pocket: str) -> Colour:
    """Return a pocket's colour; it is the same on every wheel."""
    if pocket in GREEN:
        return "green"
    return "red" if pocket in RED else "black"


def spin(pockets: Sequence[str], random_source: RandomSource) -> str:
    """Draw a pocket; all are equally likely."""
    return pockets[random_source.below(len(pockets))]
