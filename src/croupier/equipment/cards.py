"""Cards and decks.

A card is written as two characters, rank then suit: `AS`, `TD`, `7H` (ace of spades, ten of
diamonds, seven of hearts). What a card is worth is a game's business, not the card's.
"""

from typing import NamedTuple

RANKS = "A23456789TJQK"
SUITS = "CDHS"
RED_SUITS = "DH"


class Card(NamedTuple):
    """One of the 52; `rank` and `suit` are characters of RANKS and SUITS."""

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
    """The card written as `text`; ValueError when there is none."""
    try:
        return _BY_TEXT[text]
    except KeyError:
        raise ValueError(
            f"{text!r} is no card: a rank of {RANKS} and a suit of {SUITS}, such as AS or TD"
        ) from None


def cards(text: str) -> tuple[Card, ...]:
    """The cards of a line such as `AS TD 7H`."""
    return tuple(card(word) for word in text.split())
