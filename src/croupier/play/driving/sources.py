"""Where chance comes from: what answers every want that is no decision.

A source is a value, drawn before the round begins, and knows all that is still to come: so it is sealed in
the books, and a round that was cut off goes on with the very cards it had.
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
    """Immutable."""

    def answer(self, want: Want) -> tuple[Answer, Self]:
        """What comes, and the source without it; Refused `shoe_empty` when no card is left."""
        ...


@dataclass(frozen=True, slots=True)
class ShoeSource:
    """Cards. `aside` is the face-down one, which nobody but this source knows.

    Wanted by the shoe itself, the first card is turned and as many more as it counts are burned.
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
        assert self.face_down is not None, "a face-down card is wanted before one was dealt"
        return self.face_down


@dataclass(frozen=True, slots=True)
class PredrawnSource:
    """What comes up, in the words of a record and in order: `17` of a wheel, `1-3-6` of dice.

    The first `gone` of them have come.
    """

    results: tuple[str, ...]
    used: int = 0

    def answer(self, want: Want) -> tuple[Answer, Self]:
        assert isinstance(want, SpinWheel | RollDice), f"no wheel and no dice answer {want}"
        assert self.used < len(self.results), f"{want} wasn't drawn beforehand"
        return want.parse(self.results[self.used]), replace(self, used=self.used + 1)


def draw(want: Want, random_source: RandomSource) -> Answer:
    """What comes up on a wheel or dice, everything as likely as another."""
    match want:
        case SpinWheel(pockets):
            return Pocket(spin(pockets, random_source))
        case RollDice(dice):
            return Roll(roll(dice, random_source))
    raise AssertionError(f"no wheel and no dice answer {want}")


def fresh_source(wants: Sequence[Want], decks: int, random_source: RandomSource) -> ChanceSource:
    """For a round that begins with these wants: a shoe of so many decks; 0: a wheel, or dice."""
    if decks:
        return ShoeSource(fresh_shoe(decks, random_source))
    return PredrawnSource(tuple(str(draw(want, random_source)) for want in wants))
