"""Sessions of players: new guests, sign-in, arrival, departure and end."""

import secrets

from croupier import clock
from croupier.accounts.identity import VISIT_ENDS_MS, NewGuest, Player
from croupier.accounts.repository import Accounts
from croupier.config import ServerConfig
from croupier.refusal import Refused
from croupier.runtime.ledger_gateway import LedgerGateway
from croupier.runtime.players.connected_player import Browser, ConnectedPlayer
from croupier.runtime.players.guests import welcome
from croupier.runtime.players.play_limits import PlayLimitsRegistry
from croupier.runtime.players.player_limits import PlayerLimits
from croupier.runtime.players.registry import ConnectedPlayers

MINUTE_MS = 60_000
MARK_EVERY_MS, MARKED_AT_ONCE = VISIT_ENDS_MS // 3, 100
"""Interval at which the database is told that a player is still connected, and players in one write."""


class PlayerSessions:
    """A session belongs to a browser's cookie; a visit goes on from session to session."""

    def __init__(
        self,
        gateway: LedgerGateway,
        accounts: Accounts,
        players: ConnectedPlayers,
        limits: PlayerLimits,
        play_limits: PlayLimitsRegistry,
        config: ServerConfig,
    ) -> None:
        self._gateway = gateway
        self._accounts = accounts
        self._players = players
        self._limits = limits
        self._play_limits = play_limits
        self._config = config

    async def add_guest(self) -> str:
        """Add a guest with play money, and return the token of their session."""
        player, token, now = f"p_{secrets.token_hex(8)}", secrets.token_urlsafe(32), clock.now_ms()
        grants = welcome(player, self._config.currencies, now)
        guest = NewGuest(player, f"Guest {player[-4:]}", token)
        await self._gateway.durable(self._accounts.add_guests([guest], grants, now))
        return token

    async def signed_in(self, token: str) -> Player | None:
        """Return the session's player, who counts as active; None where there is no such session."""
        if not token:
            return None
        player = await self._gateway.durable(self._accounts.signed_in(token, clock.now_ms()))
        if player is not None and (connected := self._players.get(player.id)):
            connected.acts()
        return player

    async def arrive(self, token: str, browser: Browser) -> ConnectedPlayer | None:
        """Connect a browser of the session's player until it leaves; None without such a session."""
        player = await self._gateway.arrives(self._accounts.arriving(token, clock.now_ms()))
        if player is None:
            return None
        connected = self._players.get(player.id)
        if connected is None:
            limits = self._play_limits.of(player.id)
            connected = ConnectedPlayer(player, self._config.profile, self._config.currencies, limits)
        self._players.connect(connected, browser)
        connected.acts()
        if self._limits.of(player.id).limits:
            await self._limits.read_ahead(player.id)
        return connected

    def leave(self, player: ConnectedPlayer, browser: Browser) -> None:
        self._players.disconnect(player, browser)

    async def end(self, player: ConnectedPlayer, reason: Refused | None = None) -> None:
        """End a player's visit: all their browsers are sent away. Without a reason they asked for it."""
        reason = reason or Refused("session_ended", minutes=0)
        for browser in tuple(player.browsers):
            browser.sent_away(reason)
        await self._gateway.durable(self._accounts.end_visits(player.id))

    async def end_idle(self) -> None:
        """End the sessions of players who did nothing for the configured time."""
        minutes = self._config.inactivity.idle_minutes
        until_ms = clock.now_ms() - minutes * MINUTE_MS
        for player in self._players if minutes else ():
            if player.browsers and player.acted_ms <= until_ms:
                await self.end(player, Refused("session_ended", minutes=minutes))

    async def mark_seen(self) -> None:
        """Record which players are connected, so that a connection that breaks begins no new visit.

        Otherwise their reality checks and their limit of session time would start again.
        """
        now = clock.now_ms()
        unmarked = [player for player in self._players if now - player.seen_ms >= MARK_EVERY_MS]
        for first in range(0, len(unmarked), MARKED_AT_ONCE):
            some = unmarked[first : first + MARKED_AT_ONCE]
            seen = self._accounts.mark_seen([player.id for player in some], now)
            await self._gateway.durable(seen)
            for player in some:
                player.seen_ms = now
