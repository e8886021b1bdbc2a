"""Sign-in by an operator's identity server: the way there, and the session after the way back."""

import asyncio
import logging
import secrets
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib import import_module
from typing import TYPE_CHECKING

from croupier import clock
from croupier.accounts.challenges import OneTimeKeys
from croupier.accounts.identity import hash_of
from croupier.accounts.repository import Arrival
from croupier.admission.ledger_gateway import LedgerGateway
from croupier.config import ServerConfig
from croupier.config.oidc import OidcConfig
from croupier.ledger import entries
from croupier.outside.no_answer import NoAnswer
from croupier.outside.systems import OutsideSystem
from croupier.players.accounts import BegunSession, Caller
from croupier.players.external_sessions import ExternalSessions, check_jurisdiction
from croupier.players.oidc.errors import WrongToken
from croupier.players.oidc.sign_in_attempt import SignInAttempt
from croupier.players.passkeys.encoding import decoded, encoded
from croupier.players.registry_check import RegistryCheck
from croupier.players.sessions import PlayerSessions
from croupier.players.sign_in_log import SignInLog
from croupier.protocol.wire import IdentityServerAnswer
from croupier.refusal import Refused

if TYPE_CHECKING:
    from croupier.players.oidc.id_token import OidcPlayer
    from croupier.players.oidc.identity_server import IdentityServer

log = logging.getLogger(__name__)
CALLBACK = "/oidc/callback"
"""Page to which the identity server sends the browser back."""
VALID_MS = 10 * 60_000
DENIED = "access_denied"
MINUTE_S = 60
NOTE = "oidc:"
"""Prefix of the keys of sign-ins in the journal."""


class OidcService:
    """Players whom the operator's identity server signs in."""

    def __init__(
        self,
        gateway: LedgerGateway,
        external: ExternalSessions,
        sessions: PlayerSessions,
        registry: RegistryCheck,
        config: ServerConfig,
        system: OutsideSystem,
    ) -> None:
        self._system = system
        self._external = external
        self._sessions = sessions
        self._registry = registry
        self._configured = config.oidc
        self._max_age_s = config.accounts.sign_in_again_minutes * MINUTE_S
        self._attempts = OneTimeKeys[SignInAttempt](VALID_MS)
        self._log = SignInLog(gateway)
        self._loaded: IdentityServer | None = None

    @property
    def label(self) -> str:
        """The identity server's name for players; empty: there is none."""
        return self._configured.config.label if self._configured else ""

    async def start(self, caller: Caller, origin: str) -> str:
        """Return the address of the identity server's page; the browser comes back to a page of `origin`."""
        if not caller.token:
            raise Refused("not_signed_in")
        server = await self._server()
        attempt = SignInAttempt(hash_of(caller.token), origin + CALLBACK)
        state = encoded(self._attempts.keep(attempt, clock.now_ms()))
        async with self._answering():
            return await server.sign_in_url(state, attempt)

    async def finish(self, caller: Caller, answer: IdentityServerAnswer) -> BegunSession:
        """Begin the session of the player whom the identity server names, and end that of the browser."""
        server = await self._server()
        attempt = self._taken(caller, answer.state)
        if answer.error or not answer.code or answer.iss not in ("", self._config.issuer):
            raise Refused("oidc_denied" if answer.error == DENIED else "oidc_failed")
        try:
            async with self._answering():
                named = await server.player(answer.code, attempt)
        except WrongToken as error:
            log.warning("a sign-in by the identity server is refused: %s", error)
            await self._log.failed(caller.address, "")
            raise Refused("oidc_failed") from None
        return await self._begin(caller, named)

    async def close(self) -> None:
        if self._loaded:
            await self._loaded.close()

    @property
    def _config(self) -> OidcConfig:
        if self._configured is None:
            raise Refused("no_identity_server")
        return self._configured.config

    async def _server(self) -> "IdentityServer":
        """Return the client of the identity server, which takes long to import: no table waits for it."""
        if self._loaded is None and self._configured is not None:
            module = await asyncio.to_thread(import_module, "croupier.players.oidc.identity_server")
            if self._loaded is None:  # another sign-in may have been faster
                self._loaded = module.IdentityServer(self._configured, self._max_age_s, self._system)
        if self._loaded is None:
            raise Refused("no_identity_server")
        return self._loaded

    @asynccontextmanager
    async def _answering(self) -> AsyncIterator[None]:
        """Refuse `oidc_unavailable` if the identity server doesn't answer in time."""
        try:
            async with asyncio.timeout(self._config.timeout_s):
                yield
        except (NoAnswer, TimeoutError) as error:
            log.warning("the identity server gave no answer: %s", str(error) or type(error).__name__)
            raise Refused("oidc_unavailable") from None

    def _taken(self, caller: Caller, state: str) -> SignInAttempt:
        """Return the attempt of a state, which can't be used again; refuse one of another browser."""
        try:
            attempt = self._attempts.take(decoded(state), clock.now_ms())
        except ValueError:
            attempt = None
        if attempt is None or attempt.browser != hash_of(caller.token):
            raise Refused("oidc_expired")
        return attempt

    async def _begin(self, caller: Caller, named: "OidcPlayer") -> BegunSession:
        known = await self._checked(caller, named)
        body = {"jurisdiction": named.jurisdiction, "language": named.language}
        note = entries.note(NOTE + secrets.token_hex(8), clock.now_ms(), body)
        begun = await self._external.begin(caller, Arrival(named.identity, note, keeps_guest=True))
        await self._external.save_jurisdiction(begun.player, named.jurisdiction)
        if named.currency and not known:
            await self._external.save_currency(begun, named.currency)
        return begun

    async def _checked(self, caller: Caller, named: "OidcPlayer") -> str:
        """Return the player of an identity, empty if it is new; refuse one who may not sign in."""
        check_jurisdiction(named.jurisdiction, self._config.jurisdictions)
        known = await self._external.known_player(named.identity)
        if known:
            await self._registry.check(known, named.identity, "sign_in")
            return known
        if named.currency:
            self._external.check_currency(named.currency)
        await self._registry.check(await self._guest(caller), named.identity, "account")
        return ""

    async def _guest(self, caller: Caller) -> str:
        """Return the guest of a browser; empty if it has none."""
        player = await self._sessions.signed_in(caller.token)
        return player.id if player and player.identity.kind == "guest" else ""
