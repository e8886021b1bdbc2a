"""Verification of ID tokens (OpenID Connect Core 1.0, 3.1.3.7)."""

from collections.abc import Iterable
from contextlib import suppress
from typing import Annotated, Any, NamedTuple

import msgspec
from authlib.oidc.core import CodeIDToken
from joserfc import jwt
from joserfc.errors import ClaimError, InvalidKeyIdError, JoseError
from joserfc.jwk import Key, KeySet, import_key
from joserfc.jws import JWSRegistry
from msgspec import Meta, Struct

from croupier.accounts.identity import Identity, oidc_identity
from croupier.config.oidc import OidcConfig
from croupier.players.oidc.errors import UnknownKey, WrongToken

ALGORITHMS = ("RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "Ed25519")
"""Signatures by a private key: with a shared key, whoever can check a token could also make one."""
LEEWAY_S = 120
INVALID = (
    JoseError,
    msgspec.ValidationError,
    ValueError,
    TypeError,
    KeyError,
    AttributeError,
    RecursionError,
)
"""Errors of the verification and of the parsers below it for malformed tokens and keys."""


class JsonWebKeys(Struct, frozen=True):
    """The identity server's public keys."""

    keys: Annotated[tuple[dict[str, Any], ...], Meta(max_length=100)]


class TokenCheck(NamedTuple):
    """The values that an ID token needs. `max_age_s`: age of the oldest sign-in that is accepted; 0: any."""

    algorithms: tuple[str, ...]
    nonce: str
    access_token: str
    max_age_s: int
    now_s: int


class OidcPlayer(NamedTuple):
    """The player of an ID token. Claims that it lacks are empty."""

    identity: Identity
    jurisdiction: str
    currency: str
    language: str


class _PlayerClaims(Struct, frozen=True):
    sub: Annotated[str, Meta(pattern=r"^[!-~][ -~]{0,254}(?!\n)$")]
    jurisdiction: Annotated[str, Meta(max_length=40)] = ""
    currency: Annotated[str, Meta(max_length=8)] = ""
    language: Annotated[str, Meta(max_length=35)] = ""


def key_set(keys: JsonWebKeys) -> KeySet:
    """Return the usable keys; others are ignored, as RFC 7517, 5, says."""
    return KeySet(list(_usable(keys.keys)))


def _usable(keys: Iterable[dict[str, Any]]) -> Iterable[Key]:
    for key in keys:
        with suppress(*INVALID):
            yield import_key(key)


def verified_player(token: str, keys: KeySet, check: TokenCheck, config: OidcConfig) -> OidcPlayer:
    """Return the player of a token; raise UnknownKey or WrongToken."""
    try:
        claims = _verified_claims(token, keys, check, config)
        return _player(claims, config)
    except InvalidKeyIdError:
        raise UnknownKey from None
    except INVALID as error:
        named = error.claim if isinstance(error, ClaimError) else ""
        raise WrongToken(f"{type(error).__name__} {named}".rstrip()) from None


def _verified_claims(token: str, keys: KeySet, check: TokenCheck, config: OidcConfig) -> dict[str, Any]:
    allowed = [name for name in ALGORITHMS if name in check.algorithms]
    if not allowed:  # an empty list would allow the library's own choice
        raise WrongToken("the identity server offers no algorithm that is accepted here")
    decoded = jwt.decode(token, keys, registry=JWSRegistry(algorithms=allowed, strict_check_header=False))
    options = {
        "iss": {"essential": True, "value": config.issuer},
        "aud": {"essential": True, "value": config.client_id},
    }
    params = {
        "nonce": check.nonce,
        "client_id": config.client_id,
        "access_token": check.access_token,
        "max_age": check.max_age_s,
    }
    claims = CodeIDToken(decoded.claims, decoded.header, options, params)
    claims.validate(now=check.now_s, leeway=LEEWAY_S)
    if check.max_age_s and claims["auth_time"] < check.now_s - check.max_age_s - LEEWAY_S:
        raise WrongToken("the sign-in at the identity server is too old")
    return decoded.claims


def _player(claims: dict[str, Any], config: OidcConfig) -> OidcPlayer:
    named = {
        "jurisdiction": config.jurisdiction_claim,
        "currency": config.currency_claim,
        "language": config.language_claim,
    }
    given = {field: claims[claim] for field, claim in named.items() if claims.get(claim) is not None}
    player = msgspec.convert({"sub": claims["sub"], **given}, _PlayerClaims)
    identity = oidc_identity(config.issuer, player.sub)
    return OidcPlayer(identity, player.jurisdiction, player.currency, player.language)
