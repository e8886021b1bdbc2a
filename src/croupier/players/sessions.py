"""Sessions of players: new guests, sign-in, arrival, departure and end."""

import secrets
from collections.abc import Awaitable, Callable, Container, Iterable
from functools import partial
from typing import NamedTuple

from croupier import clock
from croupier.accounts.devices import EndedSession
from croupier.accounts.identity import VISIT_ENDS_MS, NewGuest, Player, new_token
from croupier.accounts.play_time import PlayClock, played_ms
from croupier.accounts.repository import Accounts
from croupier.accounts.responsible_gaming import SESSION
from croupier.admission.ledger_gateway import LedgerGateway
from croupier.admission.player_limits import PlayerLimits
from croupier.config import ServerConfig
from croupier.play.contract.amounts import grants_minor
from croupier.players.connected_player import Browser, ConnectedPlayer
from croupier.players.connected_players import ConnectedPlayers
from croupier.players.guests import welcome_grants
from croupier.players.play_limits import PlayLimitsRegistry
from croupier.refusal import Refused

MINUTE_MS = 60_000
MARK_EVERY_MS, MARKED_AT_ONCE = VISIT_ENDS_MS // 3, 100
"""Interval at which the database records that a player is still connected, and players in one write."""
MARK_LIMITED_EVERY_MS = MINUTE_MS
"""The interval for players who have a session limit."""


class OutsideBalances(NamedTuple):
    """The questions about balances that an operator's wallet keeps."""

    expect: Callable[[Player], None]
    """Note that an arriving player's balances aren't known yet."""
    arrived: Callable[[Player], Awaitable[None]]
    """Ask for the balances of an arriving player, who waits a moment for them."""
    refresh: Callable[[Player], None]
    """Ask for the balances of a connected player, who may have played elsewhere."""


class PlayerSessions:
    """A session belongs to a browser's cookie; a visit may span several sessions."""

    def __init__(
        self,
        gateway: LedgerGateway,
        accounts: Accounts,
        players: ConnectedPlayers,
        limits: PlayerLimits,
        play_limits: PlayLimitsRegistry,
        outside_balances: OutsideBalances,
        config: ServerConfig,
    ) -> None:
        self._gateway = gateway
        self._accounts = accounts
        self._players = players
        self._limits = limits
        self._play_limits = play_limits
        self._outside_balances = outside_balances
        self._config = config
        self._break_ms = config.responsible_gaming.session_break_minutes * MINUTE_MS

    async def add_guest(self, device: str = "") -> str:
        """Add a guest with play money, and return the token of their session."""
        player, token, now = f"p_{secrets.token_hex(8)}", new_token(), clock.now_ms()
        grants = welcome_grants(player, grants_minor(self._config.currencies), now)
        guest = NewGuest(player, f"Guest {player[-4:]}", token, device)
        await self._gateway.durable(self._accounts.add_guests([guest], grants, now))
        return token

    async def is_known(self, player: str) -> bool:
        """Return whether there is a player with this id."""
        return await self._gateway.durable(self._accounts.exists(player))

    async def signed_in(self, token: str) -> Player | None:
        """Return the session's player, who counts as active; None if there is no such session.

        Refuse `account_closed` if the session began while its account was being closed.
        """
        if not token:
            return None
        player = await self._gateway.durable(self._accounts.signed_in(token, clock.now_ms()))
        if player is not None:
            self._limits.check_open(player.id)
        if player is not None and (connected := self._players.get(player.id)):
            connected.mark_active()
        return player

    async def arrive(self, token: str, browser: Browser) -> ConnectedPlayer | None:
        """Connect a browser of the session's player until it leaves; None without such a session."""
        now = clock.now_ms()
        player = await self._gateway.arrives(self._accounts.arriving(token, now))
        return None if player is None else await self._connected(player, browser, now)

    async def arrive_remotely(self, player: str, browser: Browser) -> ConnectedPlayer:
        """Connect a browser whose socket is on another node; refuse `not_signed_in` without its session.

        Who the player is, and what they may do, comes from the database, not from that node.
        """
        known = await self._gateway.arrives(self._accounts.seated(player, browser.session))
        if known is None:
            raise Refused("not_signed_in")
        return await self._connected(known, browser, clock.now_ms())

    async def _connected(self, player: Player, browser: Browser, now_ms: int) -> ConnectedPlayer:
        connected = self._players.get(player.id)
        if connected is None:
            limits = self._play_limits.of(player.id)
            limits.play = PlayClock(self._break_ms, player.stretches)
            limits.is_read = False
            connected = ConnectedPlayer(player, self._config.profile, self._config.currencies, limits)
        self._players.connect(connected, browser)
        self._outside_balances.expect(player)
        connected.limits.play.start(now_ms)
        connected.mark_active()
        try:
            await self._play_limits.read(player.id)
            if self._limits.of(player.id).limits:
                await self._gateway.when_read(partial(self._limits.read_ahead, player.id))
            await self._outside_balances.arrived(player)
        except BaseException:
            self.leave(connected, browser)
            raise
        return connected

    def leave(self, player: ConnectedPlayer, browser: Browser) -> None:
        """Disconnect a browser; with the last one, record when the player was last seen if that matters."""
        self._players.disconnect(player, browser)
        if not browser.is_remote and not player.has_socket:
            self._stop_playing(player)
        if not player.browsers and self._config.accounts.sign_in_again_minutes:
            self._accounts.mark_seen([player.id], clock.now_ms())

    def _stop_playing(self, player: ConnectedPlayer) -> None:
        """Record the time that the player was connected here; it goes on while another node has them."""
        now = clock.now_ms()
        play = player.limits.play
        if stretch := play.present(now) if player.browsers else play.stop(now):
            self._accounts.mark_playing({player.id: stretch}, now)

    async def played_ms(self, player: str) -> int:
        """Return the time that the player's session limit counts."""
        now = clock.now_ms()
        if connected := self._players.get(player):
            return connected.limits.play.played_ms(now)
        stretches = await self._gateway.durable(self._accounts.play_time(player))
        return played_ms(stretches, now, self._break_ms)

    def close(self, ended: Iterable[EndedSession], reason: Refused | None = None) -> None:
        """Close the sockets of ended sessions. Without a reason their browsers connect again."""
        for player, session in ended:
            connected = self._players.get(player)
            for browser in connected.browsers if connected else ():
                if browser.session == session:
                    browser.end_session(reason)

    def close_ids(self, ended: Container[str]) -> None:
        """Close the sockets of sessions that another node has ended; their browsers connect again."""
        for player in self._players:
            for browser in tuple(player.browsers):
                if browser.session in ended:
                    browser.end_session(None)

    async def refresh_balances(self, players: Iterable[str]) -> None:
        """Read the balances of connected players, and send those that another node has changed."""
        found = {name: connected.player for name in players if (connected := self._players.get(name))}
        if not found:
            return
        reading = self._accounts.balances({name: player.visit_ms for name, player in found.items()})
        for name, currencies in (await self._gateway.refreshes(reading)).items():
            for currency in currencies:
                if currency in self._config.currencies:
                    self._players.send_balance(name, currency)
            self._outside_balances.refresh(found[name])

    def connected(self, player: str) -> frozenset[str]:
        """Return the ids of the sessions that a player is connected with."""
        connected = self._players.get(player)
        return frozenset(browser.session for browser in connected.browsers) if connected else frozenset()

    async def close_soon(self, ended: Iterable[EndedSession], reason: Refused | None) -> None:
        """Do as `close` does, as a task that follows a response."""
        self.close(ended, reason)

    async def end(self, player: ConnectedPlayer, reason: Refused | None = None) -> None:
        """End a player's visit: all their browsers are sent away. Without a reason they asked for it."""
        reason = reason or Refused("session_ended", minutes=0)
        for browser in player.browsers:
            browser.end_session(reason)
        await self._gateway.durable(self._accounts.end_visits(player.id))

    async def end_idle(self) -> None:
        """End the sessions of players who did nothing for the configured time."""
        minutes = self._config.inactivity.idle_minutes
        until_ms = clock.now_ms() - minutes * MINUTE_MS
        for player in self._players if minutes else ():
            if player.has_socket and player.last_active_ms <= until_ms:
                await self.end(player, Refused("session_ended", minutes=minutes))

    async def mark_seen(self) -> None:
        """Record which players are connected, so that a connection that breaks begins no new visit.

        Their time played is recorded too, each minute where they have limited it, and what other nodes have
        recorded is read.
        """
        now = clock.now_ms()
        await self._mark_playing(now)
        unmarked = [
            player for player in self._players if player.has_socket and now - player.seen_ms >= MARK_EVERY_MS
        ]
        for first in range(0, len(unmarked), MARKED_AT_ONCE):
            some = unmarked[first : first + MARKED_AT_ONCE]
            seen = self._accounts.mark_seen([player.id for player in some], now)
            await self._gateway.durable(seen)
            for player in some:
                player.seen_ms = now

    async def _mark_playing(self, now: int) -> None:
        """Record the time played by players who are connected here."""
        due = [player for player in self._players if player.has_socket and self._is_mark_due(player, now)]
        for first in range(0, len(due), MARKED_AT_ONCE):
            some = {player.id: player for player in due[first : first + MARKED_AT_ONCE]}
            present = {name: player.limits.play.present(now) for name, player in some.items()}
            played = {name: stretch for name, stretch in present.items() if stretch}
            known = await self._gateway.durable(self._accounts.mark_playing(played, now))
            for name, stretches in known.items():
                some[name].limits.play.learn(stretches)
                some[name].limits.play.marked_ms = now

    def _is_mark_due(self, player: ConnectedPlayer, now: int) -> bool:
        is_limited = self._limits.of(player.id).limit_at(SESSION, now) is not None
        every_ms = MARK_LIMITED_EVERY_MS if is_limited else MARK_EVERY_MS
        return now - player.limits.play.marked_ms >= every_ms
