"""Every message between the browser of a member of staff and the server; as in `croupier.server.wire`.

A connection looks at one thing: the whole floor, or one table. What it is told of it is absolute and
replaces what was there before. Every command is in the event log before it is carried out, and so is
its answer after it.
"""

from typing import Annotated, Literal

from msgspec import Meta, Struct

from croupier.players.staff import Role
from croupier.server.live.floor import Dealer as DealtBy
from croupier.server.wire import ChatLine, CurrencyView, Name, Request, RoundView, Small
from croupier.tables.live.view import Clock

PROTOCOL = 1

Reason = Annotated[str, Meta(min_length=1, max_length=200)]
RoundMeant = Annotated[str, Meta(max_length=40)]
"""Refused `round_ended` when another is played by now; empty where none is: a fresh shoe is burned."""
Card = Annotated[str, Meta(min_length=1, max_length=8)]
Form = Literal["", "card", "down", "look", "pocket", "dice"]
"""What the dealer answers: nothing, a card, that one was dealt face down, yes or no, a pocket, or faces."""


class Range(Struct, frozen=True, forbid_unknown_fields=True):
    """The smallest and largest stake."""

    min_minor: Annotated[int, Meta(ge=1, le=2**53 - 1)]
    max_minor: Annotated[int, Meta(ge=1, le=2**53 - 1)]


# --- from the browser ------------------------------------------------------------------------


class FromStaff(Struct, frozen=True, tag_field="t", forbid_unknown_fields=True):
    """The base of all commands."""


class Hello(FromStaff, frozen=True, tag="hello"):
    """The first message on a connection; `table` empty: the floor, which is the manager's."""

    protocol: int
    table: Annotated[str, Meta(max_length=40)] = ""


class Ping(FromStaff, frozen=True, tag="ping"):
    """Every 2.5 s; answered by `pong`. Nobody stays signed in by it."""


class AtTable(FromStaff, frozen=True):
    """The base of commands that are logged and answered."""

    req: Request
    table: Name


class DealCard(AtTable, frozen=True, tag="deal_card"):
    """The answer to what is wanted: `KS`, `down`, `yes`, `17`, `1-3-6`; `ask`: the number of the question."""

    what: Card
    ask: Annotated[int, Meta(ge=1)]


class NoSpin(AtTable, frozen=True, tag="no_spin"):
    """The spin or the roll that is wanted wasn't valid, and is done again."""


class CutCardOut(AtTable, frozen=True, tag="cut_card_out"):
    """The cut card has come: this round is the shoe's last."""


class ShoeShuffled(AtTable, frozen=True, tag="shoe_shuffled"):
    """This shoe lies ready."""

    shoe: Small


class SayAsDealer(AtTable, frozen=True, tag="say_as_dealer"):
    text: Annotated[str, Meta(min_length=1, max_length=400)]


class PauseTable(AtTable, frozen=True, tag="pause_table"):
    """Anybody on the floor stops a table; the manager lets it go on, or voids the round."""

    reason: Reason


class ResumeTable(AtTable, frozen=True, tag="resume_table"):
    reason: Reason | None = None


class OpenTable(AtTable, frozen=True, tag="open_table"):
    reason: Reason | None = None


class CloseTable(AtTable, frozen=True, tag="close_table"):
    """After the round that is played."""

    reason: Reason | None = None


class VoidRound(AtTable, frozen=True, tag="void_round"):
    round: RoundMeant
    reason: Reason


class CorrectCard(AtTable, frozen=True, tag="correct_card"):
    """What was entered as `was`, at that `place` of those that may be corrected, was in truth `what`."""

    round: RoundMeant
    place: Small
    was: Card
    what: Card
    reason: Reason


class SetLimits(AtTable, frozen=True, tag="set_limits"):
    """All limits of the table from the next round on, by currency; what isn't named has none of its own."""

    limits: dict[Name, Range]
    """Of main bets."""
    side_limits: dict[Name, Range]
    kind_limits: dict[Name, dict[Name, Range]]
    """By the kind of bet: they go before the other two."""
    table_limits: dict[Name, Range]
    """Of all bets of a player in a round together."""
    reason: Reason | None = None


class SetDealer(AtTable, frozen=True, tag="set_dealer"):
    """Who deals from the next round on."""

    by: DealtBy
    reason: Reason | None = None


class MutePlayer(AtTable, frozen=True, tag="mute_player"):
    """`player` as in his lines of chat. 0 minutes: he may speak again."""

    player: Name
    minutes: Annotated[int, Meta(ge=0, le=7 * 24 * 60)]
    reason: Reason | None = None


class TakeLineAway(AtTable, frozen=True, tag="take_line_away"):
    line: Annotated[int, Meta(ge=1)]
    reason: Reason | None = None


class LeaveLine(AtTable, frozen=True, tag="leave_line"):
    """A reported line may stay."""

    line: Annotated[int, Meta(ge=1)]


Action = (
    DealCard
    | NoSpin
    | CutCardOut
    | ShoeShuffled
    | SayAsDealer
    | PauseTable
    | ResumeTable
    | OpenTable
    | CloseTable
    | VoidRound
    | CorrectCard
    | SetLimits
    | SetDealer
    | MutePlayer
    | TakeLineAway
    | LeaveLine
)
Command = Hello | Ping | Action


# --- from the server -------------------------------------------------------------------------


class ToStaff(Struct, frozen=True, tag_field="t"):
    """The base of all messages."""


class Welcome(ToStaff, frozen=True, tag="welcome"):
    protocol: int
    server: str
    now_ms: int
    name: str
    role: Role
    currencies: tuple[CurrencyView, ...]


class Pong(ToStaff, frozen=True, tag="pong"):
    now_ms: int


class Ok(ToStaff, frozen=True, tag="ok"):
    req: str


class No(ToStaff, frozen=True, tag="no"):
    """A refusal: `code` and `args` make the sentence; nothing has changed."""

    req: str
    code: str
    args: dict[str, str | int]


class Upgrade(ToStaff, frozen=True, tag="upgrade"):
    """The browser speaks another protocol: reload the page."""

    protocol: int


class SignedOut(ToStaff, frozen=True, tag="signed_out"):
    """The session has ended: sign in again."""


class CurrencyRanges(Struct, frozen=True):
    currency: str
    main: Range
    side: Range | None
    kinds: dict[str, Range]
    """Of kinds of bets that have limits of their own."""
    table: Range | None
    """Of all bets of a player in a round together."""


class FloorTable(Struct, frozen=True):
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
    limits: tuple[CurrencyRanges, ...]
    reports: int
    """Lines of chat that players reported."""


class FloorNow(ToStaff, frozen=True, tag="floor"):
    tables: tuple[FloorTable, ...]


class SeatTaken(Struct, frozen=True):
    seat: int
    name: str


class Table(Struct, frozen=True):
    """One table for who deals at it, and for the manager who looks on.

    Nothing in it tells a bet before the bets are closed: `round` is there from then on.
    """

    clock: Clock
    closing: bool
    """It closes when the round is over."""
    wanted: str
    """What is to be done next, in words: `the player's second card`."""
    form: Form
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
    seats_taken: tuple[SeatTaken, ...]
    dealer: DealtBy
    round: RoundView | None


class TableNow(ToStaff, frozen=True, tag="table"):
    table: str
    title: str
    now: Table


class ReportedLine(Struct, frozen=True):
    """`times`: how many players told the floor of it."""

    line: ChatLine
    times: int


class ChatNow(ToStaff, frozen=True, tag="chat"):
    """`reports` are the manager's."""

    table: str
    lines: tuple[ChatLine, ...]
    reports: tuple[ReportedLine, ...]


Message = Welcome | Pong | Ok | No | Upgrade | SignedOut | FloorNow | TableNow | ChatNow


# --- pages: answers of the HTTP API ----------------------------------------------------------


class SignIn(Struct, frozen=True, forbid_unknown_fields=True):
    """POST /api/staff/sign-in: sets the cookie of a session."""

    name: Annotated[str, Meta(max_length=80)]
    code: Annotated[str, Meta(max_length=80)]


class Me(Struct, frozen=True):
    """GET /api/staff/me."""

    name: str
    role: Role


class LogLine(Struct, frozen=True):
    """One action. `what` is the command's `t`, `details` the rest of it.

    `answer`: `ok`, the code of a refusal, or empty where the house was cut off before it knew.
    """

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


class Log(Struct, frozen=True):
    """GET /api/staff/log?before=&text=&table=: newest first; the next page comes `before` the last."""

    lines: tuple[LogLine, ...]
    more: bool
