"""The dealer's possible hands, as a tree of cards without order.

The chance of a final hand is proportional to the product of the numbers of its cards, whatever their order.
So the orders are counted once, and each hand of the box only needs the products, which share prefixes.
"""

from collections.abc import Iterator
from functools import cache
from itertools import combinations_with_replacement
from typing import NamedTuple

import numpy as np

from croupier.equipment.cards import Card
from croupier.games.blackjack.dealer_hands import draw_prefixes, finished_hands, with_drawn
from croupier.games.blackjack.exact.space import Floats, Ints, rows
from croupier.games.blackjack.outcomes import end_of
from croupier.games.blackjack.rules import Rules, dealer_draws
from croupier.games.blackjack.shoe import CARDS, Held, cards_of, held_of, low_total

Drawing = frozenset[tuple[bool, int]]
"""The hands to which the dealer draws, as pairs of an ace's presence and the low total."""


class Tree(NamedTuple):
    """The nodes of the tree. A node's parent is the last earlier node with one card less."""

    known: Ints
    """[value]: the dealer's face-up cards."""
    depth: Ints
    """[node]: the number of drawn cards."""
    value: Ints
    """[node]: the value of the last card."""
    held: Floats
    """[node]: the number of cards of that value before it."""
    orders: Floats
    """[node]: the number of orders in which these cards are a final hand; 0 also for a bust."""
    end: Ints
    """[node]: the end of that hand."""


def trees(rules: Rules) -> tuple[Tree, ...]:
    """Return a tree for each combination of the dealer's face-up cards, in the order of `seen`."""
    return _trees(_drawing(rules), 2 if rules.hole_card == "face_up" else 1)


def seen(cards: int) -> Iterator[tuple[Card, ...]]:
    """Yield the combinations of the dealer's one or two face-up cards."""
    return combinations_with_replacement(CARDS, cards)


@cache
def _trees(drawing: Drawing, cards: int) -> tuple[Tree, ...]:
    return tuple(_tree(drawing, held_of(known)) for known in seen(cards))


def _drawing(rules: Rules) -> Drawing:
    """Evaluate the rule for one hand of each kind."""
    return frozenset(kind for kind, held in _samples().items() if dealer_draws(rules, cards_of(held)))


@cache
def _samples() -> dict[tuple[bool, int], Held]:
    return {_kind(held): held for held in reversed(rows()) if low_total(held) <= 21}


def _kind(held: Held) -> tuple[bool, int]:
    return held[0] > 0, low_total(held)


def _tree(drawing: Drawing, known: Held) -> Tree:
    finished = finished_hands(lambda held: _kind(held) in drawing, known)
    stems = draw_prefixes(known, finished)
    held = np.array([_held_before(known, stem) for stem in stems], dtype=np.float64)
    full = [with_drawn(known, stem) for stem in stems]
    return Tree(
        known=np.array(known, dtype=np.int64),
        depth=np.array([len(stem) for stem in stems], dtype=np.int64),
        value=np.array([stem[-1] if stem else 0 for stem in stems], dtype=np.int64),
        held=held,
        orders=np.array([finished.get(hand, 0) for hand in full], dtype=np.float64),
        end=np.array([end_of(cards_of(hand)) if hand in finished else 0 for hand in full], dtype=np.int64),
    )


def _held_before(known: Held, stem: tuple[int, ...]) -> int:
    return known[stem[-1]] + stem.count(stem[-1]) - 1 if stem else 0
