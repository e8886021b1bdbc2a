"""View types of Sic Bo."""

from croupier.play.coup.view import CoupView


class SicBoView(CoupView, frozen=True, tag="sic_bo", tag_field="game"):
    """A roll of sic bo."""

    dice: tuple[int, ...]
    """The faces as rolled; empty until then."""
