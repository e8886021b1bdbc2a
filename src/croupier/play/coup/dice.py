"""Dice of a coup: what they show."""

from croupier.play.contract.wants import Roll
from croupier.play.coup.coup import CoupSteps


def faces(dealt: CoupSteps) -> tuple[int, ...]:
    """In the order of reading; none before they were rolled."""
    return next((came.answer.faces for came in dealt if isinstance(came.answer, Roll)), ())
