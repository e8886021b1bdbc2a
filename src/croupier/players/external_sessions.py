"""Sessions of players whom another site identifies: an operator's server, or its identity server."""

import secrets
from collections.abc import Collection

from croupier import clock
from croupier.accounts.identity import Identity, NewGuest, new_account_token
from croupier.accounts.repository import Arrival, ExternalPlayers
from croupier.admission.ledger_gateway import LedgerGateway
from croupier.admission.player_limits import PlayerLimits
from croupier.config import ServerConfig
from croupier.play.contract.amounts import grants_minor
from croupier.players.accounts import BegunSession, Caller
from croupier.players.connected_players import ConnectedPlayers
from croupier.players.guests import welcome_grants
from croupier.players.queries import PlayerQueries, jurisdiction_note
from croupier.players.sessions import PlayerSessions
from croupier.players.settings import PlayerSettings, check_currency
from croupier.refusal import Refused


class ExternalSessions:
    """Checks an external identity, and begins the session of its player."""

    def __init__(
        self,
        gateway: LedgerGateway,
        store: ExternalPlayers,
        limits: PlayerLimits,
        sessions: PlayerSessions,
        players: ConnectedPlayers,
        settings: PlayerSettings,
        queries: PlayerQueries,
        config: ServerConfig,
    ) -> None:
        self._gateway = gateway
        self._store = store
        self._limits = limits
        self._sessions = sessions
        self._players = players
        self._settings = settings
        self._queries = queries
        self._currencies = config.currencies

    async def known_player(self, identity: Identity) -> str:
        """Return the identity's player, empty if it is new; refuse `account_closed`."""
        player = await self._gateway.durable(self._store.player(identity))
        self._limits.check_open(player)
        return player

    def check_currency(self, code: str) -> None:
        """Refuse `no_such_currency` for one that the server doesn't have."""
        check_currency(code, self._currencies)

    async def begin(self, caller: Caller, arrival: Arrival) -> BegunSession:
        """Begin a session, and end the one that the browser had."""
        now, player = clock.now_ms(), f"p_{secrets.token_hex(8)}"
        session = NewGuest(player, f"Player {player[-4:]}", new_account_token(), caller.device)
        grants = welcome_grants(player, grants_minor(self._currencies), now)
        work = self._store.begin(arrival, session, caller.token, grants, now)
        begun = await self._gateway.durable(work)
        return BegunSession(session.token, begun.player, begun.ended)

    async def save_jurisdiction(self, player: str, jurisdiction: str) -> None:
        """Note a player's jurisdiction if it is another one than before."""
        if jurisdiction != await self._gateway.read(self._queries.jurisdiction, player):
            await self._gateway.post([jurisdiction_note(player, clock.now_ms(), jurisdiction)])

    async def save_currency(self, begun: BegunSession, currency: str) -> None:
        """Save the currency that a session's player plays in."""
        player = await self._sessions.signed_in(begun.token)
        assert player is not None, "a session just begun is known"
        await self._settings.save_currency(player, self._players.get(player.id), currency)


def check_jurisdiction(jurisdiction: str, allowed: Collection[str]) -> None:
    """Refuse `wrong_jurisdiction` for one that isn't allowed; none allowed means any."""
    if allowed and jurisdiction not in allowed:
        raise Refused("wrong_jurisdiction", jurisdiction=jurisdiction, allowed=", ".join(allowed))
