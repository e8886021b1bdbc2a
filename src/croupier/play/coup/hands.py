"""Hands of a coup: the cards that lie at a place, and what the dealer is asked for."""

from collections.abc import Callable, Mapping

from croupier.equipment.cards import Card
from croupier.play.contract.wants import At, Want
from croupier.play.coup.coup import Coup, CoupSteps

_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth")


def cards_at(dealt: CoupSteps, at: At) -> tuple[Card, ...]:
    """In the order of dealing."""
    return tuple(came.answer for came in dealt if came.to == at and isinstance(came.answer, Card))


def hand_labels(hands: Mapping[At, str]) -> dict[str, str]:
    """What hands are called, by their places as a record writes them: for a game's `words`."""
    return {str(at): name for at, name in hands.items()}


def card_prompt(hands: Mapping[At, str]) -> Callable[[Coup, Want], str]:
    """What the dealer is asked for, by what the hands are called: `the player's third card`."""

    def asks(coup: Coup, want: Want) -> str:
        return f"the {hands[want.to].lower()}'s {_ORDINALS[len(cards_at(coup.dealt, want.to))]} card"

    return asks
