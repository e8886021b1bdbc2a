"""Messages between a staff browser and the server, with the conventions of `croupier.protocol.wire`.

A connection watches either all live tables or one of them. Each message about them is complete and replaces
the previous one. The event log records every command before it is executed, and its answer afterwards.
"""

from typing import Annotated, Literal

from msgspec import Meta, Struct

from croupier.accounts.staff_members import Role
from croupier.protocol.staff_camera import CameraAnswer, PublishCamera, StaffCamera, StopPublishing
from croupier.protocol.staff_limits import CurrencyLimitRanges, LimitRange
from croupier.protocol.staff_pages import (
    BonusOffer,
    CancelBonus,
    EventLogLine,
    EventLogPage,
    GrantBonus,
    PlayerBonuses,
)
from croupier.protocol.staff_players import (  # noqa: F401 - the documents look for them here
    ApprovalView,
    AskAdjustment,
    AskReopening,
    CloseAccount,
    DecideApproval,
    EndPlayerSessions,
    FoundPlayers,
    PlayerFile,
    SearchResults,
)
from croupier.protocol.staff_reports import (
    AskPayment,
    AskWallet,
    DecidePayment,
    LiabilityReport,
    OpenWalletCall,
    PresentPlay,
    ResultsReport,
    StuckPayment,
)
from croupier.protocol.staff_sign_in import (  # noqa: F401 - the documents look for them here
    EnrolAuthenticator,
    EnrolmentOffer,
    EnrolPasskey,
    SignIn,
    SignInMethods,
    StartEnrolment,
)
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

__all__ = [
    "AskPayment",
    "AskWallet",
    "BonusOffer",
    "CameraAnswer",
    "CancelBonus",
    "CurrencyLimitRanges",
    "DecidePayment",
    "EventLogLine",
    "EventLogPage",
    "GrantBonus",
    "LiabilityReport",
    "LimitRange",
    "OpenWalletCall",
    "PlayerBonuses",
    "PresentPlay",
    "PublishCamera",
    "ResultsReport",
    "SignIn",
    "StopPublishing",
    "StuckPayment",
]
"""Types of the HTTP API that belong to the protocol too."""

PROTOCOL = 3

ExpectedRound = Annotated[str, Meta(max_length=40)]
"""The round that a command is meant for: refused `round_ended` if it isn't the current one. Empty between
rounds, while a fresh shoe is burned."""
CardText = Annotated[str, Meta(min_length=1, max_length=8)]
AnswerForm = Literal["", "card", "down", "look", "pocket", "dice"]
"""Form of the dealer's next answer: none, a card, a card dealt face down, the result of a peek, a pocket,
or the faces of dice."""


# --- from the browser ------------------------------------------------------------------------


class StaffCommand(Struct, frozen=True, tag_field="t", forbid_unknown_fields=True):
    """Base of all commands."""


class Hello(StaffCommand, frozen=True, tag="hello"):
    """Open the session. Must be the first message on a connection; send it again to watch something else."""

    protocol: int
    table: Annotated[str, Meta(max_length=40)] = ""


class Ping(StaffCommand, frozen=True, tag="ping"):
    """Keep the connection alive; send it every 2.5 s. It doesn't extend the session."""


class TableCommand(StaffCommand, frozen=True):
    """Base of commands that are logged and answered."""

    req: RequestId
    table: Identifier


class EnterResult(TableCommand, frozen=True, tag="deal_card"):
    """Enter a result: a card `KS`, `down` for a face-down card, `yes`, `no`, a pocket `17`, dice `1-3-6`."""

    what: CardText
    ask: Annotated[int, Meta(ge=1)]


class DeclareNoSpin(TableCommand, frozen=True, tag="no_spin"):
    """Declare the spin or roll invalid. It is repeated."""


class ReportCutCard(TableCommand, frozen=True, tag="cut_card_out"):
    """Report that the cut card came out, so this round is the last from the shoe."""


class ConfirmShuffle(TableCommand, frozen=True, tag="shoe_shuffled"):
    """Confirm that a shoe is shuffled and ready."""

    shoe: SmallInt


class PostDealerChat(TableCommand, frozen=True, tag="say_as_dealer"):
    """Post a chat line as the dealer."""

    text: Annotated[str, Meta(min_length=1, max_length=400)]


class PauseTable(TableCommand, frozen=True, tag="pause_table"):
    """Pause the table. Dealers may do this too; only a manager can resume it or void the round."""

    reason: ReasonText


class ResumeTable(TableCommand, frozen=True, tag="resume_table"):
    """Resume a paused table."""

    reason: ReasonText | None = None


class OpenTable(TableCommand, frozen=True, tag="open_table"):
    """Open a closed table."""

    reason: ReasonText | None = None


class CloseTable(TableCommand, frozen=True, tag="close_table"):
    """Close the table after the current round."""

    reason: ReasonText | None = None


class VoidRound(TableCommand, frozen=True, tag="void_round"):
    """Cancel the round and return every stake."""

    round: ExpectedRound
    reason: ReasonText


class CorrectCard(TableCommand, frozen=True, tag="correct_card"):
    """Correct an entered result."""

    round: ExpectedRound
    place: SmallInt
    was: CardText
    what: CardText
    reason: ReasonText


class SetLimits(TableCommand, frozen=True, tag="set_limits"):
    """Replace all limits of the table from the next round on, by currency. Omitted limits are removed."""

    limits: dict[Identifier, LimitRange]
    """Limits of main bets."""
    side_limits: dict[Identifier, LimitRange]
    kind_limits: dict[Identifier, dict[Identifier, LimitRange]]
    """Limits by kind of bet; they take precedence over the other two."""
    table_limits: dict[Identifier, LimitRange]
    """Limits on a player's total stake in a round."""
    reason: ReasonText | None = None


class SetDealer(TableCommand, frozen=True, tag="set_dealer"):
    """Choose who deals from the next round on. An open table closes after its round and reopens."""

    by: DealtBy
    reason: ReasonText | None = None


class MutePlayer(TableCommand, frozen=True, tag="mute_player"):
    """Mute a player in this table's chat."""

    player: Identifier
    minutes: Annotated[int, Meta(ge=0, le=7 * 24 * 60)]
    reason: ReasonText | None = None


class RemoveChatLine(TableCommand, frozen=True, tag="take_line_away"):
    """Remove a chat line."""

    line: Annotated[int, Meta(ge=1)]
    reason: ReasonText | None = None


class DismissReport(TableCommand, frozen=True, tag="leave_line"):
    """Dismiss the reports of a chat line."""

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
    """Base of all messages."""


class Welcome(StaffMessage, frozen=True, tag="welcome"):
    """Answer to `hello`."""

    protocol: int
    server: str
    now_ms: int
    name: str
    role: Role
    currencies: tuple[CurrencyView, ...]


class Pong(StaffMessage, frozen=True, tag="pong"):
    """Answer to `ping`."""

    now_ms: int


class Ok(StaffMessage, frozen=True, tag="ok"):
    """The command was executed and logged."""

    req: str


class No(StaffMessage, frozen=True, tag="no"):
    """The command (or the frame, if `req` is empty) was refused and changed nothing."""

    req: str
    code: str
    args: dict[str, str | int]


class Upgrade(StaffMessage, frozen=True, tag="upgrade"):
    """The client uses another protocol version. Nothing else works on this connection."""

    protocol: int


class SignedOut(StaffMessage, frozen=True, tag="signed_out"):
    """The session ended; sign in again."""


class TableSummary(Struct, frozen=True):
    """Summary of a live table. `limits` apply from the next round on."""

    table: str
    title: str
    clock: Clock
    closing: bool
    """True if it closes after the current round."""
    players: int
    seats_taken: int
    seats: int
    """Number of seats; 0: all players share one deal."""
    dealer: DealtBy
    dealers: tuple[str, ...]
    """Dealers who have this table's page open."""
    wanted: str
    """Action requested from the dealer; empty: none."""
    limits: tuple[CurrencyLimitRanges, ...]
    reports: int
    """Number of reported chat lines."""


class TablesOverview(StaffMessage, frozen=True, tag="overview"):
    """All live tables. Replaces the previous message."""

    tables: tuple[TableSummary, ...]


class DealerTableState(Struct, frozen=True):
    """State of a table for its dealer or a watching manager. No bets are shown until betting closes."""

    clock: Clock
    closing: bool
    """True if it closes after the current round."""
    wanted: str
    """Next action, in words: `the player's second card`."""
    form: AnswerForm
    ask: int
    pockets: tuple[str, ...]
    """Pockets, in wheel order, of the wheel spun in this round; empty: none."""
    dice: int
    """Number of dice rolled in this round; 0: none."""
    dealt: tuple[str, ...]
    """Entries that a manager can still correct, oldest first: those since the last decision window closed, or
    the first card of a fresh shoe."""
    shuffle: tuple[int, ...]
    """Shoes that need shuffling."""
    behind_cut: int
    """Number of cards behind the cut card of a shuffled shoe; 0: there is no cut card."""
    shoe: int
    shoes: int
    cut_card: bool
    """True if the cut card is out."""
    last_round: bool
    """True if this is the last round from the shoe."""
    players: int
    seats: int
    seats_taken: tuple[OccupiedSeat, ...]
    dealer: DealtBy
    camera: StaffCamera
    equipment_camera: StaffCamera
    """The second camera, of the table's equipment."""
    round: RoundView | None


class DealerTableUpdate(StaffMessage, frozen=True, tag="table"):
    """State of one live table. Replaces the previous message."""

    table: str
    title: str
    game: str
    now: DealerTableState


class ReportedLine(Struct, frozen=True):
    """A reported chat line."""

    line: ChatLine
    times: int


class ChatState(StaffMessage, frozen=True, tag="chat"):
    """Chat of the table. Replaces the previous message."""

    table: str
    lines: tuple[ChatLine, ...]
    reports: tuple[ReportedLine, ...]


Message = Welcome | Pong | Ok | No | Upgrade | SignedOut | TablesOverview | DealerTableUpdate | ChatState


class Me(Struct, frozen=True):
    """The signed-in member of staff."""

    name: str
    role: Role
    approvals: int
    """Number of changes that the member may approve; 0 for a dealer."""
