"""Limits, breaks and reality checks: what players set for themselves takes effect here."""

import asyncio
from collections.abc import Callable

from croupier import clock
from croupier.accounts.identity import VISIT_ENDS_MS
from croupier.accounts.responsible_gaming import SESSION, Measure, PlayerRestrictions, RestrictionChange, Why
from croupier.protocol.wire import ReminderAnswered
from croupier.refusal import Refused
from croupier.runtime.ledger_gateway import LedgerGateway
from croupier.runtime.own.player_tables import PlayerTables
from croupier.runtime.players.connected_player import ConnectedPlayer
from croupier.runtime.players.player_limits import PlayerLimits
from croupier.runtime.players.queries import reminder_note
from croupier.runtime.players.registry import ConnectedPlayers
from croupier.runtime.players.sessions import PlayerSessions

MINUTE_MS = 60_000


class RestrictionService:
    """A change is in the journal before it takes effect."""

    def __init__(
        self,
        gateway: LedgerGateway,
        limits: PlayerLimits,
        players: ConnectedPlayers,
        sessions: PlayerSessions,
        player_tables: PlayerTables,
        cooling_off_hours: int,
    ) -> None:
        self._gateway = gateway
        self._limits = limits
        self._players = players
        self._sessions = sessions
        self._player_tables = player_tables
        self._cooling_off_ms = cooling_off_hours * 60 * MINUTE_MS
        self._changing = asyncio.Lock()

    async def set_limit(self, player: str, measure: Measure, most: int | None) -> None:
        """Set or remove a limit: a stricter one holds at once, a looser one after the cooling-off period."""
        await self._change(player, lambda care, now: care.to_set(measure, most, now, self._cooling_off_ms))
        await self._limits.read_ahead(player)

    async def bar(self, player: str, why: Why, until_ms: int) -> None:
        """Keep a player from all tables until then, and end their sessions.

        At live tables they count as disconnected. Rounds at own tables of a self-excluded player are played
        to their end, as the player may not come back to them.
        """
        await self._change(player, lambda care, _: care.to_bar(why, until_ms))
        barred = self._limits.of(player).barred
        if connected := self._players.get(player):
            reason = Refused("barred", why=barred.why, until_ms=barred.until_ms)
            await self._sessions.end(connected, reason)
        await self._player_tables.end_waiting_of(player)

    async def _change(
        self, player: str, change: Callable[[PlayerRestrictions, int], RestrictionChange | None]
    ) -> None:
        """Enter a change; `change` returns None where there is none."""
        async with self._changing:
            now = clock.now_ms()
            if said := change(self._limits.of(player), now):
                note = self._limits.note(player, said, now)
                await self._gateway.post([note])
                self._limits.stands(note)

    async def end_long_sessions(self) -> None:
        """Bar the players who have reached their own limit of session time, until a new visit may begin."""
        for connected in self._players:
            now = clock.now_ms()
            most = self._limits.of(connected.id).most(SESSION, now)
            if most is not None and now >= connected.player.visit_ms + most * MINUTE_MS:
                await self.bar(connected.id, "session", now + VISIT_ENDS_MS)

    async def answer_reminder(self, player: ConnectedPlayer) -> None:
        """Record that the player goes on after a reality check; nothing where none is due."""
        limits, now = player.limits, clock.now_ms()
        if limits.reminder_due(now):
            await self._gateway.post([reminder_note(player.id, now, limits.reminder_minutes)])
            limits.reminder_answered(now)
            player.tell(ReminderAnswered(now))
