"""The shoe: shuffled decks, dealt from the front to the cut card."""

from dataclasses import dataclass, replace

from croupier.equipment.cards import DECK, RANKS, Card
from croupier.equipment.rng import RandomSource, shuffled
from croupier.refusal import Refused

_NUMBER = {card: number for number, card in enumerate(DECK)}


@dataclass(frozen=True, slots=True)
class Shoe:
    """Shuffled cards and the place of the cut card.

    `cards` in dealing order, the first `dealt` of them dealt; the cut card is behind `cut` cards.
    """

    cards: tuple[Card, ...]
    dealt: int
    cut: int

    def draw(self) -> tuple[Card, "Shoe"]:
        """Return the next card and the remaining shoe; Refused `shoe_empty` if there is none."""
        if not self.remaining:
            raise Refused("shoe_empty", dealt=self.dealt)
        return self.cards[self.dealt], replace(self, dealt=self.dealt + 1)

    def burn(self) -> tuple[Card, "Shoe"]:
        """Turn the first card and discard as many unseen cards as its value; return it and the shoe."""
        first, shoe = self.draw()
        return first, replace(shoe, dealt=shoe.dealt + burn_count(first))

    @property
    def remaining(self) -> int:
        return len(self.cards) - self.dealt

    @property
    def cut_card_out(self) -> bool:
        """True once the cut card has come out."""
        return self.dealt >= self.cut


def burn_count(first: Card) -> int:
    """Return the number of cards to burn after a first card: its pips, or ten for a ten or face card."""
    return min(RANKS.index(first.rank) + 1, 10)


def fresh_shoe(decks: int, random_source: RandomSource, cut: int | None = None) -> Shoe:
    """Shuffle decks together, with the cut card behind `cut` cards; None: behind all of them."""
    cards = len(DECK) * decks
    cut = cards if cut is None else cut
    if decks < 1 or not 0 <= cut <= cards:
        raise ValueError(f"no shoe has {decks} decks with the cut card behind {cut} cards")
    return Shoe(shuffled(DECK * decks, random_source), dealt=0, cut=cut)


def encode(cards: tuple[Card, ...]) -> bytes:
    """Encode the order of the cards for the sealed record: one byte for each card, its index in DECK."""
    return bytes(_NUMBER[card] for card in cards)


def decode(order: bytes) -> tuple[Card, ...]:
    """Decode the output of `encode`; ValueError if a byte isn't a card."""
    if order and max(order) >= len(DECK):
        raise ValueError(f"byte {max(order)} isn't a card: the last one is {len(DECK) - 1}")
    return tuple(DECK[number] for number in order)


@dataclass(frozen=True, slots=True)
class UnseenCards:
    """The unseen cards of a shoe of known decks: `counts` of each card, in the order of DECK."""

    decks: int
    counts: tuple[int, ...]

    @classmethod
    def of(cls, decks: int) -> "UnseenCards":
        return cls(decks, (decks,) * len(DECK))

    def without(self, card: Card) -> "UnseenCards":
        """Remove a seen card; Refused `impossible_card` if all of its kind have been seen."""
        number = _NUMBER[card]
        if not self.counts[number]:
            raise Refused("impossible_card", card=str(card), decks=self.decks)
        less = self.counts[number] - 1
        return replace(self, counts=(*self.counts[:number], less, *self.counts[number + 1 :]))
