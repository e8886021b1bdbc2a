"""View types of Dragon Tiger. Every card is face up, so nothing is hidden."""

from typing import Literal

from croupier.play.coup.view import CoupView


class DragonTigerView(CoupView, frozen=True, tag="dragon_tiger", tag_field="game"):
    """A coup of dragon tiger."""

    dragon: str | None
    """The card; null until it is dealt."""
    tiger: str | None
    winner: Literal["dragon", "tiger", "tie"] | None
    """Null until the coup has ended."""
    suited: bool
    """True if the coup ended in a tie of one suit."""
