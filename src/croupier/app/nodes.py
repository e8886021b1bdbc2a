"""The message bus of a server that shares its database with others."""

from collections.abc import AsyncIterator, Collection
from contextlib import asynccontextmanager
from pathlib import Path

from croupier.audit.anchoring.anchoring import database_id
from croupier.gateway.table_gateways import TableGateways
from croupier.ledger.sql.databases import Database
from croupier.runtime.nodes.bus import Bus
from croupier.runtime.nodes.local_bus import LocalBus
from croupier.runtime.nodes.roles import NodeRole
from croupier.runtime.server import Server
from croupier.runtime.table_leases import owner_name


@asynccontextmanager
async def connected_bus(url: str, database: Database) -> AsyncIterator[Bus | None]:
    """Connect to the message server at `url`; BusUnavailable if it doesn't answer.

    Its subjects have the database's id, so that servers of several databases can share it. Without `url` the
    server finds out what others change by looking; None on SQLite, which has one server.
    """
    if not url:
        yield None if isinstance(database, Path) else LocalBus()
        return
    from croupier.runtime.nodes.nats_bus import NatsBus

    bus = await NatsBus.connect(url, prefix=f"croupier.{database_id(database)}", name=owner_name())
    try:
        yield bus
    finally:
        await bus.close()


@asynccontextmanager
async def serving_gateways(
    server: Server, bus: Bus | None, roles: Collection[NodeRole]
) -> AsyncIterator[None]:
    """Let players of other nodes play at this node's live tables, if it shares a message server."""
    if bus is None or "tables" not in roles:
        yield
        return
    gateways = TableGateways(server, bus)
    await gateways.start()
    try:
        yield
    finally:
        gateways.stop()
