"""Pages: what the HTTP API answers."""

from typing import Annotated, Literal

from msgspec import Meta, Struct

from croupier.accounts.responsible_gaming import Period, What, Why
from croupier.protocol.wire.base import AmountMinor, Identifier, RequestId, RoundEvent, RoundView, Stake
from croupier.tables.live.phases import Light, Phase


class ServerInfo(Struct, frozen=True):
    """The server: its WebSocket's address, its versions and its currencies."""

    server: str
    server_date: str
    rng: str
    rng_date: str
    protocol: int
    socket: str
    """The WebSocket's address; empty: same host, `socket_port`."""
    socket_port: int
    currencies: tuple["CurrencyView", ...]
    policy: str
    """The address of the operator's own page on responsible gaming; empty: the client has one."""
    helplines: tuple["Helpline", ...]


class Helpline(Struct, frozen=True):
    """Where players and their families find help with gambling."""

    name: str
    url: str
    where: str
    """Where it can be reached: a country, or the world."""
    phone: str
    """Empty: it has none, or one for each place."""


class CurrencyView(Struct, frozen=True):
    """A currency."""

    code: str
    name: str
    decimals: int
    play_money: bool


class BetLimits(Struct, frozen=True):
    """A bet with its limits in one currency."""

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
    """A table's limits in one currency."""

    currency: str
    min_minor: int
    """From the smallest stake that any main bet takes, up to `max_minor`, the largest."""
    max_minor: int
    chips_minor: tuple[int, ...]
    table_max_minor: int | None
    """The most that all bets of a player in a round may come to; None: as much as each of them may."""
    bets: tuple[BetLimits, ...]


class DisplayedReturn(Struct, frozen=True):
    """A return that the table's rules publish."""

    bet: str
    percent: str
    of: str


class ExactReturn(Struct, frozen=True):
    """The best return of a table, computed exactly: in percent, and of what."""

    percent: str
    of: str


class ExclusiveBets(Struct, frozen=True):
    """Bets that may not all be in one player's bet."""

    bets: tuple[str, ...]
    named: str
    """As the refusal calls them: `Player and Banker`."""


class CoverageLimit(Struct, frozen=True):
    """How many of the outcomes a player's bets may win on together."""

    percent: int
    most: int
    outcomes: int
    of: dict[str, tuple[int, ...]]
    """The outcomes on which a bet wins, by its name; each outcome is a number below `outcomes`."""


class LobbyTable(Struct, frozen=True):
    """A table as the lobby shows it, with all that a client needs before the first round."""

    table: str
    title: str
    game: str
    line: str
    """One line that says what is special here."""
    live: bool
    boxes: int
    """Boxes of one player at an own table; seats at a live one, 0 where all share one deal."""
    start_word: str
    """What starts a round at an own table: `Deal`, `Spin`, `Roll`."""
    cloth: tuple[str, ...]
    """What is printed on the cloth: `Blackjack pays 3 to 2`, `Dealer stands on all 17s`."""
    multi_play: bool
    """Whether it may be played beside other tables."""
    limits: tuple[CurrencyLimits, ...]
    restrictions: tuple[str, ...]
    """Which bets aren't taken together, in sentences; then as data, to refuse a chip before it is sent."""
    never_together: tuple[ExclusiveBets, ...]
    covering: CoverageLimit | None
    """None: all outcomes may be covered."""
    called: dict[str, str]
    """What a bet or an outcome is called here, where it isn't as in the game, by its name."""
    published: tuple[DisplayedReturn, ...]
    exact_return: ExactReturn | None
    """None: nothing was computed for this table."""


class RecentTables(Struct, frozen=True):
    """The tables where the player played last, newest first."""

    tables: tuple[str, ...]


class LastRound(Struct, frozen=True):
    """The result of a live table's round, in its game's word."""

    number: str
    result: str
    """Blackjack's are the dealer's total, `blackjack` or `bust`; a roulette's the pocket."""


class PastResult(Struct, frozen=True):
    """The result of a past round."""

    result: str
    number: str
    shoe: str
    """The same for all rounds dealt from one shoe; empty where no round shares one with another."""
    round: str


class LiveTableStatus(Struct, frozen=True):
    """A live table as it is now, for the lobby."""

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
    """A table's rules page, made from its rules record."""

    table: str
    title: str
    html: str


class HistoryLine(Struct, frozen=True):
    """A round of the player's."""

    round: str
    number: str
    table: str
    title: str
    currency: str
    started_ms: int
    ended_ms: int
    staked_minor: int
    returned_minor: int
    status: Literal["open", "settled", "void", "taken_back"]
    """`taken_back`: the player took back all that they had bet before the bets were closed."""
    receipt: str
    """SEQ:HASH of the journal's entry that ended the round; the hash covers all entries before it. For
    `croupier verify --receipt`. Empty while the round is open."""


class History(Struct, frozen=True):
    """A page of the player's rounds, with totals over all pages."""

    lines: tuple[HistoryLine, ...]
    more: bool
    staked_minor: dict[str, int]
    """By currency, over all such rounds that have ended and not this page alone."""
    returned_minor: dict[str, int]


class HistoryStep(Struct, frozen=True):
    """One step of a round, and the view after it."""

    did: RoundEvent
    view: RoundView
    advised: bool
    """Whether the player had asked for advice on this decision."""


class HistoryRound(Struct, frozen=True):
    """A round, step by step."""

    line: HistoryLine
    stakes: tuple[Stake, ...]
    steps: tuple[HistoryStep, ...]
    versions: dict[str, str]


class StatementEntry(Struct, frozen=True):
    """A movement of the player's money."""

    seq: int
    at_ms: int
    what: Literal["grant", "expiry", "deposit", "withdrawal", "stake", "taken_back", "return", "void"]
    currency: str
    amount_minor: int
    """Signed: positive raises the balance."""
    balance_minor: int
    round: str


class CashierRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """A deposit or a withdrawal of play money."""

    req: RequestId
    currency: Identifier
    amount_minor: AmountMinor


class PlayerLimit(Struct, frozen=True):
    """A limit that a player has set, or may set, on amounts or on the minutes of a session."""

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


class ActiveBreak(Struct, frozen=True):
    """A break or an exclusion: until then the player may not play, chat or deposit."""

    why: Why
    until_ms: int
    """The largest number that a browser counts exactly, 2**53 - 1: for good."""


class PeriodTotals(Struct, frozen=True):
    """What a player staked, won and deposited in the running day, week or month."""

    period: Period
    since_ms: int
    currency: str
    staked_minor: int
    returned_minor: int
    deposited_minor: int


class ResponsibleGaming(Struct, frozen=True):
    """The player's own limits and breaks, what they may set, and their totals."""

    limits: tuple[PlayerLimit, ...]
    barred: ActiveBreak | None
    spans: tuple[PeriodTotals, ...]
    cooling_off_hours: int
    time_out_days: tuple[int, ...]
    exclusion_days: tuple[int, ...]
    """0: for good."""


class LimitRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """A limit to set."""

    what: What
    period: Period
    currency: Annotated[str, Meta(max_length=3)]
    most: AmountMinor | None


class BreakRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """A break or an exclusion to begin. It can't be taken back."""

    why: Literal["time_out", "exclusion"]
    days: Annotated[int, Meta(ge=0, le=3_660)]


class Me(Struct, frozen=True):
    """The player, or the member of staff, whose session it is."""

    player: str
    name: str


class Problem(Struct, frozen=True):
    """An error of the HTTP API."""

    code: str
    args: dict[str, str | int]
