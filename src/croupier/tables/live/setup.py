"""The configuration of a live table's machine: rules and limits, timings, the jurisdiction's profile."""

from functools import cached_property
from typing import Literal, NamedTuple

from msgspec import Struct

from croupier.play.contract.game import Table
from croupier.play.contract.live import LiveGame, ShoePolicy
from croupier.tables.live.round_play import live

DealtBy = Literal["automatic", "person"]


class Timings(NamedTuple):
    """The lengths of the phases in milliseconds."""

    betting_ms: int = 15_000
    """Includes the warning at its end."""
    warning_ms: int = 5_000
    offer_ms: int = 7_000
    decision_ms: int = 12_000
    check_ms: int = 0
    """The time to correct the last card before the settlement, for a person who deals."""
    pause_ms: int = 5_000
    ball_ms: int = 4_000
    """The time between the result of a spin or roll and the settlement, while the ball or the dice rest."""

    def check(self) -> None:
        """Raise ValueError for a length out of range."""
        windows = (self.warning_ms, self.offer_ms, self.decision_ms)
        if min(self) < 0 or min(windows) < 1 or self.warning_ms > self.betting_ms:
            raise ValueError(f"a table can't wait like this: {self}")


class TableProfile(NamedTuple):
    """Rules of the jurisdiction; the default has no restrictions."""

    statistics: bool = True
    """True if players see the decisions of others."""
    tables_max: int = 4
    """The maximum number of tables that a player may have open at once; the server counts them."""
    round_min_ms: int = 0
    """The minimum time between two openings of the bets."""


class Setup(Struct, frozen=True, dict=True):
    """The configuration, the same for every round until the limits change. `table` includes the limits."""

    table: Table
    timings: Timings = Timings()
    profile: TableProfile = TableProfile()
    seats_each: int = 1
    """The maximum number of seats of one player."""

    @cached_property
    def live(self) -> LiveGame:
        return live(self.table.game)

    @cached_property
    def seats(self) -> int:
        """The number of seats; 0: all players share one deal."""
        return self.live.seats(self.table.rules)

    @cached_property
    def cards(self) -> ShoePolicy:
        return self.live.shoe_policy(self.table.rules)

    @cached_property
    def settle_delay_ms(self) -> int:
        """The time between the last card, spin or roll and the settlement."""
        return max(self.timings.check_ms, 0 if self.cards.shoes else self.timings.ball_ms)
