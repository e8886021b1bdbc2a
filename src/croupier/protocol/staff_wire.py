"""Every message between the browser of a member of staff and the server; as in `croupier.protocol.wire`.

A connection looks at one thing: the whole floor, or one table. What it is told of it is absolute and
replaces what was there before. Every command is in the event log before it is carried out, and so is
its answer after it.
"""

from typing import Annotated, Literal

from msgspec import Meta, Struct

from croupier.accounts.staff_members import Role
from croupier.protocol.wire import (
    ChatLine,
    CurrencyView,
    Identifier,
    OccupiedSeat,
    RequestId,
    RoundView,
    SmallInt,
)
from croupier.tables.live.inputs import ReasonText
from croupier.tables.live.setup import DealtBy
from croupier.tables.live.view import Clock

PROTOCOL = 1

ExpectedRound = Annotated[str, Meta(max_length=40)]
"""Refused `round_ended` when another is played by now; empty where none is: a fresh shoe is burned."""
CardText = Annotated[str, Meta(min_length=1, max_length=8)]
AnswerForm = Literal["", "card", "down", "look", "pocket", "dice"]
"""What the dealer answers: nothing, a card, that one was dealt face down, yes or no, a pocket, or faces."""


class LimitRange(Struct, frozen=True, forbid_unknown_fields=True):
    """The smallest and the largest stake."""

    min_minor: Annotated[int, Meta(ge=1, le=2**53 - 1)]
    max_minor: Annotated[int, Meta(ge=1, le=2**53 - 1)]


# --- from the browser ------------------------------------------------------------------------


class StaffCommand(Struct, frozen=True, tag_field="t", forbid_unknown_fields=True):
    """The base of all commands."""


class Hello(StaffCommand, frozen=True, tag="hello"):
    """The first message on a connection, and again to look at something else."""

    protocol: int
    table: Annotated[str, Meta(max_length=40)] = ""


class Ping(StaffCommand, frozen=True, tag="ping"):
    """Show that the client is there, every 2.5 s. Answered by `pong`. It doesn't prolong the session."""


class TableCommand(StaffCommand, frozen=True):
    """The base of commands that are logged and answered."""

    req: RequestId
    table: Identifier


class EnterResult(TableCommand, frozen=True, tag="deal_card"):
    """Enter what came up: a card `KS`, `down` for one face down, `yes`, `no`, a pocket `17`, dice `1-3-6`."""

    what: CardText
    ask: Annotated[int, Meta(ge=1)]


class DeclareNoSpin(TableCommand, frozen=True, tag="no_spin"):
    """Declare the spin or the roll invalid. It is repeated."""


class ReportCutCard(TableCommand, frozen=True, tag="cut_card_out"):
    """Say that the cut card has come out: this round is the shoe's last."""


class ConfirmShuffle(TableCommand, frozen=True, tag="shoe_shuffled"):
    """Say that this shoe is shuffled and ready."""

    shoe: SmallInt


class PostDealerChat(TableCommand, frozen=True, tag="say_as_dealer"):
    """Send a line of chat as the dealer."""

    text: Annotated[str, Meta(min_length=1, max_length=400)]


class PauseTable(TableCommand, frozen=True, tag="pause_table"):
    """Pause the table. Any member of staff may; only a manager resumes it or voids the round."""

    reason: ReasonText


class ResumeTable(TableCommand, frozen=True, tag="resume_table"):
    """Resume a table that is paused."""

    reason: ReasonText | None = None


class OpenTable(TableCommand, frozen=True, tag="open_table"):
    """Open a table that is closed."""

    reason: ReasonText | None = None


class CloseTable(TableCommand, frozen=True, tag="close_table"):
    """Close the table after the running round."""

    reason: ReasonText | None = None


class VoidRound(TableCommand, frozen=True, tag="void_round"):
    """Cancel the round and return every stake."""

    round: ExpectedRound
    reason: ReasonText


class CorrectCard(TableCommand, frozen=True, tag="correct_card"):
    """Correct what was entered."""

    round: ExpectedRound
    place: SmallInt
    was: CardText
    what: CardText
    reason: ReasonText


class SetLimits(TableCommand, frozen=True, tag="set_limits"):
    """Set all limits of the table from the next round on, by currency. What isn't named has none."""

    limits: dict[Identifier, LimitRange]
    """Of main bets."""
    side_limits: dict[Identifier, LimitRange]
    kind_limits: dict[Identifier, dict[Identifier, LimitRange]]
    """By the kind of bet: they go before the other two."""
    table_limits: dict[Identifier, LimitRange]
    """Of all bets of a player in a round together."""
    reason: ReasonText | None = None


class SetDealer(TableCommand, frozen=True, tag="set_dealer"):
    """Set who deals from the next round on. The table must be closed."""

    by: DealtBy
    reason: ReasonText | None = None


class MutePlayer(TableCommand, frozen=True, tag="mute_player"):
    """Mute a player in this table's chat for some minutes; 0 unmutes."""

    player: Identifier
    minutes: Annotated[int, Meta(ge=0, le=7 * 24 * 60)]
    reason: ReasonText | None = None


class RemoveChatLine(TableCommand, frozen=True, tag="take_line_away"):
    """Remove a line of chat."""

    line: Annotated[int, Meta(ge=1)]
    reason: ReasonText | None = None


class DismissReport(TableCommand, frozen=True, tag="leave_line"):
    """Let a reported line of chat stay."""

    line: Annotated[int, Meta(ge=1)]


Action = (
    EnterResult
    | DeclareNoSpin
    | ReportCutCard
    | ConfirmShuffle
    | PostDealerChat
    | PauseTable
    | ResumeTable
    | OpenTable
    | CloseTable
    | VoidRound
    | CorrectCard
    | SetLimits
    | SetDealer
    | MutePlayer
    | RemoveChatLine
    | DismissReport
)
Command = Hello | Ping | Action


# --- from the server -------------------------------------------------------------------------


class StaffMessage(Struct, frozen=True, tag_field="t"):
    """The base of all messages."""


class Welcome(StaffMessage, frozen=True, tag="welcome"):
    """Answers `hello`."""

    protocol: int
    server: str
    now_ms: int
    name: str
    role: Role
    currencies: tuple[CurrencyView, ...]


class Pong(StaffMessage, frozen=True, tag="pong"):
    """Answers `ping`."""

    now_ms: int


class Ok(StaffMessage, frozen=True, tag="ok"):
    """The command is carried out, and in the event log."""

    req: str


class No(StaffMessage, frozen=True, tag="no"):
    """The command, or the frame where `req` is empty, is refused and nothing has changed."""

    req: str
    code: str
    args: dict[str, str | int]


class Upgrade(StaffMessage, frozen=True, tag="upgrade"):
    """The client speaks another version of the protocol. Nothing else works on this connection."""

    protocol: int


class SignedOut(StaffMessage, frozen=True, tag="signed_out"):
    """The session has ended: sign in again."""


class CurrencyLimitRanges(Struct, frozen=True):
    """A table's limits in one currency."""

    currency: str
    span: LimitRange
    """From the smallest stake that any main bet takes to the largest, as the lobby shows it."""
    main: LimitRange
    side: LimitRange | None
    kinds: dict[str, LimitRange]
    """Of kinds of bets that have limits of their own."""
    table: LimitRange | None
    """Of all bets of a player in a round together."""


class TableSummary(Struct, frozen=True):
    """A live table among all. `limits` are those of the next round."""

    table: str
    title: str
    clock: Clock
    closing: bool
    """It closes when the round is over."""
    players: int
    seats_taken: int
    seats: int
    """0: everybody shares one deal."""
    dealer: DealtBy
    dealers: tuple[str, ...]
    """Who of the staff has the dealer's page of this table open."""
    wanted: str
    """What who deals has been asked for; empty: nothing."""
    limits: tuple[CurrencyLimitRanges, ...]
    reports: int
    """Lines of chat that players reported."""


class TablesOverview(StaffMessage, frozen=True, tag="floor"):
    """All live tables. It replaces the message before."""

    tables: tuple[TableSummary, ...]


class DealerTableState(Struct, frozen=True):
    """A table, for whoever deals it or looks on. It shows no bets before they are closed."""

    clock: Clock
    closing: bool
    """It closes when the round is over."""
    wanted: str
    """What is to be done next, in words: `the player's second card`."""
    form: AnswerForm
    ask: int
    pockets: tuple[str, ...]
    """Of the wheel that is spun, or was spun last in this round, in its order; empty: there is none."""
    dice: int
    """How many are rolled, or were rolled last in this round; 0: none."""
    dealt: tuple[str, ...]
    """What a manager can still correct, oldest first: the answers since the last window closed, or a fresh
    shoe's first card."""
    shuffle: tuple[int, ...]
    """Shoes that are to be shuffled."""
    behind_cut: int
    """So many cards lie behind the cut card of a shuffled shoe; 0: it has none."""
    shoe: int
    shoes: int
    cut_card: bool
    """It is out."""
    last_round: bool
    """No round follows from this shoe."""
    players: int
    seats: int
    seats_taken: tuple[OccupiedSeat, ...]
    dealer: DealtBy
    round: RoundView | None


class DealerTableUpdate(StaffMessage, frozen=True, tag="table"):
    """One live table. It replaces the message before."""

    table: str
    title: str
    now: DealerTableState


class ReportedLine(Struct, frozen=True):
    """A line of chat that players reported."""

    line: ChatLine
    times: int


class ChatState(StaffMessage, frozen=True, tag="chat"):
    """The table's chat. It replaces the message before."""

    table: str
    lines: tuple[ChatLine, ...]
    reports: tuple[ReportedLine, ...]


Message = Welcome | Pong | Ok | No | Upgrade | SignedOut | TablesOverview | DealerTableUpdate | ChatState


# --- pages: answers of the HTTP API ----------------------------------------------------------


class SignIn(Struct, frozen=True, forbid_unknown_fields=True):
    """A name and the code that the operator handed out."""

    name: Annotated[str, Meta(max_length=80)]
    code: Annotated[str, Meta(max_length=80)]


class Me(Struct, frozen=True):
    """The member of staff whose session it is."""

    name: str
    role: Role


class EventLogLine(Struct, frozen=True):
    """An action in the event log."""

    id: str
    at_ms: int
    name: str
    role: str
    """The operator's, who adds and removes staff, is `operator`."""
    what: str
    table: str
    round: str
    reason: str
    details: dict[str, str]
    answer: str


class EventLogPage(Struct, frozen=True):
    """A page of the event log."""

    lines: tuple[EventLogLine, ...]
    more: bool
