"""Cards and decks.

A card is written as two characters, rank then suit: `AS`, `TD`, `7H` (ace of spades, ten of
diamonds, seven of hearts). Card values belong to the games.
"""

from typing import NamedTuple

RANKS = "A23456789TJQK"
SUITS = "CDHS"
RED_SUITS = "DH"


class Card(NamedTuple):
    """One of 52 cards; `rank` and `suit` are characters of RANKS and SUITS."""

    rank: str
    suit: str

    def __str__(self) -> str:
        return self.rank + self.suit

    @property
    def red(self) -> bool:
        return self.suit in RED_SUITS


DECK: tuple[Card, ...] = tuple(Card(rank, suit) for suit in SUITS for rank in RANKS)
_BY_TEXT = {str(card): card for card in DECK}


def card(text: str) -> Card:
    """Parse a card; ValueError for any other text."""
    try:
        return _BY_TEXT[text]
    except KeyError:
        raise ValueError(
            f"{text!r} isn't a card: write a rank of {RANKS} and a suit of {SUITS}, such as AS or TD"
        ) from None


def cards(text: str) -> tuple[Card, ...]:
    """Parse a line of cards such as `AS TD 7H`."""
    return tuple(card(word) for word in text.split())
