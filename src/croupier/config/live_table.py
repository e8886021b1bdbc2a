"""The block of a live table in the server configuration file."""

from typing import Annotated

from msgspec import Meta, Struct

from croupier.play.contract.wants import RollDice, SpinWheel, Want
from croupier.tables.live.setup import DealtBy, Timings

DelayMs = Annotated[int, Meta(ge=0, le=600_000)]
WindowMs = Annotated[int, Meta(ge=1, le=600_000)]
_TIMINGS = Timings()


class LiveTableConfig(Struct, frozen=True, forbid_unknown_fields=True):
    """Settings of a live table. Times are in milliseconds."""

    dealer: DealtBy = "automatic"
    opened: bool = True
    """True if the table opens when the server starts; otherwise the shift manager opens it."""
    chat: bool = True
    seats_each: Annotated[int, Meta(ge=1, le=20)] = 1
    """Maximum number of seats per player."""
    pace_ms: DelayMs = 700
    """Delay between two cards of the automatic dealer."""
    spin_ms: DelayMs = 3_000
    """Time from the close of bets until the automatic dealer's ball drops."""
    roll_ms: DelayMs = 1_500
    """Time from the close of bets until the automatic dealer's dice fall."""
    betting_ms: WindowMs = _TIMINGS.betting_ms
    warning_ms: WindowMs = _TIMINGS.warning_ms
    offer_ms: WindowMs = _TIMINGS.offer_ms
    """Time to answer an offer such as insurance."""
    decision_ms: WindowMs = _TIMINGS.decision_ms
    check_ms: DelayMs = _TIMINGS.check_ms
    """Time during which the last card may still be corrected, for tables that a person deals."""
    pause_ms: DelayMs = _TIMINGS.pause_ms
    ball_ms: DelayMs = _TIMINGS.ball_ms
    """Time for the ball or the dice to come to rest on screen before settlement."""

    def pace_of(self, want: Want) -> int:
        """Return the automatic dealer's delay before it answers."""
        return {SpinWheel: self.spin_ms, RollDice: self.roll_ms}.get(type(want), self.pace_ms)

    @property
    def timings(self) -> Timings:
        return Timings(*(getattr(self, name) for name in Timings._fields))


RENAMED_FIELDS = {"insurance_ms": "offer_ms"}
"""Fields of earlier versions, and their names now."""
DEFAULT_LIVE_TABLE = LiveTableConfig()
