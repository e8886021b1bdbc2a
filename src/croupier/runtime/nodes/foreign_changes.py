"""Changes to players and staff on other nodes, applied to this one."""

import asyncio
from collections.abc import Callable
from functools import partial

from croupier.runtime.nodes.coup_balances import CoupBalances
from croupier.runtime.nodes.journal_changes import JournalChanges
from croupier.runtime.own.player_tables import PlayerTables
from croupier.runtime.players.bonuses import Bonuses
from croupier.runtime.players.document_acceptance import DocumentAcceptance
from croupier.runtime.players.registry import ConnectedPlayers
from croupier.runtime.players.restrictions import RestrictionService
from croupier.runtime.players.sessions import PlayerSessions
from croupier.runtime.players.settings import PlayerSettings

GRACE_S = 0.3
"""Time for this node to close the sockets of sessions that it has ended itself, and to say why.

An operator's command is recorded first, and carried out within this time.
"""


class ForeignChanges:
    """Applies changes. This is idempotent, because entries of this node may be among them."""

    def __init__(
        self,
        sessions: PlayerSessions,
        restrictions: RestrictionService,
        bonuses: Bonuses,
        players: ConnectedPlayers,
        player_tables: PlayerTables,
        acceptance: DocumentAcceptance,
        settings: PlayerSettings,
    ) -> None:
        self._sessions = sessions
        self._restrictions = restrictions
        self._bonuses = bonuses
        self._players = players
        self._player_tables = player_tables
        self._acceptance = acceptance
        self._settings = settings
        self._coup_balances = CoupBalances(sessions.refresh_balances)
        self.sign_staff_out: Callable[[str], None] = lambda _: None
        """Ends the sessions of a member of staff, by name."""

    async def apply(self, changes: JournalChanges) -> None:
        """Apply changes, those that protect the player first."""
        for note in changes.restrictions:
            await self._restrictions.follow(note)
        await self._apply_notes(changes)
        soon = partial(asyncio.get_running_loop().call_later, GRACE_S)
        if changes.sessions:
            soon(self._sessions.close_ids, changes.sessions)
        for name in changes.staff:
            soon(self.sign_staff_out, name)
        for player, table in changes.rounds:
            await self._player_tables.check_owner(player, table)
        await self._apply_money(changes)

    async def _apply_notes(self, changes: JournalChanges) -> None:
        for player, at_ms in changes.reminders:
            self._restrictions.follow_reminder(player, at_ms)
        for player in changes.acceptances:
            await self._acceptance.follow(player)
        for player in changes.settings:
            if connected := self._players.get(player):
                await self._settings.follow(connected)

    async def _apply_money(self, changes: JournalChanges) -> None:
        for player in changes.bonuses:
            await self._bonuses.reload(player)
        for player in changes.money:
            await self._sessions.refresh_balances(player)
        self._coup_balances.add(player for player in changes.coups if player in self._players)

    def stop(self) -> None:
        """Stop reading balances."""
        self._coup_balances.stop()
