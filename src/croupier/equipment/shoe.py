"""The shoe: shuffled decks, dealt from the front until the cut card is out."""

from dataclasses import dataclass, replace

from croupier.equipment.cards import DECK, RANKS, Card
from croupier.equipment.rng import RandomSource, shuffled
from croupier.refusal import Refused

_NUMBER = {card: number for number, card in enumerate(DECK)}


@dataclass(frozen=True, slots=True)
class Shoe:
    """`cards` in the order of dealing, of which `dealt` are gone; the cut card lies behind `cut` of them."""

    cards: tuple[Card, ...]
    dealt: int
    cut: int

    def draw(self) -> tuple[Card, "Shoe"]:
        """The next card, and the shoe without it; Refused `shoe_empty` when there is none."""
        if not self.remaining:
            raise Refused("shoe_empty", dealt=self.dealt)
        return self.cards[self.dealt], replace(self, dealt=self.dealt + 1)

    def burn(self) -> tuple[Card, "Shoe"]:
        """The first card, turned, and the shoe without it and as many more as it counts, unseen."""
        first, shoe = self.draw()
        return first, replace(shoe, dealt=shoe.dealt + burn_count(first))

    @property
    def remaining(self) -> int:
        return len(self.cards) - self.dealt

    @property
    def cut_card_out(self) -> bool:
        """Whether the round in play is the shoe's last."""
        return self.dealt >= self.cut


def burn_count(first: Card) -> int:
    """How many cards are burned when a shoe's first card is turned: its pips, ten for a ten or a face."""
    return min(RANKS.index(first.rank) + 1, 10)


def fresh_shoe(decks: int, random_source: RandomSource, cut: int | None = None) -> Shoe:
    """So many decks shuffled together, the cut card behind `cut` of the cards; None: behind all of them."""
    cards = len(DECK) * decks
    cut = cards if cut is None else cut
    if decks < 1 or not 0 <= cut <= cards:
        raise ValueError(f"no shoe has {decks} decks with the cut card behind {cut} cards")
    return Shoe(shuffled(DECK * decks, random_source), dealt=0, cut=cut)


def encode(cards: tuple[Card, ...]) -> bytes:
    """The order of the cards for the sealed record: one byte a card, its place in DECK."""
    return bytes(_NUMBER[card] for card in cards)


def decode(order: bytes) -> tuple[Card, ...]:
    """The cards that `encode` wrote; ValueError when a byte is no card."""
    if order and max(order) >= len(DECK):
        raise ValueError(f"byte {max(order)} is no card: the last one is {len(DECK) - 1}")
    return tuple(DECK[number] for number in order)


@dataclass(frozen=True, slots=True)
class UnseenCards:
    """What a shoe of known decks may still show: `counts` of each card, in the order of DECK."""

    decks: int
    counts: tuple[int, ...]

    @classmethod
    def of(cls, decks: int) -> "UnseenCards":
        return cls(decks, (decks,) * len(DECK))

    def without(self, card: Card) -> "UnseenCards":
        """What is left once `card` was seen; Refused `impossible_card` when all of its kind were."""
        number = _NUMBER[card]
        if not self.counts[number]:
            raise Refused("impossible_card", card=str(card), decks=self.decks)
        less = self.counts[number] - 1
        return replace(self, counts=(*self.counts[:number], less, *self.counts[number + 1 :]))
