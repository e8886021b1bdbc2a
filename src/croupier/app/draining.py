"""Draining: before the server stops, live tables finish their rounds."""

import asyncio
from contextlib import suppress

from croupier.dealing.live.table import LiveTable
from croupier.gateway.server import Server
from croupier.refusal import Refused
from croupier.tables.live.inputs import TableClosed


async def drain_tables(server: Server, longest_s: float) -> None:
    """Close each live table after its round; return when all are closed, or after `longest_s`.

    Where other servers share the database, each table is released when it has closed, so that one of them
    opens it while others still finish their rounds here.
    """
    server.live_tables.take_no_more()
    if server.presence:
        server.presence.leave()
    with suppress(TimeoutError):
        async with asyncio.timeout(longest_s):
            await asyncio.gather(*(_finish(server, table) for table in server.live.values()))


async def _finish(server: Server, table: LiveTable) -> None:
    await _close(server, table)
    await server.live_tables.release(table.table.id)


async def _close(server: Server, table: LiveTable) -> None:
    """Close a table after its round; return once it is closed, or no longer runs here."""
    closed = asyncio.Event()

    def changed() -> None:
        if table.state.phase == "closed" or table.is_closing:
            closed.set()

    unwatch = table.watch(changed)
    server.live_tables.watch(changed)
    with suppress(Refused):  # it is closed, or closes already
        await table.execute(TableClosed())
    changed()
    await closed.wait()
    unwatch()
