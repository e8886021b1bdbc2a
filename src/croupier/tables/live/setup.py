"""What a live table is set up with: its rules and limits, its waiting times, what its jurisdiction allows."""

from functools import cached_property
from typing import Literal, NamedTuple

from msgspec import Struct

from croupier.play.contract.game import Table
from croupier.play.contract.live import LiveGame, ShoePolicy
from croupier.tables.live.round_play import live

DealtBy = Literal["automatic", "person"]


class Timings(NamedTuple):
    """How long a table waits, in milliseconds."""

    betting_ms: int = 15_000
    """The warning is the end of it."""
    warning_ms: int = 5_000
    insurance_ms: int = 7_000
    decision_ms: int = 12_000
    check_ms: int = 0
    """How long the last card may still be corrected before the stakes are settled: for a person who deals."""
    pause_ms: int = 5_000
    ball_ms: int = 4_000
    """How long the ball or the dice are seen coming to rest before the stakes are settled."""

    def check(self) -> None:
        """ValueError for a wait that can't be."""
        windows = (self.warning_ms, self.insurance_ms, self.decision_ms)
        if min(self) < 0 or min(windows) < 1 or self.warning_ms > self.betting_ms:
            raise ValueError(f"a table can't wait like this: {self}")


class TableProfile(NamedTuple):
    """What a jurisdiction allows; the default shows all there is."""

    statistics: bool = True
    """Whether players see what others decided."""
    tables_max: int = 4
    """Tables a player may have open at once: the server counts them."""
    round_min_ms: int = 0
    """From one opening of the bets to the next, at least."""


class Setup(Struct, frozen=True, dict=True):
    """What stays from round to round. `table` has the limits. What follows from it is worked out once."""

    table: Table
    waits: Timings = Timings()
    profile: TableProfile = TableProfile()
    seats_each: int = 1
    """Seats that one player may take."""

    @cached_property
    def live(self) -> LiveGame:
        return live(self.table.game)

    @cached_property
    def seats(self) -> int:
        """0: everybody shares one deal, and there are no seats."""
        return self.live.seats(self.table.rules)

    @cached_property
    def cards(self) -> ShoePolicy:
        return self.live.shoe_policy(self.table.rules)

    @cached_property
    def rest_ms(self) -> int:
        """From what came up last to the settlement."""
        return max(self.waits.check_ms, 0 if self.cards.shoes else self.waits.ball_ms)
