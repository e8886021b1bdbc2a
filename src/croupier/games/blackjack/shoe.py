"""Counts of cards by rank and by value, for exact analysis of the main bet."""

from collections.abc import Iterable, Iterator
from fractions import Fraction
from itertools import combinations_with_replacement
from typing import NamedTuple, Self

from croupier.equipment.cards import RANKS, Card
from croupier.games.blackjack.hands import VALUE
from croupier.games.blackjack.rules import Rules, splittable

VALUES = RANKS[:10]
"""One rank for each value; the ten represents the face cards too."""

CARDS = tuple(Card(rank, "S") for rank in VALUES)
"""A card of each value, in the order of `Counts`."""

UNLIKE_TENS = (Card("T", "S"), Card("J", "S"))

Counts = tuple[int, ...]
"""Numbers of unseen cards of the ten values, aces first."""

Held = tuple[int, ...]
"""Numbers of a hand's cards of each value."""


class RankCounts(NamedTuple):
    """Numbers of cards of each rank, in the order of RANKS."""

    ranks: tuple[int, ...]

    @classmethod
    def of_decks(cls, decks: int) -> Self:
        return cls((4 * decks,) * len(RANKS))

    @property
    def counts(self) -> Counts:
        return (*self.ranks[:9], sum(self.ranks[9:]))

    @property
    def alike_tens(self) -> Fraction:
        """The chance that two ten-value cards have the same rank."""
        tens = self.ranks[9:]
        pairs = sum(tens) * (sum(tens) - 1)
        return Fraction(sum(count * (count - 1) for count in tens), pairs) if pairs else Fraction(0)

    def openings(self, rules: Rules) -> Iterator[tuple[tuple[Card, Card], Fraction]]:
        """Yield each possible pair of first cards and its chance; unlike tens apart if they can't split."""
        for hand in combinations_with_replacement(CARDS, 2):
            likely = chance_of(self.counts, hand)
            if hand[0] != CARDS[9] or splittable(rules, UNLIKE_TENS):
                yield hand, likely
            else:
                yield hand, likely * self.alike_tens
                yield UNLIKE_TENS, likely * (1 - self.alike_tens)


def held_of(cards: Iterable[Card]) -> Held:
    """Return the counts of these cards by value."""
    values = [place(card) for card in cards]
    return tuple(map(values.count, range(len(CARDS))))


def cards_of(held: Held) -> tuple[Card, ...]:
    return tuple(card for card, count in zip(CARDS, held, strict=True) for _ in range(count))


def low_total(held: Held) -> int:
    """Return the total with every ace as 1."""
    return sum(count * pips for pips, count in enumerate(held, 1))


def plus_one(hand: Held, value: int) -> Held:
    return (*hand[:value], hand[value] + 1, *hand[value + 1 :])


def place(card: Card) -> int:
    """Return a card's index in `Counts`."""
    return VALUE[card.rank] - 1


def less(counts: Counts, *cards: Card) -> Counts:
    """Subtract these cards; missing cards leave negative counts."""
    left = list(counts)
    for card in cards:
        left[place(card)] -= 1
    return tuple(left)


def chance_of(counts: Counts, hand: tuple[Card, ...]) -> Fraction:
    """Return the chance that the next cards are these, at most two, in any order."""
    likely, left = Fraction(len(set(hand))), counts
    for card in hand:
        likely *= Fraction(max(left[place(card)], 0), sum(left))
        left = less(left, card)
    return likely
