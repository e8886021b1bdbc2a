"""Reading of the server configuration file.

The file is TOML: one block for each live table, and six for the whole server: `house`, `care`,
`currencies`, `connections`, `rate_limits` and `profile`. Everything has a default, and the file may be
empty. An invalid file is refused with the line, the field and the allowed values.
"""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, NamedTuple, TypeVar

from msgspec import Struct

from croupier.config.blocks import (
    ConnectionConfig,
    InactivityConfig,
    RateLimitConfig,
    ResponsibleGamingConfig,
)
from croupier.config.live_table import DEFAULT_LIVE_TABLE, RENAMED_FIELDS, LiveTableConfig
from croupier.config.profiles import read_profile
from croupier.play.contract.amounts import CURRENCIES, PLAY_MONEY, Currency
from croupier.play.contract.game import Table
from croupier.play.tables.toml_blocks import InvalidField, check_known, convert, fields, read_blocks
from croupier.protocol import wire
from croupier.tables.live import Setup
from croupier.tables.live.setup import TableProfile

T = TypeVar("T", bound=Struct)


class ServerConfig(NamedTuple):
    """Settings of a server. `live_tables` holds only the tables that the file configures."""

    profile: wire.JurisdictionProfile
    live_tables: Mapping[str, LiveTableConfig]
    inactivity: InactivityConfig = InactivityConfig()
    responsible_gaming: ResponsibleGamingConfig = ResponsibleGamingConfig()
    rate_limits: RateLimitConfig = RateLimitConfig()
    connections: ConnectionConfig = ConnectionConfig()
    currencies: Mapping[str, int] = PLAY_MONEY
    """The server's currencies, with the play money that a new guest receives in each."""

    def live_table(self, table: str) -> LiveTableConfig:
        return self.live_tables.get(table, DEFAULT_LIVE_TABLE)

    def setup(self, table: Table) -> Setup:
        """Return the setup of a live table's state machine."""
        allowed, config = self.profile, self.live_table(table.id)
        profile = TableProfile(allowed.statistics, allowed.tables_max, allowed.round_min_ms)
        return Setup(table, config.timings, profile, config.seats_each)


def read_config(text: str, tables: Mapping[str, Table], file: str) -> ServerConfig:
    """Parse the configuration of a server with these tables; raise InvalidFile if anything is invalid."""
    live = {name: table for name, table in tables.items() if table.dealing == "live"}
    blocks = read_blocks(text, file, partial(_read_block, live))
    return ServerConfig(
        profile=blocks.pop("profile", DEFAULT_CONFIG.profile),
        inactivity=blocks.pop("house", DEFAULT_CONFIG.inactivity),
        responsible_gaming=blocks.pop("care", DEFAULT_CONFIG.responsible_gaming),
        rate_limits=blocks.pop("rate_limits", DEFAULT_CONFIG.rate_limits),
        connections=blocks.pop("connections", DEFAULT_CONFIG.connections),
        currencies=blocks.pop("currencies", DEFAULT_CONFIG.currencies),
        live_tables=blocks,
    )


def _read_block(live: Mapping[str, Table], name: str, block: Any) -> Any:
    if not isinstance(block, dict):
        known = ", ".join(f"[{each}]" for each in SERVER_BLOCKS)
        raise InvalidField("", f"write {known}, or a live table's name such as [infinite], above its fields")
    if name in SERVER_BLOCKS:
        return SERVER_BLOCKS[name](block)
    if name not in live:
        raise InvalidField("", f"no live table of that name; there are: {', '.join(live)}")
    return _read_live_table(live[name], block)


def _convert(block: Mapping[str, Any], kind: type[T]) -> T:
    check_known(block, fields(kind))
    return convert(block, kind)


def _read_connections(block: Mapping[str, Any]) -> ConnectionConfig:
    settings = _convert(block, ConnectionConfig)
    try:
        settings.networks()
    except ValueError as error:
        raise InvalidField("exempt", f"{error}; write addresses or networks such as 10.0.0.0/8") from None
    return settings


def _read_currencies(block: Mapping[str, Any]) -> Mapping[str, int]:
    check_known(block, CURRENCIES)
    if not block:
        raise InvalidField("", f"name at least one currency; there are: {', '.join(CURRENCIES)}")
    return {code: _read_amount(CURRENCIES[code], text) for code, text in block.items()}


def _read_amount(currency: Currency, text: Any) -> int:
    try:
        return currency.minor(text if isinstance(text, str) else "")
    except ValueError:
        allowed = f'a text such as "{currency.text(1_000_00).replace(",", "")}"'
        raise InvalidField(currency.code, f"no amount; allowed is: {allowed}") from None


def _read_live_table(table: Table, block: Mapping[str, Any]) -> LiveTableConfig:
    for key, new in RENAMED_FIELDS.items():
        if key in block:
            raise InvalidField(key, f"it is now called {new}")
    config = _convert(block, LiveTableConfig)
    if config.warning_ms > config.betting_ms:
        raise InvalidField("warning_ms", f"it is the end of betting_ms, so {config.betting_ms} at most")
    seats_max = max(1, Setup(table).seats)
    if config.seats_each > seats_max:
        raise InvalidField("seats_each", f"allowed is: a whole number from 1 to {seats_max} at this table")
    return config


SERVER_BLOCKS: Mapping[str, Callable[[Mapping[str, Any]], Any]] = {
    "house": lambda block: _convert(block, InactivityConfig),
    "care": lambda block: _convert(block, ResponsibleGamingConfig),
    "currencies": _read_currencies,
    "connections": _read_connections,
    "rate_limits": lambda block: _convert(block, RateLimitConfig),
    "profile": read_profile,
}
DEFAULT_CONFIG = ServerConfig(read_profile({}), {})
"""The configuration of a server without a configuration file."""
