"""Requests and responses of the HTTP API."""

from typing import Annotated, Literal

from msgspec import Meta, Struct

from croupier.accounts.responsible_gaming import LimitKind, Period
from croupier.build import FilesState
from croupier.protocol.wire.accounts import ActiveBreak
from croupier.protocol.wire.base import AmountMinor, Identifier, RequestId
from croupier.tables.live.phases import Light, Phase


class ServerInfo(Struct, frozen=True):
    """Address of the WebSocket, versions and currencies."""

    server: str
    server_date: str
    build: "BuildView"
    rng: str
    rng_date: str
    protocol: int
    socket: str
    """Address of the WebSocket; empty: the same host at `socket_port`."""
    socket_port: int
    currencies: tuple["CurrencyView", ...]
    former_currencies: tuple["CurrencyView", ...]
    """Currencies that the server no longer has, for older rounds and movements."""
    documents: bool
    """True if the operator has published documents, such as terms and conditions."""
    mail: bool
    """True if the server sends mail, by which accounts can be recovered."""
    identity_server: str
    """Name of the identity server that signs players in; empty: there is none."""


class BuildView(Struct, frozen=True):
    """The build of the server. Texts that aren't known are empty."""

    id: str
    """The version and the commit, such as `0.1.0+4ba3d5d5d0`. Each round names it."""
    commit: str
    committed: str
    """Date of the commit, in the form of ISO 8601."""
    lock: str
    """SHA-256 of the lock file, which names the libraries."""
    state: FilesState
    """`clean`: the files are those of the commit."""


class PlayerHelp(Struct, frozen=True):
    """Help with gambling for players of a jurisdiction."""

    minimum_age: int
    """Age from which players may play."""
    policy: str
    """Address of the operator's own page on responsible gaming; empty: the client shows its own."""
    helplines: tuple["Helpline", ...]


class Helpline(Struct, frozen=True):
    """A helpline for players and their families."""

    name: str
    url: str
    where: str
    """Area that it serves: a country, or worldwide."""
    phone: str
    """Empty if there is none, or one per place."""
    hours: str
    """Opening hours; empty: not known."""
    languages: str
    """Languages that it speaks; empty: not known."""


class CurrencyView(Struct, frozen=True):
    """A currency."""

    code: str
    name: str
    decimals: int
    symbol: str
    """Symbol to show with amounts; the code if it has none."""
    play_money: bool


class BetLimits(Struct, frozen=True):
    """A bet and its limits in one currency."""

    bet: str
    title: str
    kind: str
    """Kind of the bet, which may have its own limits; empty: none."""
    main: bool
    min_minor: int
    max_minor: int
    pays: tuple[str, ...]
    """Paytable lines, such as `Suited pair 25:1`."""


class CurrencyLimits(Struct, frozen=True):
    """Limits of a table in one currency."""

    currency: str
    min_minor: int
    """Smallest stake of any main bet; `max_minor` is the largest."""
    max_minor: int
    chips_minor: tuple[int, ...]
    table_max_minor: int | None
    """Maximum total stake of a player in a round; null: limited only by each bet."""
    bets: tuple[BetLimits, ...]


class DisplayedReturn(Struct, frozen=True):
    """A return published in the table's rules."""

    bet: str
    percent: str
    of: str


class ExactReturn(Struct, frozen=True):
    """Best exact return of a table, in percent, with its basis."""

    percent: str
    of: str


class ExclusiveBets(Struct, frozen=True):
    """Bets that a player may not place together."""

    bets: tuple[str, ...]
    named: str
    """Their name in the refusal: `Player and Banker`."""


class CoverageLimit(Struct, frozen=True):
    """Maximum number of outcomes on which a player's bets may win together."""

    percent: int
    most: int
    outcomes: int
    of: dict[str, tuple[int, ...]]
    """Outcomes on which each bet wins, as numbers below `outcomes`."""


class LobbyTable(Struct, frozen=True):
    """A table in the lobby, with everything that a client needs before the first round."""

    table: str
    title: str
    game: str
    line: str
    """One-line description of the table."""
    live: bool
    boxes: int
    """Number of boxes at an own table; number of seats at a live one, 0 for a shared deal."""
    start_word: str
    """Label of the button that starts a round at an own table: `Deal`, `Spin`, `Roll`."""
    cloth: tuple[str, ...]
    """Text printed on the layout: `Blackjack pays 3 to 2`, `Dealer stands on all 17s`."""
    cut_card_percent: int | None
    """Percent of a shoe dealt before its cut card comes out; null: there is no cut card."""
    multi_play: bool
    """True if the table may be played at the same time as others."""
    limits: tuple[CurrencyLimits, ...]
    restrictions: tuple[str, ...]
    """Restrictions on bets, in sentences. The next two fields have them as data."""
    never_together: tuple[ExclusiveBets, ...]
    covering: CoverageLimit | None
    """Limit on covered outcomes; null: none."""
    called: dict[str, str]
    """Titles of bets and outcomes that differ from the game's, by name."""
    published: tuple[DisplayedReturn, ...]
    exact_return: ExactReturn | None
    """Null if none was computed for this table."""


class RecentTables(Struct, frozen=True):
    """The player's most recent tables, newest first."""

    tables: tuple[str, ...]


class LastRound(Struct, frozen=True):
    """Result of a round at a live table, in its game's notation."""

    number: str
    result: str
    """In blackjack the dealer's total, `blackjack` or `bust`; in roulette the pocket."""


class PastResult(Struct, frozen=True):
    """Result of a past round."""

    result: str
    number: str
    shoe: str
    """Identifies the shoe; empty if no two rounds share one."""
    round: str


class LiveTableStatus(Struct, frozen=True):
    """Current status of a live table, for the lobby."""

    table: str
    phase: Phase
    light: Light
    paused: str
    players: int
    seats_free: int
    dealer: Literal["automatic", "person"]
    last: tuple[LastRound, ...]
    """Newest first, at most ten; empty if the profile forbids past results."""


class RulesPage(Struct, frozen=True):
    """Rules page of a table, generated from its rules record."""

    table: str
    title: str
    html: str


class DocumentChange(Struct, frozen=True):
    """A version of a document, and what changed in it."""

    version: str
    date: str
    changes: str


class DocumentLine(Struct, frozen=True):
    """A document of the operator, such as the terms and conditions, in the list of documents."""

    document: str
    title: str
    version: str
    date: str
    must_accept: bool
    """True if players have to accept the document before their first bet."""


class DocumentList(Struct, frozen=True):
    """The documents in order of precedence, which `precedence` states; it may be empty.

    `opening` says what playing agrees to.
    """

    opening: str
    precedence: str
    documents: tuple[DocumentLine, ...]


class DocumentPage(Struct, frozen=True):
    """A document's text, and its versions, newest first."""

    document: str
    title: str
    html: str
    versions: tuple[DocumentChange, ...]


class DueDocument(Struct, frozen=True):
    """A document that the player has to accept, or one with changes that they haven't been shown."""

    document: str
    title: str
    version: str
    accepted: str
    """Version that the player accepted before; empty: none."""
    changes: tuple[DocumentChange, ...]
    """Versions since then, newest first."""
    must_accept: bool
    """True if bets are refused until the player accepts it."""


class AcceptRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """Acceptance of a document's current version."""

    document: Identifier
    version: Annotated[str, Meta(min_length=1, max_length=20)]


class CashierRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """Request for a deposit or a withdrawal."""

    req: RequestId
    currency: Identifier
    amount_minor: AmountMinor
    forfeit_minor: Annotated[int, Meta(ge=0, le=2**53 - 1)] = 0
    """For a withdrawal: the bonus money that the player agrees to lose; it must be all of it."""


class OfferedBonus(Struct, frozen=True):
    """A bonus that the player may accept, with its terms."""

    offer: str
    """Id of the bonus with these terms; an offer with other terms has another id."""
    title: str
    currency: str
    granted_minor: int
    """Amount of the bonus; 0 if it comes with the first deposit."""
    match_percent: int
    """Amount as a percentage of the first deposit; 0: the bonus is granted at once."""
    match_max_minor: int
    multiple: int
    """Wagering requirement, as a multiple of the amount."""
    days: int
    max_bet_minor: int
    excluded: tuple[str, ...]


class BonusAcceptance(Struct, frozen=True, forbid_unknown_fields=True):
    """Request to accept an offered bonus under its terms."""

    offer: Identifier


class BonusCancellation(Struct, frozen=True, forbid_unknown_fields=True):
    """Request to cancel a bonus, which forfeits its money."""

    bonus: Identifier
    forfeit_minor: Annotated[int, Meta(ge=0, le=2**53 - 1)]
    """The bonus money that the player agrees to lose; it must be all of it, in play or not."""


class PlayerLimit(Struct, frozen=True):
    """A limit that a player has set or may set, on amounts or on the minutes of a session."""

    what: LimitKind
    period: Period
    currency: str
    """Empty for a session limit."""
    most: int | None
    used: int
    """Amount used so far; of a loss limit negative while the player is winning."""
    then: int | None
    """Value from `from_ms` on, null for no limit; `from_ms` 0: no change is scheduled."""
    from_ms: int


class PeriodTotals(Struct, frozen=True):
    """Amounts staked, returned and deposited in the current day, week or month."""

    period: Period
    since_ms: int
    currency: str
    staked_minor: int
    returned_minor: int
    deposited_minor: int


class ResponsibleGaming(Struct, frozen=True):
    """A player's limits and breaks, those that they may set, and their totals."""

    limits: tuple[PlayerLimit, ...]
    barred: ActiveBreak | None
    spans: tuple[PeriodTotals, ...]
    cooling_off_hours: int
    session_break_minutes: int
    """Minutes of a break, after which time played counts anew."""
    deposit_limit_due: bool
    """True if the player has to set, keep or decline a deposit limit before the next deposit."""
    time_zone: str
    """The time zone of the days, weeks and months, such as `Europe/London`."""
    time_out_days: tuple[int, ...]
    exclusion_days: tuple[int, ...]
    """0: permanent."""


class LimitRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """Request to set a limit."""

    what: LimitKind
    period: Period
    currency: Annotated[str, Meta(max_length=8)]
    most: AmountMinor | None


class DepositLimitAnswer(Struct, frozen=True, forbid_unknown_fields=True):
    """Answer to the question for a deposit limit."""

    answer: Literal["limit", "none"]
    """`limit`: the player has set one, or keeps it; `none`: they want none."""


class BreakRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """Request to start a break or an exclusion. It can't be revoked."""

    why: Literal["time_out", "exclusion"]
    days: Annotated[int, Meta(ge=0, le=3_660)]


class Problem(Struct, frozen=True):
    """Error response of the HTTP API."""

    code: str
    args: dict[str, str | int]
