"""Everything that a round may ask of its driver.

| want         | the answer                                                    |
|--------------|---------------------------------------------------------------|
| DealCard     | the card dealt face up                                        |
| DealFaceDown | nothing: a card was dealt face down, unseen                   |
| Peek         | whether the face-down card has one of certain ranks           |
| TurnCard     | the face-down card, turned up                                 |
| SpinWheel    | the pocket in which the ball comes to rest                    |
| RollDice     | the faces of the dice                                         |
| Decision     | one of the options on offer                                   |
"""

from dataclasses import dataclass
from typing import NamedTuple

from croupier.equipment.cards import Card, card


class At(NamedTuple):
    """A place for cards: hand `hand` of box `box`."""

    box: int
    hand: int = 0

    def __str__(self) -> str:
        return _NAMES.get(self) or f"{self.box}.{self.hand}"


DEALER, WHEEL, DICE, SHOE = At(-1), At(-2), At(-3), At(-4)
_NAMES = {DEALER: "dealer", WHEEL: "wheel", DICE: "dice", SHOE: "shoe"}


class Option(NamedTuple):
    """A possible decision, and the additional stake it needs."""

    action: str
    cost_minor: int = 0
    cost_min_minor: int = 0
    """Below `cost_minor` if the player may stake less; otherwise equal to it."""


class Pocket(NamedTuple):
    """A pocket of a wheel, by its label."""

    name: str

    def __str__(self) -> str:
        return self.name


class Roll(NamedTuple):
    """The faces of dice, from 1 to 6, in reading order."""

    faces: tuple[int, ...]

    def __str__(self) -> str:
        return "-".join(map(str, self.faces))


class Choice(NamedTuple):
    """A decision; `stake_minor` is set only if the player stakes less than the full cost."""

    action: str
    stake_minor: int | None = None

    def __str__(self) -> str:
        return self.action if self.stake_minor is None else f"{self.action}={self.stake_minor}"

    @classmethod
    def parse(cls, text: str) -> "Choice":
        action, equals, stake = text.partition("=")
        return cls(action, int(stake) if equals else None)


@dataclass(frozen=True, slots=True)
class DealCard:
    to: At

    def parse(self, text: str) -> Card:
        return card(text)


@dataclass(frozen=True, slots=True)
class DealFaceDown:
    to: At

    def parse(self, text: str) -> None:
        if text != "down":
            raise ValueError(f"a card dealt face down is written 'down', not {text!r}")


@dataclass(frozen=True, slots=True)
class Peek:
    """Ask whether the face-down card has one of these ranks."""

    to: At
    ranks: str

    def parse(self, text: str) -> bool:
        return {"yes": True, "no": False}[text]


@dataclass(frozen=True, slots=True)
class TurnCard:
    to: At

    def parse(self, text: str) -> Card:
        return card(text)


@dataclass(frozen=True, slots=True)
class SpinWheel:
    """The want of a spin.

    `pockets` in the order of the wheel, equally likely.
    """

    pockets: tuple[str, ...]
    to: At = WHEEL

    def parse(self, text: str) -> Pocket:
        if text not in self.pockets:
            raise ValueError(f"the wheel has no pocket {text!r}")
        return Pocket(text)


@dataclass(frozen=True, slots=True)
class RollDice:
    dice: int
    to: At = DICE

    def parse(self, text: str) -> Roll:
        faces = tuple(map(int, text.split("-")))
        if len(faces) != self.dice or not all(face in range(1, 7) for face in faces):
            raise ValueError(f"{text!r} aren't the faces of {self.dice} dice: write them as 1-3-6")
        return Roll(faces)


@dataclass(frozen=True, slots=True)
class Decision:
    to: At
    options: tuple[Option, ...]

    def parse(self, text: str) -> Choice:
        return Choice.parse(text)

    def option(self, action: str) -> Option | None:
        """Return the option with this action, if it is available."""
        for option in self.options:
            if option.action == action:
                return option
        return None


Want = DealCard | DealFaceDown | Peek | TurnCard | SpinWheel | RollDice | Decision
Answer = Card | None | bool | Pocket | Roll | Choice


def answer_text(answer: Answer) -> str:
    """Format an answer for a record; the inverse of `want.parse`."""
    match answer:
        case None:
            return "down"
        case bool():
            return "yes" if answer else "no"
        case _:
            return str(answer)
