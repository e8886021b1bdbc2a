"""Draining: before the server stops, live tables finish their rounds."""

import asyncio
from contextlib import suppress

from croupier.refusal import Refused
from croupier.runtime.live.table import LiveTable
from croupier.runtime.server import Server
from croupier.tables.live.inputs import TableClosed


async def drain_tables(server: Server, longest_s: float) -> None:
    """Close each live table after its round; return when all are closed, or after `longest_s`."""
    with suppress(TimeoutError):
        async with asyncio.timeout(longest_s):
            await asyncio.gather(*(_close(table) for table in server.live.values()))


async def _close(table: LiveTable) -> None:
    closed = asyncio.Event()

    def changed() -> None:
        if table.state.phase == "closed":
            closed.set()

    unwatch = table.watch(changed)
    with suppress(Refused):  # it is closed, or closes already
        await table.execute(TableClosed())
    changed()
    await closed.wait()
    unwatch()
