"""Coups with one card for each of two hands: the higher card wins."""

from collections.abc import Callable, Mapping
from typing import Any, Literal

from croupier.equipment.cards import RANKS
from croupier.play.contract.wants import At, DealCard, Want
from croupier.play.coup.coup import Coup, CoupSteps
from croupier.play.coup.hands import cards_at

HANDS = (At(0), At(1))
"""In dealing order."""
CARDS_MAX = len(HANDS)
Ace = Literal["low", "high"]
ORDER = {"low": RANKS, "high": RANKS[1:] + RANKS[0]}
"""The ranks in ascending order, by the position of the ace."""


def wanted(_rules: Any, dealt: CoupSteps) -> DealCard | None:
    return DealCard(HANDS[len(dealt)]) if len(dealt) < len(HANDS) else None


def winner(ace: Ace, dealt: CoupSteps) -> At | None:
    """Return the hand with the higher card; None for equal ranks."""
    one, other = (ORDER[ace].index(cards_at(dealt, hand)[0].rank) for hand in HANDS)
    if one == other:
        return None
    return HANDS[0] if one > other else HANDS[1]


def card_text(dealt: CoupSteps, hand: At) -> str | None:
    """Return the text of a hand's card; None until it is dealt."""
    return next(map(str, cards_at(dealt, hand)), None)


def ranks(dealt: CoupSteps) -> str:
    """Return the ranks of both cards, in dealing order: `K7`."""
    return "".join(cards_at(dealt, hand)[0].rank for hand in HANDS)


def each_rank(_rules: Any) -> tuple[str, ...]:
    """Return every rank as its own group: suits don't matter."""
    return tuple(RANKS)


def card_prompt(hands: Mapping[At, str]) -> Callable[[Coup, Want], str]:
    """Return a function that names the next card: `the dragon's card`."""
    return lambda _coup, want: f"the {hands[want.to].lower()}'s card"
