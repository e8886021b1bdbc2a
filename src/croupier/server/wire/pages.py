"""Pages: what the HTTP API answers."""

from typing import Annotated, Literal

from msgspec import Meta, Struct

from croupier.players.care import Period, What, Why
from croupier.server.wire.basis import Happening, Minor, Name, Request, RoundView, Stake
from croupier.tables.live.phases import Light, Phase


class House(Struct, frozen=True):
    """GET /api/house: where the socket is, and what the versions are."""

    server: str
    server_date: str
    rng: str
    rng_date: str
    protocol: int
    socket: str
    """The WebSocket's address; empty: same host, `socket_port`."""
    socket_port: int
    currencies: tuple["CurrencyView", ...]


class CurrencyView(Struct, frozen=True):
    code: str
    name: str
    decimals: int
    play_money: bool


class BetLimits(Struct, frozen=True):
    bet: str
    title: str
    kind: str
    """Bets of one kind may have limits of their own; empty: of no kind."""
    main: bool
    min_minor: int
    max_minor: int
    pays: tuple[str, ...]
    """Lines of the paytable, such as `Suited pair 25:1`."""


class CurrencyLimits(Struct, frozen=True):
    currency: str
    chips_minor: tuple[int, ...]
    table_max_minor: int | None
    """The most that all bets of a player in a round may come to; None: as much as each of them may."""
    bets: tuple[BetLimits, ...]


class Published(Struct, frozen=True):
    bet: str
    percent: str
    of: str


class Together(Struct, frozen=True):
    """Bets that are never all in a player's bet at once."""

    bets: tuple[str, ...]
    named: str
    """As the refusal calls them: `Player and Banker`."""


class Covering(Struct, frozen=True):
    """How many of the outcomes a player's bets may win on together."""

    percent: int
    most: int
    outcomes: int
    of: dict[str, tuple[int, ...]]
    """The outcomes on which a bet wins, by its name; each outcome is a number below `outcomes`."""


class LobbyTable(Struct, frozen=True):
    """GET /api/tables: one card of the lobby, and all a table needs before its first round."""

    table: str
    title: str
    game: str
    line: str
    """One line that says what is special here."""
    live: bool
    boxes: int
    """Boxes of one player at an own table; seats at a live one, 0 where all share one deal."""
    cloth: tuple[str, ...]
    """What is printed on the cloth: `Blackjack pays 3 to 2`, `Dealer stands on all 17s`."""
    limits: tuple[CurrencyLimits, ...]
    restrictions: tuple[str, ...]
    """Which bets aren't taken together, in sentences; then as data, to refuse a chip before it is sent."""
    never_together: tuple[Together, ...]
    covering: Covering | None
    """None: all outcomes may be covered."""
    called: dict[str, str]
    """What a bet or an outcome is called here, where it isn't as in the game, by its name."""
    published: tuple[Published, ...]


class LastRound(Struct, frozen=True):
    """What a round of a live table came to, for the lobby, in its game's word."""

    number: str
    result: str
    """Blackjack's are the dealer's total, `blackjack` or `bust`; a roulette's the pocket."""


class PastResult(Struct, frozen=True):
    """A line of GET /api/tables/{table}/results?n=: the last rounds, oldest first; at an own table his."""

    result: str
    number: str
    shoe: str
    """The same for all rounds dealt from one shoe; empty where no round shares one with another."""
    round: str


class FloorLine(Struct, frozen=True):
    """GET /api/floor: a live table as it is now, for the lobby."""

    table: str
    phase: Phase
    light: Light
    paused: str
    players: int
    seats_free: int
    dealer: Literal["automatic", "person"]
    last: tuple[LastRound, ...]
    """Newest first, ten at most; empty where the profile forbids it."""


class RulesPage(Struct, frozen=True):
    """GET /api/tables/{table}/rules: made from the table's rules object; `html` is safe."""

    table: str
    title: str
    html: str


class HistoryLine(Struct, frozen=True):
    """GET /api/history?before=&table=&from_ms=&to_ms=&limit=: newest first."""

    round: str
    number: str
    table: str
    title: str
    currency: str
    started_ms: int
    ended_ms: int
    staked_minor: int
    returned_minor: int
    status: Literal["open", "settled", "void"]


class History(Struct, frozen=True):
    lines: tuple[HistoryLine, ...]
    more: bool
    staked_minor: dict[str, int]
    """By currency, over all such rounds that have ended and not this page alone."""
    returned_minor: dict[str, int]


class HistoryStep(Struct, frozen=True):
    did: Happening
    view: RoundView


class HistoryRound(Struct, frozen=True):
    """GET /api/rounds/{round}: the round card by card; `steps` are the views after each."""

    line: HistoryLine
    stakes: tuple[Stake, ...]
    steps: tuple[HistoryStep, ...]
    versions: dict[str, str]


class StatementLine(Struct, frozen=True):
    """GET /api/statement?before=: every movement of the player's money, newest first.

    `seq` orders them; the next page is what comes `before` the last one's.
    """

    seq: int
    at_ms: int
    what: Literal["grant", "deposit", "withdrawal", "stake", "taken_back", "return", "void"]
    currency: str
    amount_minor: int
    """Signed: positive raises the balance."""
    balance_minor: int
    round: str


class CashierOrder(Struct, frozen=True, forbid_unknown_fields=True):
    """POST /api/cashier/deposit and /withdraw, in play money."""

    req: Request
    currency: Name
    amount_minor: Minor


class OwnLimit(Struct, frozen=True):
    """A limit that a player has set himself, or may set: amounts, or minutes of a session."""

    what: What
    period: Period
    currency: str
    """Empty for a session."""
    most: int | None
    used: int
    """Below 0: of a loss, who is winning."""
    then: int | None
    """What it will be from `from_ms` on; 0: nothing is to change."""
    from_ms: int


class Kept(Struct, frozen=True):
    """Barred from the tables, from the chat and from deposits until then."""

    why: Why
    until_ms: int
    """The largest number that a browser counts exactly, 2**53 - 1: for good."""


class Span(Struct, frozen=True):
    """What a player did in the day, week or month that goes on."""

    period: Period
    since_ms: int
    currency: str
    staked_minor: int
    returned_minor: int
    deposited_minor: int


class Care(Struct, frozen=True):
    """GET /api/care: what the player has set himself, what he may, and how he fared."""

    limits: tuple[OwnLimit, ...]
    barred: Kept | None
    spans: tuple[Span, ...]
    cooling_off_hours: int
    time_out_days: tuple[int, ...]
    exclusion_days: tuple[int, ...]
    """0: for good."""


class LimitOrder(Struct, frozen=True, forbid_unknown_fields=True):
    """POST /api/care/limit; `most` None: no limit any more."""

    what: What
    period: Period
    currency: Annotated[str, Meta(max_length=3)]
    most: Minor | None


class BarOrder(Struct, frozen=True, forbid_unknown_fields=True):
    """POST /api/care/bar: no way back before the time is over. `days` 0: for good."""

    why: Literal["time_out", "exclusion"]
    days: Annotated[int, Meta(ge=0, le=3_660)]


class Me(Struct, frozen=True):
    """GET /api/me, and POST /api/guest, which makes a guest of a stranger."""

    player: str
    name: str


class Problem(Struct, frozen=True):
    """Any refusal over HTTP."""

    code: str
    args: dict[str, str | int]
