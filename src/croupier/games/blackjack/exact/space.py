"""All hands that aren't bust, as multisets of cards, and all sets of cards that a dealer may face.

They are the same for all rules, so they are made once. A hand comes after all hands that it may become:
hard 21 to 11, soft 21 to 12, hard 10 to 4, then the single cards of splits.
"""

from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from croupier.games.blackjack.shoe import Held, low_total, plus_one

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]

HARD, SOFT = 0, 1
CELLS = (
    *((HARD, total) for total in range(21, 10, -1)),
    *((SOFT, total) for total in range(21, 11, -1)),
    *((HARD, total) for total in range(10, 3, -1)),
)
"""Hard or soft, and total: the cells of a total-dependent chart."""
SINGLE = len(CELLS)
"""The cell of a single card."""


class Space(NamedTuple):
    """Arrays over hands (rows) and, after them in `cards`, hands plus the other card of a split."""

    cards: Ints
    """[row, value]: the number of cards of a value."""
    drawn: Floats
    """[row]: the number of cards."""
    size: Ints
    """[hand]: the number of cards."""
    cell: Ints
    """[hand]: the index of its cell in CELLS."""
    child: Ints
    """[hand, value]: the hand with one more card; -1: bust."""
    beside: Ints
    """[value, hand]: the row with one more card of the value, for the other split hand; -1: none."""


def _multisets(pips: int, value: int = 9) -> Iterator[Held]:
    """Yield multisets of the values up to `value` with at most `pips`, aces as 1."""
    if value < 0:
        yield ()
        return
    for count in range(pips // (value + 1) + 1):
        for rest in _multisets(pips - count * (value + 1), value - 1):
            yield *rest, count


def _cell(hand: Held) -> int:
    if sum(hand) == 1:
        return SINGLE
    return CELLS.index(
        (SOFT, low_total(hand) + 10) if hand[0] and low_total(hand) <= 11 else (HARD, low_total(hand))
    )


@cache
def rows() -> dict[Held, int]:
    """Return the row of each set of cards; hands come first."""
    hands = [hand for _, hand in sorted((_cell(hand), hand) for hand in _multisets(21) if any(hand))]
    beside = (plus_one(hand, value) for hand in hands for value in range(10) if hand[value])
    return {cards: row for row, cards in enumerate(dict.fromkeys((*hands, *beside)))}


@cache
def space() -> Space:
    places = rows()
    hands = [held for held in places if low_total(held) <= 21]
    above = [[places.get(plus_one(hand, value), -1) for value in range(10)] for hand in hands]
    child = np.array(above, dtype=np.int64)
    held = np.array(hands, dtype=np.int64)
    cards = np.array(list(places), dtype=np.int64)
    return Space(
        cards=cards,
        drawn=cards.sum(axis=1).astype(float),
        size=held.sum(axis=1),
        cell=np.array([_cell(hand) for hand in hands], dtype=np.int64),
        child=np.where(child < len(hands), child, -1),
        beside=np.where(held > 0, child, -1).T.copy(),
    )
