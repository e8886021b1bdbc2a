"""Configuration of a server: its live tables, its rules for players, and what its jurisdiction allows."""

from croupier.config.blocks import (
    ConnectionConfig,
    HelplineConfig,
    InactivityConfig,
    Network,
    RateLimitConfig,
    ResponsibleGamingConfig,
    UnfinishedRounds,
)
from croupier.config.live_table import DEFAULT_LIVE_TABLE, LiveTableConfig
from croupier.config.profiles import ProfileConfig, profiles
from croupier.config.server import DEFAULT_CONFIG, ServerConfig, read_config

__all__ = [
    "DEFAULT_CONFIG",
    "DEFAULT_LIVE_TABLE",
    "ConnectionConfig",
    "HelplineConfig",
    "InactivityConfig",
    "LiveTableConfig",
    "Network",
    "ProfileConfig",
    "RateLimitConfig",
    "ResponsibleGamingConfig",
    "ServerConfig",
    "UnfinishedRounds",
    "profiles",
    "read_config",
]
