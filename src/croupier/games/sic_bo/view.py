"""What a viewer may see of a coup of Sic Bo: the only form in which it leaves the server."""

from croupier.play.coup.view import CoupView


class SicBoView(CoupView, frozen=True, tag="sic_bo", tag_field="game"):
    """A roll of sic bo."""

    dice: tuple[int, ...]
    """The faces as they were rolled; empty until then."""
