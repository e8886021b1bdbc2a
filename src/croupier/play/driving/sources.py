"""Sources of chance, which answer every want that isn't a decision.

A source is a value, drawn before the round starts, that determines everything still to come. It is stored
sealed, so an interrupted round continues with the same cards.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Protocol, Self

from croupier.equipment.cards import Card
from croupier.equipment.dice import roll
from croupier.equipment.rng import RandomSource
from croupier.equipment.shoe import Shoe, fresh_shoe
from croupier.equipment.wheel import spin
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


class ChanceSource(Protocol):
    """An immutable source of answers."""

    def answer(self, want: Want) -> tuple[Answer, Self]:
        """Return the answer and the remaining source; Refused `shoe_empty` if no card is left."""
        ...


@dataclass(frozen=True, slots=True)
class ShoeSource:
    """Cards from a shoe. Only this source has the `face_down` card.

    A card wanted by the shoe itself is burned: it is turned up, and as many cards as its value are discarded.
    """

    shoe: Shoe
    face_down: Card | None = None

    def answer(self, want: Want) -> tuple[Answer, Self]:
        match want:
            case DealCard(to):
                card, shoe = self.shoe.burn() if to == SHOE else self.shoe.draw()
                return card, replace(self, shoe=shoe)
            case DealFaceDown():
                card, shoe = self.shoe.draw()
                return None, replace(self, shoe=shoe, face_down=card)
            case Peek():
                return self._hole_card.rank in want.ranks, self
            case TurnCard():
                return self._hole_card, replace(self, face_down=None)
        raise AssertionError(f"no shoe answers {want}")

    @property
    def _hole_card(self) -> Card:
        assert self.face_down is not None, "no face-down card has been dealt"
        return self.face_down


@dataclass(frozen=True, slots=True)
class PredrawnSource:
    """Results drawn in advance, as written in records: `17` for a wheel, `1-3-6` for dice.

    The first `used` of them are used up.
    """

    results: tuple[str, ...]
    used: int = 0

    def answer(self, want: Want) -> tuple[Answer, Self]:
        assert isinstance(want, SpinWheel | RollDice), f"neither wheel nor dice answer {want}"
        assert self.used < len(self.results), f"{want} wasn't drawn beforehand"
        return want.parse(self.results[self.used]), replace(self, used=self.used + 1)


def draw(want: Want, random_source: RandomSource) -> Answer:
    """Draw a result of a wheel or of dice."""
    match want:
        case SpinWheel(pockets):
            return Pocket(spin(pockets, random_source))
        case RollDice(dice):
            return Roll(roll(dice, random_source))
    raise AssertionError(f"neither wheel nor dice answer {want}")


def fresh_source(wants: Sequence[Want], decks: int, random_source: RandomSource) -> ChanceSource:
    """Return the source for a round with these first wants: a shoe of `decks`; 0: a wheel or dice."""
    if decks:
        return ShoeSource(fresh_shoe(decks, random_source))
    return PredrawnSource(tuple(str(draw(want, random_source)) for want in wants))
