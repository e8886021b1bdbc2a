"""The own tables of all players: opened on demand, resumed after a restart, closed when idle."""

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
    """Own tables by player and table. `tables` are those of the server, by id."""

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
        """Open the tables whose rounds a restart interrupted; a round that can't be resumed is void.

        One in a currency that its table no longer has can't, as it may need more stakes.
        """
        ledger, seal = self._services.ledger, self._services.seal
        for record in left_open:
            try:
                table = self._tables[record.table]
                _ = table.limits[record.currency]
                played = round_entries.restore_round(ledger, record, table, seal)
            except (LookupError, ValueError) as error:
                log.exception("round %s can't be resumed and is void", record.id, extra={"round": record.id})
                void = round_entries.void_entry(record, clock.now_ms(), f"can't be resumed: {error}")
                await self._services.funding(record.currency).post(record.player, [void])
                continue
            self._open[record.player, table.id] = self._new(record.player, table, played.currency, played)

    def get(self, player: str, table_id: str) -> PlayerTable:
        """Return the player's own table, which is opened if necessary; refuse `no_such_table`."""
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
        """Stop sending to a browser, and close the table if it is idle."""
        table.unfollow(send)
        self._close_if_idle((player, table.table.id))

    def _close_if_idle(self, key: tuple[str, str]) -> None:
        table = self._open.get(key)
        if table is not None and table.idle:
            del self._open[key]

    def unfinished(self, player: str) -> tuple[str, ...]:
        """Return the ids of the tables where the player has an open round, in the server's order."""
        tables = ((table, self._open.get((player, table))) for table in self._tables)
        return tuple(id_ for id_, table in tables if table and table.in_play)

    async def end_expired(self) -> None:
        """End the rounds that have waited for their players for the configured time."""
        for key in tuple(self._open):
            await self._end_if_expired(key)

    async def end_expired_of(self, player: str) -> None:
        """End the expired rounds of one player."""
        for key in [key for key in self._open if key[0] == player]:
            await self._end_if_expired(key)

    async def _end_if_expired(self, key: tuple[str, str]) -> None:
        """End a round whose time to resume is over, or at once if the player may not come back to it."""
        inactivity, now, table = self._inactivity, clock.now_ms(), self._open.get(key)
        stays_away = not self._services.limits.of(key[0]).may_return(now)
        if table is not None and (stays_away or inactivity.resume_hours):
            until_ms = now if stays_away else now - inactivity.resume_hours * HOUR_MS
            await table.end_unfinished(until_ms, "play" if stays_away else inactivity.unfinished)
            self._close_if_idle(key)
