"""Hands of a coup: their cards, and the prompts for the dealer."""

from collections.abc import Callable, Mapping

from croupier.equipment.cards import Card
from croupier.play.contract.wants import At, Want
from croupier.play.coup.coup import Coup, CoupSteps

_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth")


def cards_at(dealt: CoupSteps, at: At) -> tuple[Card, ...]:
    """Return the cards of a hand, in dealing order."""
    return tuple(came.answer for came in dealt if came.to == at and isinstance(came.answer, Card))


def hand_labels(hands: Mapping[At, str]) -> dict[str, str]:
    """Return the labels of hands by their places as written in records, for a game's `labels`."""
    return {str(at): name for at, name in hands.items()}


def card_prompt(hands: Mapping[At, str]) -> Callable[[Coup, Want], str]:
    """Return a function that names the next card: `the player's third card`."""

    def prompt(coup: Coup, want: Want) -> str:
        return f"the {hands[want.to].lower()}'s {_ORDINALS[len(cards_at(coup.dealt, want.to))]} card"

    return prompt
