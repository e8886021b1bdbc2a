"""Client of an identity server: its discovery document, keys and sign-in page, and ID tokens for codes."""

import asyncio
import re
from collections.abc import Callable
from typing import Annotated, TypeVar

import httpx
import msgspec
from authlib.oauth2.auth import ClientAuth
from authlib.oauth2.rfc6749.parameters import prepare_grant_uri, prepare_token_request
from authlib.oauth2.rfc7636 import create_s256_code_challenge
from joserfc.jwk import KeySet
from msgspec import Meta, Struct

from croupier import clock
from croupier.config.blocks import LOOPBACK
from croupier.config.oidc import ConfiguredOidc
from croupier.outside.bounded_body import bounded_body
from croupier.outside.no_answer import NoAnswer
from croupier.outside.systems import OutsideSystem
from croupier.players.oidc.errors import UnknownKey, WrongToken
from croupier.players.oidc.id_token import (
    JsonWebKeys,
    OidcPlayer,
    TokenCheck,
    key_set,
    verified_player,
)
from croupier.players.oidc.sign_in_attempt import SignInAttempt

T = TypeVar("T")
DISCOVERY = "/.well-known/openid-configuration"
HTTPS, ON_LOOPBACK = re.compile(r"https://[^\s/]"), re.compile(f"{LOOPBACK}$")
ANSWERS = (httpx.codes.OK, httpx.codes.BAD_REQUEST, httpx.codes.UNAUTHORIZED)
"""Statuses of the token endpoint by which it gives or refuses a token."""
CACHED_MS = 60 * 60 * 1000
BASIC, POST = "client_secret_basic", "client_secret_post"
FORM = {"Content-Type": "application/x-www-form-urlencoded", "Accept": "application/json"}
MALFORMED = (msgspec.MsgspecError, UnicodeDecodeError, RecursionError)


class ProviderMetadata(Struct, frozen=True):
    """The fields of a discovery document that are used here, of the many that it has."""

    issuer: str
    authorization_endpoint: str
    token_endpoint: str
    jwks_uri: str
    id_token_signing_alg_values_supported: tuple[str, ...] = ("RS256",)
    token_endpoint_auth_methods_supported: tuple[str, ...] = (BASIC,)

    @property
    def endpoints(self) -> tuple[str, str, str]:
        return self.authorization_endpoint, self.token_endpoint, self.jwks_uri


class _TokenAnswer(Struct, frozen=True):
    id_token: Annotated[str, Meta(max_length=32_768)]
    access_token: str = ""


class _TokenError(Struct, frozen=True):
    error: Annotated[str, Meta(pattern=r"^[a-z_]{1,40}(?!\n)$")]


class _Known(Struct, frozen=True):
    """The metadata and keys of an identity server, valid until `until_ms`."""

    metadata: ProviderMetadata
    keys: KeySet
    until_ms: int


class IdentityServer:
    """Raises NoAnswer if the identity server can't be asked, and WrongToken if it doesn't name a player."""

    def __init__(self, oidc: ConfiguredOidc, max_age_s: int, system: OutsideSystem) -> None:
        self._system = system
        self._config = oidc.config
        self._secret = oidc.secret
        self._max_age_s = max_age_s
        self._http = httpx.AsyncClient(timeout=oidc.config.timeout_s)
        self._known: _Known | None = None

    async def sign_in_url(self, state: str, attempt: SignInAttempt) -> str:
        """Return the address of the identity server's page for a sign-in."""
        metadata = (await self._fetched()).metadata
        more = {"max_age": str(self._max_age_s)} if self._max_age_s else {}
        return str(
            prepare_grant_uri(
                metadata.authorization_endpoint,
                client_id=self._config.client_id,
                response_type="code",
                redirect_uri=attempt.redirect_uri,
                scope=" ".join(self._config.scopes),
                state=state,
                nonce=attempt.nonce,
                code_challenge=create_s256_code_challenge(attempt.verifier),
                code_challenge_method="S256",
                **more,
            )
        )

    async def player(self, code: str, attempt: SignInAttempt) -> OidcPlayer:
        """Exchange a code for an ID token, and return its player."""
        known = await self._fetched()
        answer = await self._exchanged(known.metadata, code, attempt)
        check = TokenCheck(
            known.metadata.id_token_signing_alg_values_supported,
            attempt.nonce,
            answer.access_token,
            self._max_age_s,
            clock.now_ms() // 1000,
        )
        try:
            return verified_player(answer.id_token, known.keys, check, self._config)
        except UnknownKey:
            known = await self._fetched(renew=True)
        try:
            return verified_player(answer.id_token, known.keys, check, self._config)
        except UnknownKey:
            raise WrongToken("unknown key") from None

    async def close(self) -> None:
        await self._http.aclose()

    async def _fetched(self, *, renew: bool = False) -> _Known:
        known = self._known
        if known is None or renew or clock.now_ms() >= known.until_ms:
            known = self._known = await self._fetch()
        return known

    async def _fetch(self) -> _Known:
        metadata = await self._get(
            "discovery", self._config.issuer.rstrip("/") + DISCOVERY, ProviderMetadata, self._check
        )
        published = await self._get("keys", metadata.jwks_uri, JsonWebKeys, _check_keys)
        keys = key_set(published)
        return _Known(metadata, keys, clock.now_ms() + CACHED_MS)

    def _check(self, metadata: ProviderMetadata) -> None:
        """Raise NoAnswer for the document of another issuer, or one with endpoints of another scheme."""
        if metadata.issuer != self._config.issuer:
            raise NoAnswer("the discovery document has another issuer")
        allowed = HTTPS if HTTPS.match(self._config.issuer) else ON_LOOPBACK
        if not all(map(allowed.match, metadata.endpoints)):
            raise NoAnswer("the discovery document has endpoints without https")

    async def _exchanged(self, metadata: ProviderMetadata, code: str, attempt: SignInAttempt) -> _TokenAnswer:
        """Return the tokens for a code; raise WrongToken if the identity server refuses it."""
        body = prepare_token_request(
            "authorization_code", code=code, redirect_uri=attempt.redirect_uri, code_verifier=attempt.verifier
        )
        methods = metadata.token_endpoint_auth_methods_supported
        method = BASIC if BASIC in methods or POST not in methods else POST
        auth = ClientAuth(self._config.client_id, self._secret.revealed(), method)
        url, headers, body = auth.prepare("POST", metadata.token_endpoint, dict(FORM), body)
        with self._system.call("token"):
            status, answer = await self._ask("POST", url, headers, body.encode())
            if status not in ANSWERS:
                raise NoAnswer(f"status {status}")
        if status == httpx.codes.OK:
            return _decoded(answer, _TokenAnswer)
        raise WrongToken(_decoded(answer, _TokenError).error)

    async def _get(self, what: str, url: str, kind: type[T], check: Callable[[T], None]) -> T:
        with self._system.call(what):
            status, answer = await self._ask("GET", url)
            if status != httpx.codes.OK:
                raise NoAnswer(f"status {status} of {url}")
            found = _decoded(answer, kind)
            check(found)
            return found

    async def _ask(
        self, method: str, url: str, headers: dict[str, str] | None = None, body: bytes = b""
    ) -> tuple[int, bytes]:
        """Return the status and body of an answer. Redirects aren't followed."""
        try:
            async with (
                asyncio.timeout(self._config.timeout_s),
                self._http.stream(method, url, headers=headers, content=body) as response,
            ):
                return response.status_code, await bounded_body(response)
        except (httpx.HTTPError, httpx.InvalidURL, TimeoutError) as error:
            raise NoAnswer(type(error).__name__) from None


def _check_keys(published: JsonWebKeys) -> None:
    if not key_set(published):
        raise NoAnswer("no usable key")


def _decoded(answer: bytes, kind: type[T]) -> T:
    try:
        return msgspec.json.decode(answer, type=kind)
    except MALFORMED as error:
        raise NoAnswer(f"malformed {kind.__name__.strip('_')}: {type(error).__name__}") from None
