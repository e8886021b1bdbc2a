"""Coups of one card for each of two hands: the higher card wins."""

from collections.abc import Callable, Mapping
from typing import Any, Literal

from croupier.equipment.cards import RANKS
from croupier.play.contract.wants import At, DealCard, Want
from croupier.play.coup.coup import Coup, CoupSteps
from croupier.play.coup.hands import cards_at

HANDS = (At(0), At(1))
"""In the order of dealing."""
CARDS_MOST = len(HANDS)
Ace = Literal["low", "high"]
ORDER = {"low": RANKS, "high": RANKS[1:] + RANKS[0]}
"""The ranks from the lowest to the highest, by where the ace stands."""


def wanted(_rules: Any, dealt: CoupSteps) -> DealCard | None:
    return DealCard(HANDS[len(dealt)]) if len(dealt) < len(HANDS) else None


def winner(ace: Ace, dealt: CoupSteps) -> At | None:
    """The hand with the higher card; None: the ranks are equal."""
    one, other = (ORDER[ace].index(cards_at(dealt, hand)[0].rank) for hand in HANDS)
    if one == other:
        return None
    return HANDS[0] if one > other else HANDS[1]


def card_text(dealt: CoupSteps, hand: At) -> str | None:
    """The card of a hand as it is written; None until it is dealt."""
    return next(map(str, cards_at(dealt, hand)), None)


def ranks(dealt: CoupSteps) -> str:
    """Of both cards, in the order of dealing: `K7`."""
    return "".join(cards_at(dealt, hand)[0].rank for hand in HANDS)


def each_rank(_rules: Any) -> tuple[str, ...]:
    """Every rank matters, and no suit does."""
    return tuple(RANKS)


def card_prompt(hands: Mapping[At, str]) -> Callable[[Coup, Want], str]:
    """What the dealer is asked for, by what the hands are called: `the dragon's card`."""
    return lambda _coup, want: f"the {hands[want.to].lower()}'s card"
