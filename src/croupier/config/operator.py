"""The block `operator` of the configuration file."""

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, NamedTuple

from msgspec import Meta, Struct

from croupier.config.secrets import read_secret
from croupier.play.tables.toml_blocks import check_known, convert, fields
from croupier.protocol.signatures import Secret


class OperatorConfig(Struct, frozen=True, forbid_unknown_fields=True):
    """The block `operator`: the operator's server, which sends its own players."""

    secret_file: str = ""
    """File with the secret shared with the operator's server, relative to the configuration file."""
    secret_env: str = ""
    """Environment variable with the secret, instead of a file."""
    jurisdictions: tuple[str, ...] = ()
    """Jurisdictions whose players this server may take; empty: any."""
    launch_seconds: Annotated[int, Meta(ge=10, le=600)] = 60
    """Seconds within which a launched player's browser has to arrive."""


class ConfiguredOperator(NamedTuple):
    """The operator's configuration with the secret that both servers share.

    `secret` is None if the server takes no launched players.
    """

    config: OperatorConfig = OperatorConfig()
    secret: Secret | None = None


NO_OPERATOR = ConfiguredOperator()


def read_operator(block: Mapping[str, Any], beside: Path) -> ConfiguredOperator:
    """Read the block and the secret that it names; `beside` is the configuration file's folder."""
    check_known(block, fields(OperatorConfig))
    config = convert(block, OperatorConfig)
    return ConfiguredOperator(
        config, read_secret(config.secret_file, config.secret_env, beside, "secret_file")
    )
