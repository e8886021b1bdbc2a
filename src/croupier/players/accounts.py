"""Accounts of players: creation, sign-in and sign-out.

Known and unknown names get the same answers after the same work, so that nobody learns who has an account.
"""

from typing import NamedTuple

from croupier import clock
from croupier.accounts import passwords
from croupier.accounts.attempts import Attempt, AttemptLimit, network_of
from croupier.accounts.devices import EndedSession, NewSession
from croupier.accounts.identity import Identity, Player, new_account_token
from croupier.accounts.login_names import login_name, normalised
from croupier.accounts.repository import DeviceSessions, Identities, StoredLogin
from croupier.admission.ledger_gateway import LedgerGateway
from croupier.admission.player_limits import PlayerLimits
from croupier.players.limited_attempts import LimitedAttempts
from croupier.players.password_hashing import PasswordHashing
from croupier.players.registry_check import RegistryCheck
from croupier.players.sessions import PlayerSessions
from croupier.refusal import Refused

MINUTE_MS = 60_000
ATTEMPTS_MAX, ATTEMPT_WINDOW_MS = 5, 5 * MINUTE_MS
"""Failed sign-ins from one network with one name."""
NAME_ATTEMPTS_MAX, NAME_WINDOW_MS = 30, 30 * MINUTE_MS
"""Failed sign-ins with one name from all addresses."""
ADDRESS_LIMIT = AttemptLimit("player sign-in from", ATTEMPTS_MAX, ATTEMPT_WINDOW_MS)
NAME_LIMIT = AttemptLimit("player sign-in", NAME_ATTEMPTS_MAX, NAME_WINDOW_MS)


class Caller(NamedTuple):
    """The browser that sends a request: its session's token, its address, and its description."""

    token: str
    address: str
    device: str


class BegunSession(NamedTuple):
    """A new session's token and player, and the sessions that it replaces."""

    token: str
    player: str
    ended: tuple[EndedSession, ...]


class AccountService:
    """Players with a name and a password."""

    def __init__(
        self,
        gateway: LedgerGateway,
        identities: Identities,
        devices: DeviceSessions,
        sessions: PlayerSessions,
        limits: PlayerLimits,
        hashing: PasswordHashing,
        registry: RegistryCheck,
        attempts: LimitedAttempts,
    ) -> None:
        self._gateway = gateway
        self._identities = identities
        self._devices = devices
        self._sessions = sessions
        self._limits = limits
        self._hashing = hashing
        self._registry = registry
        self._attempts = attempts

    async def create(self, caller: Caller, player: Player, name: str, password: str) -> BegunSession:
        """Give a guest a name and a password, and a new session; they stay the same player."""
        if player.identity.kind != "guest":
            raise Refused("account_exists")
        name = login_name(name)
        stored = await self._hashing.hashed(passwords.new_password(password, name))
        await self._registry.check(player.id, Identity("account", name), "account")
        session = NewSession(player.id, new_account_token(), caller.device)
        added = self._identities.add(Identity("account", name), stored, session, clock.now_ms())
        return BegunSession(session.token, player.id, await self._gateway.durable(added))

    async def sign_in(self, caller: Caller, name: str, password: str) -> BegunSession:
        """Begin a session on a device, and end the one that its browser had.

        A player who is barred may sign in too, to withdraw their money: see `PlayerLimits.check_not_barred`.
        """
        name = normalised(name)
        tried = Attempt(ADDRESS_LIMIT, f"{network_of(caller.address)} {name}")
        async with self._attempts.sign_in(caller.address, Attempt(NAME_LIMIT, name), tried):
            login = await self._gateway.durable(self._identities.find(Identity("account", name)))
            if not await self._hashing.verified(login.password if login else "", password) or login is None:
                await self._attempts.log.failed(caller.address, login.player if login else "")
                raise Refused("wrong_sign_in")
        self._limits.check_open(login.player)
        await self._registry.check(login.player, Identity("account", name), "sign_in")
        session = NewSession(login.player, new_account_token(), caller.device)
        begun = self._devices.begin(session, login.password, caller.token, clock.now_ms())
        ended = await self._gateway.durable(begun)
        await self._rehash(login, password)
        return BegunSession(session.token, login.player, ended)

    async def sign_out(self, token: str) -> None:
        """End the session of a token, and close its sockets."""
        ended = await self._gateway.durable(self._devices.end(token, clock.now_ms()))
        self._sessions.close(ended, Refused("signed_out", why="signed_out"))

    async def _rehash(self, login: StoredLogin, password: str) -> None:
        if passwords.is_outdated(login.password):
            stored = await self._hashing.hashed(password)
            await self._gateway.durable(self._identities.rehash(login, stored, clock.now_ms()))
