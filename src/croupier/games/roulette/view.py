"""View types of roulette."""

from typing import Literal

from croupier.play.coup.view import CoupView


class RouletteView(CoupView, frozen=True, tag="roulette", tag_field="game"):
    """A spin of roulette."""

    pocket: str
    colour: Literal["red", "black", "green"] | None
