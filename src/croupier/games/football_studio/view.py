"""View types of Football Studio. Every card is face up, so nothing is hidden."""

from typing import Literal

from croupier.play.coup.view import CoupView


class FootballStudioView(CoupView, frozen=True, tag="football_studio", tag_field="game"):
    """A coup of football studio."""

    home: str | None
    """The card; null until it is dealt."""
    away: str | None
    winner: Literal["home", "away", "draw"] | None
    """Null until the coup has ended."""
