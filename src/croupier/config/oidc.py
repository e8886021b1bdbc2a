"""The block `oidc` of the configuration file: an operator's identity server (OpenID Connect)."""

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, NamedTuple

from msgspec import Meta, Struct

from croupier.config.blocks import LOOPBACK
from croupier.config.secrets import read_secret
from croupier.play.tables.toml_blocks import InvalidField, check_known, convert, fields
from croupier.protocol.signatures import Secret

OPENID = "openid"
_ISSUER = 'an address with https, such as "https://id.example.org"'
Text = Annotated[str, Meta(min_length=1, max_length=200)]
ClaimName = Annotated[str, Meta(max_length=100)]
Scope = Annotated[str, Meta(pattern=r"^[!#-\[\]-~]+(?!\n)$")]


class OidcConfig(Struct, frozen=True, forbid_unknown_fields=True):
    """The fields of the block. A claim without a name isn't read."""

    issuer: Annotated[str, Meta(pattern=rf"^(https://[^\s?#]+|{LOOPBACK})(?!\n)$", description=_ISSUER)]
    """The identity server's issuer, exactly as in its discovery document."""
    client_id: Text
    client_secret_file: str = ""
    """File with the client's secret, relative to the configuration file."""
    client_secret_env: str = ""
    """Environment variable with the client's secret, instead of a file."""
    label: Annotated[str, Meta(min_length=1, max_length=40)] = "Single sign-on"
    """Name of the identity server, on the button that leads there."""
    scopes: tuple[Scope, ...] = (OPENID,)
    timeout_s: Annotated[int, Meta(ge=1, le=15)] = 10
    """Seconds for all answers of the identity server to one request of a player's."""
    jurisdictions: tuple[str, ...] = ()
    """Jurisdictions whose players this server may take; empty: any."""
    jurisdiction_claim: ClaimName = "jurisdiction"
    currency_claim: ClaimName = "currency"
    language_claim: ClaimName = "locale"


class ConfiguredOidc(NamedTuple):
    """An identity server, and the secret of this server as its client."""

    config: OidcConfig
    secret: Secret


def read_oidc(block: Mapping[str, Any], beside: Path) -> ConfiguredOidc:
    """Read the block and the secret that it names; `beside` is the configuration file's folder."""
    check_known(block, fields(OidcConfig))
    config = convert(block, OidcConfig)
    if OPENID not in config.scopes:
        raise InvalidField("scopes", f'"{OPENID}" is needed')
    if config.jurisdictions and not config.jurisdiction_claim:
        raise InvalidField("jurisdiction_claim", "jurisdictions needs the claim that names a player's")
    secret = read_secret(config.client_secret_file, config.client_secret_env, beside, "client_secret_file")
    try:
        secret.revealed()
    except UnicodeDecodeError:
        raise InvalidField("client_secret_file", "the secret has characters that aren't ASCII") from None
    return ConfiguredOidc(config, secret)
