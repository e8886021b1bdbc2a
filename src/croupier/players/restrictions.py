"""Limits, breaks and reality checks: what players set for themselves takes effect here."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from functools import partial

from croupier import clock
from croupier.accounts.responsible_gaming import (
    SESSION,
    BreakReason,
    Measure,
    PlayerRestrictions,
    RestrictionChange,
)
from croupier.admission.ledger_gateway import LedgerGateway
from croupier.admission.player_limits import PlayerLimits
from croupier.ledger.entries import Entry
from croupier.players.connected_player import ConnectedPlayer
from croupier.players.connected_players import ConnectedPlayers
from croupier.players.queries import reminder_note
from croupier.players.sessions import PlayerSessions
from croupier.protocol.wire import ReminderAnswered
from croupier.refusal import Refused

MINUTE_MS = 60_000
MakeChange = Callable[[PlayerRestrictions, int], RestrictionChange | None]


class RestrictionService:
    """A change is in the journal before anybody is told of it.

    It restricts the player from the moment it is posted, so that nothing it forbids is posted after it.
    """

    def __init__(
        self,
        gateway: LedgerGateway,
        limits: PlayerLimits,
        players: ConnectedPlayers,
        sessions: PlayerSessions,
        end_rounds: Callable[[str], Awaitable[None]],
        cooling_off_hours: int,
    ) -> None:
        self._gateway = gateway
        self._limits = limits
        self._players = players
        self._sessions = sessions
        self._end_rounds = end_rounds
        self._cooling_off_ms = cooling_off_hours * 60 * MINUTE_MS
        self._changing = asyncio.Lock()

    async def set_limit(self, player: str, measure: Measure, maximum: int | None) -> None:
        """Set or remove a limit: a stricter one holds at once, a looser one after the cooling-off period."""
        await self._change(
            player, lambda current, now: current.limit_change(measure, maximum, now, self._cooling_off_ms)
        )
        await self._gateway.when_read(partial(self._limits.read_ahead, player))

    async def bar(self, player: str, why: BreakReason, until_ms: int) -> None:
        """Keep a player from all tables until then, and end their sessions.

        At live tables they count as disconnected. Rounds at own tables of a self-excluded player are played
        to their end, as the player may not come back to them.
        """
        await self._change(player, lambda current, _: current.break_change(why, until_ms))
        await self._enforce(player)

    async def follow(self, note: Entry) -> None:
        """Apply a change that another node has posted, unless it is applied."""
        async with self._changing:
            if self._limits.is_applied(note):
                return
            self._limits.apply(note)
        await self._enforce(note.player)

    async def _enforce(self, player: str) -> None:
        """End the sessions of a player who may not play, and their rounds if they may not come back."""
        try:
            self._limits.check_not_barred(player)
        except Refused as reason:
            if connected := self._players.get(player):
                await self._sessions.end(connected, reason)
            await self._end_rounds(player)

    async def _change(self, player: str, change: MakeChange) -> None:
        """Post and apply what `change` returns, unless it is None."""
        async with self.changing(player, change) as notes:
            if notes:
                await self._gateway.post(notes)

    @asynccontextmanager
    async def changing(self, player: str, change: MakeChange) -> AsyncIterator[list[Entry]]:
        """Yield the note of a change, to be posted; it takes effect when the context ends.

        Other changes wait. Nothing is yielded if `change` returns None.
        """
        async with self._changing:
            now = clock.now_ms()
            changed = change(self._limits.of(player), now)
            notes = [self._limits.note(player, changed, now)] if changed else []
            with self._limits.announce(notes):
                yield notes
            for note in notes:
                self._limits.apply(note)

    async def end_long_sessions(self) -> None:
        """Give a break to the players who have reached their own limit of session time."""
        for connected in self._players:
            now = clock.now_ms()
            maximum = self._limits.of(connected.id).limit_at(SESSION, now) if connected.has_socket else None
            play = connected.limits.play
            if maximum is not None and play.played_ms(now) >= maximum * MINUTE_MS:
                await self.bar(connected.id, "session", now + play.break_ms)

    async def answer_reminder(self, player: ConnectedPlayer) -> None:
        """Record that the player continues after a reality check, if one is due."""
        limits, now = player.limits, clock.now_ms()
        if limits.reminder_due(now):
            await self._gateway.post([reminder_note(player.id, now, limits.reminder_minutes)])
            limits.reminder_answered(now)
            player.send(ReminderAnswered(now))

    def follow_reminder(self, player: str, at_ms: int) -> None:
        """Apply that a player has answered a reality check on another node."""
        if connected := self._players.get(player):
            connected.limits.reminder_answered(at_ms)
            connected.send(ReminderAnswered(at_ms))
