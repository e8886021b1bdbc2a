"""Dice of a coup: what they show."""

from croupier.play.contract.wants import Roll
from croupier.play.coup.coup import Dealt


def faces(dealt: Dealt) -> tuple[int, ...]:
    """In the order of reading; none before they were rolled."""
    return next((came.what.faces for came in dealt if isinstance(came.what, Roll)), ())
