"""Repeated sign-in of players who sign in on this site: after inactivity, and before a withdrawal."""

from croupier import clock
from croupier.accounts.devices import EndedSession, session_id
from croupier.accounts.identity import SIGNED_IN_HERE, Player
from croupier.accounts.repository import DeviceSessions
from croupier.admission.ledger_gateway import LedgerGateway
from croupier.players.connected_players import ConnectedPlayers
from croupier.players.sessions import PlayerSessions
from croupier.refusal import Refused

MINUTE_MS = 60_000


class Reauthentication:
    """Ends the sessions of players who were inactive for `minutes`, and checks sign-ins; 0: none are ended.

    Guests can't sign in, and an operator's players sign in there.
    """

    def __init__(
        self,
        gateway: LedgerGateway,
        devices: DeviceSessions,
        players: ConnectedPlayers,
        sessions: PlayerSessions,
        minutes: int,
    ) -> None:
        self._gateway = gateway
        self._devices = devices
        self._players = players
        self._sessions = sessions
        self._minutes = minutes

    async def check_recent(self, player: Player, token: str) -> None:
        """Refuse `sign_in_again` to a session that began longer ago than the configured time."""
        now = clock.now_ms()
        if not self._minutes or player.identity.kind not in SIGNED_IN_HERE:
            return
        devices = await self._gateway.durable(self._devices.list(player.id))
        began_ms = next((one.signed_in_ms for one in devices if one.id == session_id(token)), 0)
        if began_ms <= now - self._minutes * MINUTE_MS:
            raise Refused("sign_in_again", minutes=self._minutes)

    async def end_idle(self) -> None:
        """End the sessions of connected players who did nothing."""
        if not self._minutes:
            return
        now = clock.now_ms()
        before_ms = now - self._minutes * MINUTE_MS
        for player in tuple(self._players):
            is_idle = player.has_socket and player.last_active_ms <= before_ms
            if is_idle and player.player.identity.kind in SIGNED_IN_HERE:
                self._close(await self._gateway.durable(self._devices.end_others(player.id, "", now)))

    async def sweep(self) -> None:
        """End the sessions of connected players who did nothing, and of players who weren't connected."""
        if not self._minutes:
            return
        await self.end_idle()
        now = clock.now_ms()
        before_ms = now - self._minutes * MINUTE_MS
        connected = [player.id for player in self._players]
        self._close(await self._gateway.durable(self._devices.end_unseen(connected, before_ms, now)))

    def _close(self, ended: tuple[EndedSession, ...]) -> None:
        self._sessions.close(ended, Refused("signed_out", why="idle"))
