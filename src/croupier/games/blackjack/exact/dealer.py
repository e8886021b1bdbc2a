"""All ways a dealer's hand may end, as a tree of cards without their order.

A finished hand of the dealer is likely as the product of its cards' numbers, whatever their order; so the
orders are counted once, and a hand of the box needs only the products, which share their beginnings.
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
"""The hands to which a dealer draws, by what the rule looks at: an ace or none, and the low total."""


class Tree(NamedTuple):
    """Its nodes, each after the one it grows from: that is the last before it with one card less."""

    known: Ints
    """[value]: the dealer's cards that the player sees."""
    depth: Ints
    """[node]: how many cards were drawn."""
    value: Ints
    """[node]: the value of the last."""
    held: Floats
    """[node]: how many of that value lay there before it."""
    orders: Floats
    """[node]: in how many orders these cards are a finished hand; 0: in none, or a bust."""
    end: Ints
    """[node]: how that hand ends."""


def trees(rules: Rules) -> tuple[Tree, ...]:
    """One for each of the dealer's hands that a player may see before he decides, in the order of `seen`."""
    return _trees(_drawing(rules), 2 if rules.hole_card == "face_up" else 1)


def seen(cards: int) -> Iterator[tuple[Card, ...]]:
    """The dealer's cards that lie open: one or two."""
    return combinations_with_replacement(CARDS, cards)


@cache
def _trees(drawing: Drawing, cards: int) -> tuple[Tree, ...]:
    return tuple(_tree(drawing, held_of(known)) for known in seen(cards))


def _drawing(rules: Rules) -> Drawing:
    """Asks the rule of one hand of each kind."""
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
