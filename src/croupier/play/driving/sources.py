"""Where chance comes from: what answers every want that is no decision.

A source is a value, drawn before the round begins, and knows all that is still to come: so it is sealed in
the books, and a round that was cut off goes on with the very cards it had.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Protocol, Self

from croupier.equipment.cards import Card
from croupier.equipment.dice import rolled
from croupier.equipment.rng import Draws
from croupier.equipment.shoe import Shoe, fresh_shoe
from croupier.equipment.wheel import spun
from croupier.play.contract.wants import (
    SHOE,
    Answer,
    DealCard,
    DealFaceDown,
    Peek,
    Pocket,
    Roll,
    RollDice,
    SpinWheel,
    TurnCard,
    Want,
)


class Source(Protocol):
    """Immutable."""

    def taken(self, want: Want) -> tuple[Answer, Self]:
        """What comes, and the source without it; Refused `shoe_empty` when no card is left."""
        ...


@dataclass(frozen=True, slots=True)
class FromShoe:
    """Cards. `aside` is the face-down one, which nobody but this source knows.

    Wanted by the shoe itself, the first card is turned and as many more as it counts are burned.
    """

    shoe: Shoe
    aside: Card | None = None

    def taken(self, want: Want) -> tuple[Answer, Self]:
        match want:
            case DealCard(to):
                card, shoe = self.shoe.burned() if to == SHOE else self.shoe.next()
                return card, replace(self, shoe=shoe)
            case DealFaceDown():
                card, shoe = self.shoe.next()
                return None, replace(self, shoe=shoe, aside=card)
            case Peek():
                return self._hole.rank in want.ranks, self
            case TurnCard():
                return self._hole, replace(self, aside=None)
        raise AssertionError(f"no shoe answers {want}")

    @property
    def _hole(self) -> Card:
        assert self.aside is not None, "a face-down card is wanted before one was dealt"
        return self.aside


@dataclass(frozen=True, slots=True)
class Drawn:
    """What comes up, in the words of a record and in order: `17` of a wheel, `1-3-6` of dice.

    The first `gone` of them have come.
    """

    words: tuple[str, ...]
    gone: int = 0

    def taken(self, want: Want) -> tuple[Answer, Self]:
        assert isinstance(want, SpinWheel | RollDice), f"no wheel and no dice answer {want}"
        assert self.gone < len(self.words), f"{want} wasn't drawn beforehand"
        return want.parse(self.words[self.gone]), replace(self, gone=self.gone + 1)


def drawn(want: Want, draws: Draws) -> Answer:
    """What comes up on a wheel or dice, everything as likely as another."""
    match want:
        case SpinWheel(pockets):
            return Pocket(spun(pockets, draws))
        case RollDice(dice):
            return Roll(rolled(dice, draws))
    raise AssertionError(f"no wheel and no dice answer {want}")


def fresh(wants: Sequence[Want], decks: int, draws: Draws) -> Source:
    """For a round that begins with these wants: a shoe of so many decks; 0: a wheel, or dice."""
    if decks:
        return FromShoe(fresh_shoe(decks, draws))
    return Drawn(tuple(str(drawn(want, draws)) for want in wants))
