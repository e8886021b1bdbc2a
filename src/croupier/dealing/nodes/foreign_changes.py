"""Changes to players and staff on other nodes, applied to this one."""

import asyncio
from collections.abc import Callable
from functools import partial

from croupier.admission.player_limits import PlayerLimits
from croupier.dealing.nodes.coup_balances import CoupBalances
from croupier.dealing.nodes.journal_changes import JournalChanges
from croupier.dealing.own.player_tables import PlayerTables
from croupier.money.bonus.service import Bonuses
from croupier.players.connected_player import ConnectedPlayer
from croupier.players.connected_players import ConnectedPlayers
from croupier.players.document_acceptance import DocumentAcceptance
from croupier.players.restrictions import RestrictionService
from croupier.players.sessions import PlayerSessions
from croupier.players.settings import PlayerSettings

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
        limits: PlayerLimits,
        player_tables: PlayerTables,
        acceptance: DocumentAcceptance,
        settings: PlayerSettings,
    ) -> None:
        self._sessions = sessions
        self._restrictions = restrictions
        self._bonuses = bonuses
        self._players = players
        self._limits = limits
        self._player_tables = player_tables
        self._acceptance = acceptance
        self._settings = settings
        self._coup_balances = CoupBalances(sessions.refresh_balances)
        self._staked = set[str]()
        """Players whose stakes elsewhere this node may not know: they matter once another table is open."""
        players.watch(self._tables_changed)
        self.look_at_debts: Callable[[str], None] = lambda _: None
        """Reads again what a player owes."""
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
        for player in changes.debtors:
            self.look_at_debts(player)
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
        await self._sessions.refresh_balances(changes.money)
        self._staked |= {player for player in changes.stakes if player in self._players}
        self._coup_balances.add(filter(self._shows_stakes, changes.stakes))
        self._coup_balances.add(player for player in changes.coups if player in self._players)
        self._staked -= changes.coups

    def _shows_stakes(self, player: str) -> bool:
        """Return whether a stake at another node's table matters here before the end of its round.

        It doesn't where the player has no other table open, and no limits of their own.
        """
        known = self._players.get(player)
        if known is None:
            return False
        has_others = player in self._players.in_several_places or not known.has_socket
        return has_others or bool(self._limits.of(player).limits)

    def _tables_changed(self, player: ConnectedPlayer) -> None:
        if player.id in self._staked:
            self._staked.discard(player.id)
            self._coup_balances.add([player.id])

    def stop(self) -> None:
        """Stop reading balances."""
        self._coup_balances.stop()
