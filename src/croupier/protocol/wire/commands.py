"""Commands of a player's browser."""

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

STAKES_MAX = 200
"""Maximum number of stakes in one bet; roulette has 161 positions."""


class ResumedTable(Struct, frozen=True, forbid_unknown_fields=True):
    """A table that the client has open and wants to resume."""

    table: Identifier
    v: Annotated[int, Meta(ge=0)] = 0
    currency: Annotated[str, Meta(max_length=40)] = ""


class Hello(ClientCommand, frozen=True, tag="hello"):
    """Open the session and resume tables. First message on a connection; send it again after a gap in `v`."""

    protocol: int
    tables: Annotated[tuple[ResumedTable, ...], Meta(max_length=4)] = ()


class Join(ClientCommand, frozen=True, tag="join"):
    """Open a table in a currency. A `snapshot` or `live_snapshot` precedes the `ok`."""

    req: RequestId
    table: Identifier
    currency: Identifier


class Leave(ClientCommand, frozen=True, tag="leave"):
    """Close a table. An unfinished round there stays open."""

    req: RequestId
    table: Identifier


class DealRound(ClientCommand, frozen=True, tag="deal"):
    """Start a round at an own table.

    `after` is that of the table's state that the player saw. If another round has been dealt since, the deal
    is refused `dealt_already`, so that two clicks deal one round. Earlier clients send no `after`: each of
    their deals with an id of its own deals a round, unless one is open.
    """

    req: RequestId
    table: Identifier
    stakes: Annotated[tuple[Stake, ...], Meta(min_length=1, max_length=STAKES_MAX)]
    after: Annotated[str, Meta(max_length=40)] | None = None


class Decide(ClientCommand, frozen=True, tag="decide"):
    """Answer the round's open decision; at a table with seats also in advance of the hand's turn.

    `turn` is the turn that the player saw. A decision for an earlier turn of the hand is refused
    `not_your_turn`, and one that the hand doesn't have `not_offered`.
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
    """Replace the player's entire bet at a live table; without stakes, withdraw it.

    `ok` means that the stake is durably reserved.
    """

    req: RequestId
    table: Identifier
    round: Identifier
    stakes: Annotated[tuple[Stake, ...], Meta(max_length=STAKES_MAX)]


class Undo(ClientCommand, frozen=True, tag="undo"):
    """Undo the last change of the player's bet at a live table."""

    req: RequestId
    table: Identifier
    round: Identifier


class Sit(ClientCommand, frozen=True, tag="sit"):
    """Take a seat at a live table with seats."""

    req: RequestId
    table: Identifier
    seat: SmallInt


class StandUp(ClientCommand, frozen=True, tag="stand_up"):
    """Leave a seat at a live table with seats."""

    req: RequestId
    table: Identifier
    seat: SmallInt


class PostChat(ClientCommand, frozen=True, tag="say"):
    """Post a chat line at a live table. The text is plain; markup has no effect."""

    req: RequestId
    table: Identifier
    text: Annotated[str, Meta(min_length=1, max_length=200)]


class ReportChatLine(ClientCommand, frozen=True, tag="report"):
    """Report a chat line to the staff."""

    req: RequestId
    table: Identifier
    line: Annotated[int, Meta(ge=1)]


class SaveSettings(ClientCommand, frozen=True, tag="save_settings"):
    """Save the player's settings. All of the player's connections receive `settings`."""

    req: RequestId
    settings: Settings


class AnswerReminder(ClientCommand, frozen=True, tag="answer_reminder"):
    """Continue after a reality check. While one is due, no rounds start and no bets are accepted anywhere."""

    req: RequestId


class EndSession(ClientCommand, frozen=True, tag="end_session"):
    """End the player's session on all devices: each connection receives `session_ended` and is closed.

    The tables treat this as a lost connection. The next connection starts a new session.
    """

    req: RequestId


class Ping(ClientCommand, frozen=True, tag="ping"):
    """Keep the connection alive; send it every 1.5 s. `pong` has the server's clock."""


Command = (
    Hello
    | Join
    | Leave
    | DealRound
    | Decide
    | PlaceBet
    | Undo
    | Sit
    | StandUp
    | PostChat
    | ReportChatLine
    | SaveSettings
    | AnswerReminder
    | EndSession
    | Ping
)
