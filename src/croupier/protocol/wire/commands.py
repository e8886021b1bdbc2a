"""What a player's browser may say."""

from typing import Annotated

from msgspec import Meta, Struct

from croupier.protocol.wire.base import (
    AmountMinor,
    ClientCommand,
    Identifier,
    RequestId,
    Settings,
    SmallInt,
    Stake,
)

STAKES_MOST = 200
"""In one bet: roulette has 161 positions."""


class ResumedTable(Struct, frozen=True, forbid_unknown_fields=True):
    """A table that the client has open."""

    table: Identifier
    v: Annotated[int, Meta(ge=0)] = 0
    currency: Annotated[str, Meta(max_length=40)] = ""


class Hello(ClientCommand, frozen=True, tag="hello"):
    """The first message on a connection, and again after a gap in `v`. Lists the tables to resume."""

    protocol: int
    tables: Annotated[tuple[ResumedTable, ...], Meta(max_length=4)] = ()


class Join(ClientCommand, frozen=True, tag="join"):
    """Open a table in a currency. A `snapshot` or `live_snapshot` comes before the `ok`."""

    req: RequestId
    table: Identifier
    currency: Identifier


class Leave(ClientCommand, frozen=True, tag="leave"):
    """Close a table. A round that waits there goes on waiting."""

    req: RequestId
    table: Identifier


class DealRound(ClientCommand, frozen=True, tag="deal"):
    """Start a round at an own table with these stakes."""

    req: RequestId
    table: Identifier
    stakes: Annotated[tuple[Stake, ...], Meta(min_length=1, max_length=STAKES_MOST)]


class Decide(ClientCommand, frozen=True, tag="decide"):
    """Answer the decision that the round waits for; at a table of seats also ahead of the hand's turn.

    `turn` is the round's as the player saw it when they decided. A decision made for an earlier turn of the
    hand is refused `not_your_turn`, what the hand may not do `not_offered`.
    """

    req: RequestId
    table: Identifier
    round: Identifier
    turn: Annotated[int, Meta(ge=0, le=2**31)]
    box: SmallInt
    hand: SmallInt
    action: Identifier
    stake_minor: AmountMinor | None = None


class PlaceBet(ClientCommand, frozen=True, tag="bet"):
    """Set the player's whole bet at a live table, replacing the one before; without stakes it is taken back.

    The `ok` means that the money is reserved durably.
    """

    req: RequestId
    table: Identifier
    round: Identifier
    stakes: Annotated[tuple[Stake, ...], Meta(max_length=STAKES_MOST)]


class Undo(ClientCommand, frozen=True, tag="undo"):
    """Set the player's bet at a live table to what it was before its last change."""

    req: RequestId
    table: Identifier
    round: Identifier


class Sit(ClientCommand, frozen=True, tag="sit"):
    """Take a seat at a live table with seats."""

    req: RequestId
    table: Identifier
    seat: SmallInt


class StandUp(ClientCommand, frozen=True, tag="stand_up"):
    """Give up a seat at a live table with seats."""

    req: RequestId
    table: Identifier
    seat: SmallInt


class PostChat(ClientCommand, frozen=True, tag="say"):
    """Send a line of chat at a live table. It is plain text, whatever it looks like."""

    req: RequestId
    table: Identifier
    text: Annotated[str, Meta(min_length=1, max_length=200)]


class ReportChatLine(ClientCommand, frozen=True, tag="report"):
    """Report a line of chat to the staff."""

    req: RequestId
    table: Identifier
    line: Annotated[int, Meta(ge=1)]


class SaveSettings(ClientCommand, frozen=True, tag="save_settings"):
    """Save the player's settings. `settings` goes to all of the player's connections."""

    req: RequestId
    settings: Settings


class AnswerReminder(ClientCommand, frozen=True, tag="answer_reminder"):
    """Go on after a reality check. While one is due, no round starts and no bet is taken, on any device."""

    req: RequestId


class EndSession(ClientCommand, frozen=True, tag="end_session"):
    """End the player's session on all devices: each connection is told `session_ended` and closed.

    Tables are left as by a lost connection. Who comes back begins a new session.
    """

    req: RequestId


class Ping(ClientCommand, frozen=True, tag="ping"):
    """Show that the client is there, every 1.5 s. Answered by `pong` with the server's clock."""
