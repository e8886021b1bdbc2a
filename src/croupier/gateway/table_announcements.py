"""Announcements of a node's live tables to the gateways of all nodes."""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from functools import partial

from croupier.cluster.bus import Bus, Unsubscribe
from croupier.dealing.live.table import LiveTable
from croupier.dealing.nodes.seat_messages import (
    ASK_OWNERS,
    OWNERS,
    OwnedTable,
    Owner,
    TableLimits,
    encode_seats,
)
from croupier.gateway.pages.lobby import live_table_status
from croupier.gateway.server import Server
from croupier.play.contract.game import Table

ANNOUNCE_S = 1.0


class TableAnnouncements:
    """Announces this node's tables regularly, whenever they or their limits change, and if a gateway asks."""

    def __init__(self, server: Server, bus: Bus) -> None:
        self._server = server
        self._bus = bus
        self._due = asyncio.Event()
        self._announced: dict[str, Table] = {}
        """The tables as they were at the last announcement."""
        self._watched: dict[LiveTable, Callable[[], None]] = {}
        self._unsubscribe: Unsubscribe | None = None
        self._task: asyncio.Task[None] | None = None

    async def start(self) -> None:
        self._unsubscribe = await self._bus.subscribe(ASK_OWNERS, lambda _: self._due.set())
        self._server.live_tables.watch(self._due.set)
        self._task = asyncio.create_task(self._run())

    def stop(self) -> None:
        """Announce nothing more."""
        if self._unsubscribe:
            self._unsubscribe()
        if self._task:
            self._task.cancel()
        for unwatch in self._watched.values():
            unwatch()

    async def _run(self) -> None:
        while True:
            self._due.clear()
            self._announce()
            self._watch()
            with suppress(TimeoutError):
                await asyncio.wait_for(self._due.wait(), ANNOUNCE_S)

    def _announce(self) -> None:
        server, results = self._server, self._server.config.profile.results
        self._announced = {name: table.table for name, table in server.live.items()}
        owned = tuple(
            OwnedTable(
                name,
                table.lease.fence.epoch,
                live_table_status(table, results=results),
                changed_limits(server.tables[name], table.table),
            )
            for name, table in server.live.items()
            if not (table.is_lost or table.lease.has_expired)
        )
        self._bus.publish(OWNERS, encode_seats(Owner(server.remote_tables.node, owned)))

    def _watch(self) -> None:
        """Notice new limits at once, so that gateways have them before their players hear of them."""
        for table in self._server.live.values():
            if table not in self._watched:
                self._watched[table] = table.watch(partial(self._check, table))
        for lost in [table for table in self._watched if table.is_lost]:
            del self._watched[lost]

    def _check(self, table: LiveTable) -> None:
        if table.table is not self._announced.get(table.table.id):
            self._announce()


def changed_limits(configured: Table, table: Table) -> TableLimits | None:
    """Return a table's limits if they aren't the configured ones."""
    limits = limits_of(table)
    return None if limits == limits_of(configured) else limits


def limits_of(table: Table) -> TableLimits:
    return TableLimits(table.limits, table.side_limits, table.kind_limits, table.table_limits)
