"""View types of baccarat. Every card is face up, so nothing is hidden."""

from typing import Literal

from msgspec import Struct

from croupier.play.coup.view import CoupView


class BaccaratHand(Struct, frozen=True):
    """A hand of baccarat."""

    cards: tuple[str, ...]
    totals: tuple[int, ...]
    """The points after each of the cards: `(0, 3, 9)`."""
    natural: bool


class BaccaratView(CoupView, frozen=True, tag="baccarat", tag_field="game"):
    """A coup of baccarat."""

    player: BaccaratHand
    banker: BaccaratHand
    winner: Literal["player", "banker", "tie"] | None
    """Null until the coup has ended."""
