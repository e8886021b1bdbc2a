"""The own tables of all players: opened on demand, resumed after a restart, closed when idle."""

import asyncio
import logging
from collections.abc import Callable, Collection, Iterable, Mapping
from contextlib import nullcontext, suppress
from functools import partial
from typing import ParamSpec, TypeVar

from croupier import clock
from croupier.cluster.table_leases import TableLeases
from croupier.config import InactivityConfig
from croupier.dealing.own.player_table import PlayerTable, Send
from croupier.dealing.table_services import TableServices
from croupier.ledger.protocol import RoundRecord, RoundSummary
from croupier.play.contract.game import Table
from croupier.players.play_limits import PlayLimitsRegistry
from croupier.players.queries import NO_ROUND, PreviousRound
from croupier.refusal import Refused
from croupier.rounds import round_entries
from croupier.tables.own import OwnRound

log = logging.getLogger(__name__)

HOUR_MS = 3_600_000

P = ParamSpec("P")
T = TypeVar("T")


class PlayerTables:
    """Own tables by player and table. `tables` are those of the server, by id."""

    def __init__(
        self,
        services: TableServices,
        tables: Mapping[str, Table],
        play_limits: PlayLimitsRegistry,
        inactivity: InactivityConfig,
        leases: TableLeases,
    ) -> None:
        self._services = services
        self._tables = tables
        self._play_limits = play_limits
        self._inactivity = inactivity
        self._leases = leases
        self._open: dict[tuple[str, str], PlayerTable] = {}

    async def resume(self, left_open: Iterable[RoundRecord]) -> None:
        """Open the tables whose rounds a restart interrupted; a round that can't be resumed is void.

        Where other processes may have them open, each is restored when its player opens it.
        """
        for record in () if self._leases.is_shared else left_open:
            if played := await self._restored(record):
                table = self._tables[record.table]
                self._open[record.player, table.id] = self._new(record.player, table, played=played)

    async def _restored(self, record: RoundRecord) -> OwnRound | None:
        """Restore an open round; void it if that fails.

        One in a currency that its table no longer has can't be restored, as it may need more stakes.
        """
        try:
            table = self._tables[record.table]
            _ = table.limits[record.currency]
            ledger, seal = self._services.ledger, self._services.seal
            return await self._read(round_entries.restore_round, ledger, record, table, seal)
        except (LookupError, ValueError) as error:
            log.exception(
                "round %s (%s) can't be resumed and is void",
                record.id,
                record.number,
                extra={"round": record.id, "number": record.number},
            )
            void = round_entries.void_entry(record, clock.now_ms(), f"can't be resumed: {error}")
            await self._services.funding(record.currency).post(record.player, [void])
            return None

    async def open(self, player: str, table_id: str) -> PlayerTable:
        """Return the player's own table, which is opened if necessary; refuse `no_such_table`.

        Take the table over from other processes that may have it.
        """
        table = await self._find_or_open(player, table_id)
        if self._leases.is_shared:
            await table.take_over(self._leases, partial(self._restored_at, player, table_id))
        return table

    async def _restored_at(self, player: str, table: str) -> OwnRound | None:
        ledger = self._services.ledger
        for found in await self._read(ledger.open_rounds_of, player):
            if found.table == table and (record := await self._read(ledger.round, found.id)):
                rounds = self._services.wallet.rounds
                rounds.recall(record, await self._read(rounds.is_paid, ledger, record.id))
                return await self._restored(record)
        return None

    async def check_owner(self, player: str, table: str) -> None:
        """Close a table here if another process has taken it over."""
        if own := self._open.get((player, table)):
            await own.check_owner(self._leases)
            self._close_if_idle((player, table))

    async def _find_or_open(self, player: str, table_id: str) -> PlayerTable:
        table = self._tables.get(table_id)
        if table is None:
            raise Refused("no_such_table", table=table_id)
        assert table.dealing == "own", f"{table_id} is dealt live"
        key = (player, table_id)
        if key not in self._open:
            currency = next(iter(table.limits))
            last = await self._read(self._services.queries.last_round, player, table_id, currency)
            if key not in self._open:  # no other browser has opened it meanwhile
                self._open[key] = self._new(player, table, last)
        return self._open[key]

    def _new(
        self, player: str, table: Table, last: PreviousRound = NO_ROUND, played: OwnRound | None = None
    ) -> PlayerTable:
        currency = played.currency if played else next(iter(table.limits))
        limits = self._play_limits.of(player)
        return PlayerTable(self._services, player, table, currency, limits, last, played)

    async def _read(self, query: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        return await self._services.gateway.read(query, *args, **kwargs)

    def leave(self, player: str, table: PlayerTable, send: Send) -> None:
        """Stop sending to a browser, and close the table if it is idle."""
        table.unfollow(send)
        self._close_if_idle((player, table.table.id))

    def _close_if_idle(self, key: tuple[str, str]) -> None:
        table = self._open.get(key)
        if table is not None and table.idle:
            del self._open[key]

    async def unfinished(self, player: str) -> tuple[str, ...]:
        """Return the ids of the own tables where the player has an open round, in the server's order."""
        found = await self.with_open_rounds(player)
        return tuple(name for name in self._tables if name in found and self._is_own(name))

    async def with_open_rounds(self, player: str) -> Collection[str]:
        """Return the tables where the player has an open round, live tables of other nodes among them."""
        if self._leases.is_shared:
            found = await self._read(self._services.ledger.open_rounds_of, player)
            return {each.table for each in found if each.staked_minor and each.table in self._tables}
        tables = ((table, self._open.get((player, table))) for table in self._tables)
        return {id_ for id_, table in tables if table and table.in_play}

    def _is_own(self, table: str) -> bool:
        return table in self._tables and self._tables[table].dealing == "own"

    async def end_expired(self) -> None:
        """End the rounds that have waited for their players for the configured time."""
        if self._leases.is_shared:
            every = await asyncio.to_thread(self._services.ledger.open_rounds)
            await self._open_expired(every)
        for key in tuple(self._open):
            await self._end_if_expired(key)

    async def end_expired_of(self, player: str) -> None:
        """End the expired rounds of one player."""
        if self._leases.is_shared:
            await self._open_expired(await self._read(self._services.ledger.open_rounds_of, player))
        for key in [key for key in self._open if key[0] == player]:
            await self._end_if_expired(key)

    async def _open_expired(self, rounds: Iterable[RoundSummary]) -> None:
        """Take over the tables with expired rounds, which may be open in other processes."""
        for round_ in rounds:
            until_ms = self._expired_until_ms(round_.player)
            if self._is_own(round_.table) and until_ms is not None and round_.started_ms <= until_ms:
                await self.open(round_.player, round_.table)

    def _expired_until_ms(self, player: str) -> int | None:
        """Return until when a player's expired rounds were dealt; None if none expires."""
        now, hours = clock.now_ms(), self._inactivity.resume_hours
        if not self._services.limits.of(player).may_return(now):
            return now
        return now - hours * HOUR_MS if hours else None

    async def _end_if_expired(self, key: tuple[str, str]) -> None:
        """End a round whose time to resume is over, or at once if the player may not come back to it."""
        table, until_ms = self._open.get(key), self._expired_until_ms(key[0])
        if table is not None and until_ms is not None:
            stays_away = not self._services.limits.of(key[0]).may_return(clock.now_ms())
            with suppress(Refused) if self._leases.is_shared else nullcontext():  # taken over meanwhile
                await table.end_unfinished(until_ms, "play" if stays_away else self._inactivity.unfinished)
            self._close_if_idle(key)
