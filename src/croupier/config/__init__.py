"""Configuration of a server: its live tables, its rules for players, and what its jurisdiction allows."""

from croupier.config.blocks import (
    AccountsConfig,
    ConnectionConfig,
    HelplineConfig,
    InactivityConfig,
    Network,
    RateLimitConfig,
    ResponsibleGamingConfig,
    StaffConfig,
    UnfinishedRounds,
)
from croupier.config.currencies import CurrencyConfig, read_currencies
from croupier.config.live_table import DEFAULT_LIVE_TABLE, LiveTableConfig
from croupier.config.profiles import ProfileConfig, profiles
from croupier.config.server import DEFAULT_CONFIG, ServerConfig, read_config

__all__ = [
    "DEFAULT_CONFIG",
    "DEFAULT_LIVE_TABLE",
    "AccountsConfig",
    "ConnectionConfig",
    "CurrencyConfig",
    "HelplineConfig",
    "InactivityConfig",
    "LiveTableConfig",
    "Network",
    "ProfileConfig",
    "RateLimitConfig",
    "ResponsibleGamingConfig",
    "ServerConfig",
    "StaffConfig",
    "UnfinishedRounds",
    "profiles",
    "read_config",
    "read_currencies",
]
