"""How the operator runs a server: who deals, the waits, the chat, currencies, what the jurisdiction allows.

The floor file is TOML: a block for each live table, and six for the whole server, `house`, `care`,
`currencies`, `connections`, `rate_limits` and `profile`. Everything has a default, and the file may be
empty. A wrong file is refused with the line, the field and what is allowed.
"""

from collections.abc import Callable, Mapping
from functools import cache, partial
from importlib.resources import files
from ipaddress import IPv4Network, IPv6Network, ip_network
from typing import Annotated, Any, Literal, NamedTuple, TypeVar

from msgspec import Meta, Struct, to_builtins

from croupier.play.contract.amounts import CURRENCIES, PLAY_MONEY, Currency
from croupier.play.contract.game import Table
from croupier.play.contract.wants import RollDice, SpinWheel, Want
from croupier.play.tables.toml_blocks import WrongField, check_known, converted, fields, read_blocks
from croupier.protocol import wire
from croupier.tables.live import Setup
from croupier.tables.live.setup import DealtBy, JurisdictionProfile, Timings

T = TypeVar("T", bound=Struct)
Network = IPv4Network | IPv6Network
Milliseconds = Annotated[int, Meta(ge=0, le=600_000)]
TimeLimitMs = Annotated[int, Meta(ge=1, le=600_000)]
UnfinishedRounds = Literal["play", "refund"]
_WAITS = Timings()


class LiveTableConfig(Struct, frozen=True, forbid_unknown_fields=True):
    """The block of a live table: how it is run. Times in milliseconds."""

    dealer: DealtBy = "automatic"
    opened: bool = True
    """Whether it opens with the house; else the shift manager opens it."""
    chat: bool = True
    seats_each: Annotated[int, Meta(ge=1, le=20)] = 1
    """Seats that one player may take."""
    pace_ms: Milliseconds = 700
    """Between two cards of the automatic dealer."""
    spin_ms: Milliseconds = 3_000
    """From the close of the bets until his ball drops."""
    roll_ms: Milliseconds = 1_500
    """From the close of the bets until his dice fall."""
    betting_ms: TimeLimitMs = _WAITS.betting_ms
    warning_ms: TimeLimitMs = _WAITS.warning_ms
    insurance_ms: TimeLimitMs = _WAITS.insurance_ms
    decision_ms: TimeLimitMs = _WAITS.decision_ms
    check_ms: Milliseconds = _WAITS.check_ms
    """How long the last card may still be corrected: for a person who deals."""
    pause_ms: Milliseconds = _WAITS.pause_ms
    ball_ms: Milliseconds = _WAITS.ball_ms
    """How long the ball or the dice are seen coming to rest before the stakes are settled."""

    def pace_of(self, want: Want) -> int:
        """How long the automatic dealer takes to answer."""
        return {SpinWheel: self.spin_ms, RollDice: self.roll_ms}.get(type(want), self.pace_ms)

    @property
    def waits(self) -> Timings:
        return Timings(*(getattr(self, name) for name in Timings._fields))


DEFAULT_LIVE_TABLE = LiveTableConfig()


class InactivityConfig(Struct, frozen=True, forbid_unknown_fields=True):
    """The block `house`: what becomes of who does nothing, and of a round that nobody finishes."""

    idle_minutes: Annotated[int, Meta(ge=0, le=1_440)] = 30
    """So long without a command, and a session ends; 0: never."""
    resume_hours: Annotated[int, Meta(ge=0, le=8_760)] = 24
    """So long from its deal a round at an own table waits for its player; 0: without end."""
    unfinished: UnfinishedRounds = "play"
    """What is then done with it: played to its end by the table's auto-decisions, or void."""
    unused_guest_days: Annotated[int, Meta(ge=0, le=3_660)] = 7
    """So long after they were last seen, guests who never played are deleted; 0: never."""


Days = Annotated[int, Meta(ge=1, le=3_660)]


_ADDRESS = 'an address such as "https://example.org"'
_HELPLINES = 'a list such as [{ name = "GamCare", url = "https://www.gamcare.org.uk" }]'


class HelplineConfig(Struct, frozen=True, forbid_unknown_fields=True):
    """Where players and their families find help."""

    name: Annotated[str, Meta(min_length=1)]
    url: Annotated[str, Meta(pattern=r"^https?://.+")]
    where: str = ""
    phone: str = ""


DEFAULT_HELPLINES = (
    HelplineConfig("Gambling Therapy", "https://www.gamblingtherapy.org", "worldwide, in many languages"),
    HelplineConfig("Gamblers Anonymous", "https://gamblersanonymous.org", "worldwide"),
    HelplineConfig("GamCare", "https://www.gamcare.org.uk", "Great Britain", "0808 8020 133"),
    HelplineConfig("National Council on Problem Gambling", "https://www.ncpgambling.org", "United States"),
)


class ResponsibleGamingConfig(Struct, frozen=True, forbid_unknown_fields=True):
    """The block `care`: what players may set themselves."""

    cooling_off_hours: Annotated[int, Meta(ge=1, le=8_760)] = 24
    """Before a limit becomes looser or ends."""
    time_out_days: Annotated[tuple[Days, ...], Meta(min_length=1)] = (1, 7, 30)
    exclusion_days: Annotated[tuple[Days, ...], Meta(min_length=1)] = (180, 365, 1_825)
    """Besides: for good."""
    policy: Annotated[str, Meta(pattern=r"^(https?://.+)?$", description=_ADDRESS)] = ""
    """The operator's own page on responsible gaming, which the client links; empty: the client's own."""
    helplines: Annotated[tuple[HelplineConfig, ...], Meta(description=_HELPLINES)] = DEFAULT_HELPLINES
    """Of these the page has nothing else: write all that it is to show."""


class ConnectionConfig(Struct, frozen=True, forbid_unknown_fields=True):
    """The block `connections` of the floor file."""

    per_address: Annotated[int, Meta(ge=0, le=1_000_000)] | None = None
    """Simultaneous connections from one address; 0: no limit."""
    exempt: tuple[str, ...] = ("127.0.0.0/8", "::1/128")
    """Networks whose connections aren't counted by address: reverse proxies."""

    def networks(self) -> tuple[Network, ...]:
        """Return the exempt networks; ValueError when one isn't a network."""
        return tuple(ip_network(each) for each in self.exempt)


RequestCount = Annotated[int, Meta(ge=0, le=1_000_000)]


class RateLimitConfig(Struct, frozen=True, forbid_unknown_fields=True):
    """The block `rate_limits`: HTTP requests that are answered before they are refused; 0: all of them."""

    guests_per_hour: RequestCount = 60
    """New guests from one address."""
    sign_ins_per_minute: RequestCount = 20
    """Of staff, from one address."""
    cashier_per_minute: RequestCount = 30
    """Deposits and withdrawals of one player."""
    history_per_minute: RequestCount = 240
    """What one player reads or sets of their own: rounds, statement, results, limits."""
    players_per_address: Annotated[int, Meta(ge=1, le=10_000)] = 20
    """One address may do as much as so many players."""


class ProfileConfig(Struct, frozen=True, forbid_unknown_fields=True):
    """The block `profile`, complete: what the jurisdiction allows."""

    statistics: bool
    results: bool
    tables_max: Annotated[int, Meta(ge=1, le=4)]
    round_min_ms: Milliseconds
    reminder_minutes: Annotated[tuple[Literal[0, 30, 60, 90], ...], Meta(min_length=1)]
    advice: Literal["none", "play_money", "own_tables"]


class NamedProfile(ProfileConfig, frozen=True, forbid_unknown_fields=True):
    """A profile that a floor file may start from, and `why` somebody has to."""

    why: str


@cache
def profiles() -> Mapping[str, NamedProfile]:
    """By name; the first forbids nothing."""
    text = (files(__package__) / "profiles.toml").read_text(encoding="utf-8")
    return read_blocks(text, "profiles.toml", lambda _name, block: converted(block, NamedProfile))


class ServerConfig(NamedTuple):
    """`running` has the tables that the file names; the others are run as usual."""

    profile: wire.JurisdictionProfile
    running: Mapping[str, LiveTableConfig]
    absent: InactivityConfig = InactivityConfig()
    care: ResponsibleGamingConfig = ResponsibleGamingConfig()
    rate_limits: RateLimitConfig = RateLimitConfig()
    connections: ConnectionConfig = ConnectionConfig()
    currencies: Mapping[str, int] = PLAY_MONEY
    """Those that the server has, and the play money in each that a new guest starts with."""

    def of(self, table: str) -> LiveTableConfig:
        return self.running.get(table, DEFAULT_LIVE_TABLE)

    def setup(self, table: Table) -> Setup:
        """What the table's machine is set up with."""
        allowed = self.profile
        profile = JurisdictionProfile(allowed.statistics, allowed.tables_max, allowed.round_min_ms)
        running = self.of(table.id)
        return Setup(table, running.waits, profile, running.seats_each)


def read_config(text: str, tables: Mapping[str, Table], file: str) -> ServerConfig:
    """The floor of a house with these tables; WrongFile when anything in the file is wrong."""
    live = {name: table for name, table in tables.items() if table.dealing == "live"}
    blocks = read_blocks(text, file, partial(_block, live))
    profile, absent = (
        blocks.pop("profile", DEFAULT_CONFIG.profile),
        blocks.pop("house", DEFAULT_CONFIG.absent),
    )
    care, rate_limits = (
        blocks.pop("care", DEFAULT_CONFIG.care),
        blocks.pop("rate_limits", DEFAULT_CONFIG.rate_limits),
    )
    connections = blocks.pop("connections", DEFAULT_CONFIG.connections)
    currencies = blocks.pop("currencies", DEFAULT_CONFIG.currencies)
    return ServerConfig(profile, blocks, absent, care, rate_limits, connections, currencies)


def _block(live: Mapping[str, Table], name: str, block: Any) -> Any:
    if not isinstance(block, dict):
        known = ", ".join(f"[{each}]" for each in SERVER_BLOCKS)
        raise WrongField("", f"write {known}, or a live table's name such as [infinite], above its fields")
    if name in SERVER_BLOCKS:
        return SERVER_BLOCKS[name](block)
    if name not in live:
        raise WrongField("", f"no live table of that name; there are: {', '.join(live)}")
    return _running(live[name], block)


def _profile(block: Mapping[str, Any]) -> wire.JurisdictionProfile:
    check_known(block, ("like", *fields(ProfileConfig)))
    like = str(block.get("like", next(iter(profiles()))))
    if like not in profiles():
        raise WrongField("like", f"no such profile; there are: {', '.join(profiles())}")
    values = {**to_builtins(profiles()[like]), **block}
    allowed = converted({name: values[name] for name in fields(ProfileConfig)}, ProfileConfig)
    return converted(to_builtins(allowed), wire.JurisdictionProfile)


def _whole(block: Mapping[str, Any], kind: type[T]) -> T:
    check_known(block, fields(kind))
    return converted(block, kind)


def _connections(block: Mapping[str, Any]) -> ConnectionConfig:
    settings = _whole(block, ConnectionConfig)
    try:
        settings.networks()
    except ValueError as error:
        raise WrongField("exempt", f"{error}; write addresses or networks such as 10.0.0.0/8") from None
    return settings


def _currencies(block: Mapping[str, Any]) -> Mapping[str, int]:
    check_known(block, CURRENCIES)
    if not block:
        raise WrongField("", f"name at least one currency; there are: {', '.join(CURRENCIES)}")
    return {code: _amount(CURRENCIES[code], text) for code, text in block.items()}


def _amount(currency: Currency, text: Any) -> int:
    try:
        return currency.minor(text if isinstance(text, str) else "")
    except ValueError:
        allowed = f'a text such as "{currency.text(1_000_00).replace(",", "")}"'
        raise WrongField(currency.code, f"no amount; allowed is: {allowed}") from None


def _running(table: Table, block: Mapping[str, Any]) -> LiveTableConfig:
    running = _whole(block, LiveTableConfig)
    if running.warning_ms > running.betting_ms:
        raise WrongField("warning_ms", f"it is the end of betting_ms, so {running.betting_ms} at most")
    most = max(1, Setup(table).seats)
    if running.seats_each > most:
        raise WrongField("seats_each", f"allowed is: a whole number from 1 to {most} at this table")
    return running


SERVER_BLOCKS: Mapping[str, Callable[[Mapping[str, Any]], Any]] = {
    "house": lambda block: _whole(block, InactivityConfig),
    "care": lambda block: _whole(block, ResponsibleGamingConfig),
    "currencies": _currencies,
    "connections": _connections,
    "rate_limits": lambda block: _whole(block, RateLimitConfig),
    "profile": _profile,
}
DEFAULT_CONFIG = ServerConfig(_profile({}), {})
"""The floor of a house without a floor file."""
