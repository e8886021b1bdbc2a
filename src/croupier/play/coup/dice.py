"""Dice of a coup."""

from croupier.play.contract.wants import Roll
from croupier.play.coup.coup import CoupSteps


def faces(dealt: CoupSteps) -> tuple[int, ...]:
    """Return the faces in reading order; empty before the roll."""
    return next((came.answer.faces for came in dealt if isinstance(came.answer, Roll)), ())
