"""The own tables of all players: opened on demand, resumed after a restart, put away when idle."""

import logging
from collections.abc import Iterable, Mapping

from croupier import clock
from croupier.config import InactivityConfig
from croupier.ledger.protocol import RoundRecord
from croupier.play.contract.game import Table
from croupier.refusal import Refused
from croupier.runtime import round_entries
from croupier.runtime.own.player_table import PlayerTable, Send
from croupier.runtime.players.play_limits import PlayLimitsRegistry
from croupier.runtime.table_services import TableServices
from croupier.tables.own import OwnRound

log = logging.getLogger(__name__)

HOUR_MS = 3_600_000


class PlayerTables:
    """`tables` by id: those of the server. Each player has a table of their own for each that isn't live."""

    def __init__(
        self,
        services: TableServices,
        tables: Mapping[str, Table],
        play_limits: PlayLimitsRegistry,
        inactivity: InactivityConfig,
    ) -> None:
        self._services = services
        self._tables = tables
        self._play_limits = play_limits
        self._inactivity = inactivity
        self._open: dict[tuple[str, str], PlayerTable] = {}

    async def resume(self, left_open: Iterable[RoundRecord]) -> None:
        """Open the tables whose rounds a restart interrupted; a round that can't be resumed is void."""
        ledger, seal = self._services.ledger, self._services.seal
        for record in left_open:
            try:
                table = self._tables[record.table]
                played = round_entries.restored(ledger, record, table, seal)
            except (LookupError, ValueError) as error:
                log.exception("round %s can't be resumed and is void", record.id)
                void = round_entries.void_entry(record, clock.now_ms(), f"can't be resumed: {error}")
                await self._services.gateway.post([void])
                continue
            self._open[record.player, table.id] = self._new(record.player, table, played.currency, played)

    def get(self, player: str, table_id: str) -> PlayerTable:
        """Return the player's own table, opened if need be; refuse `no_such_table`."""
        table = self._tables.get(table_id)
        if table is None:
            raise Refused("no_such_table", table=table_id)
        assert table.dealing == "own", f"{table_id} is dealt live"
        key = (player, table_id)
        if key not in self._open:
            self._open[key] = self._new(player, table, next(iter(table.limits)))
        return self._open[key]

    def _new(self, player: str, table: Table, currency: str, played: OwnRound | None = None) -> PlayerTable:
        return PlayerTable(self._services, player, table, currency, self._play_limits.of(player), played)

    def leave(self, player: str, table: PlayerTable, send: Send) -> None:
        """Stop sending to a browser, and put the table away when it is idle."""
        table.unfollow(send)
        self._put_away((player, table.table.id))

    def _put_away(self, key: tuple[str, str]) -> None:
        table = self._open.get(key)
        if table is not None and table.idle:
            del self._open[key]

    def unfinished(self, player: str) -> tuple[str, ...]:
        """Return the ids of the tables where a round of the player is open, in the server's order."""
        tables = ((table, self._open.get((player, table))) for table in self._tables)
        return tuple(id_ for id_, table in tables if table and table.in_play)

    async def end_waiting(self) -> None:
        """End the rounds that have waited for their players for the configured time."""
        for key in tuple(self._open):
            await self._end_waiting(key)

    async def end_waiting_of(self, player: str) -> None:
        """Do the same for one player."""
        for key in [key for key in self._open if key[0] == player]:
            await self._end_waiting(key)

    async def _end_waiting(self, key: tuple[str, str]) -> None:
        """End a round that has waited long enough; self-excluded players don't come back to theirs."""
        inactivity, now, table = self._inactivity, clock.now_ms(), self._open.get(key)
        excluded = self._services.limits.of(key[0]).is_excluded(now)
        if table is not None and (excluded or inactivity.resume_hours):
            until_ms = now if excluded else now - inactivity.resume_hours * HOUR_MS
            await table.end_unfinished(until_ms, "play" if excluded else inactivity.unfinished)
            self._put_away(key)
