"""The message bus of a server that shares its database with others."""

import asyncio
import logging
from collections.abc import AsyncIterator, Collection
from contextlib import asynccontextmanager
from pathlib import Path
from typing import NamedTuple

from croupier.audit.anchoring.anchoring import database_id
from croupier.cluster.bus import Bus
from croupier.cluster.local_bus import LocalBus
from croupier.cluster.roles import NodeRole
from croupier.cluster.table_leases import owner_name
from croupier.gateway.server import Server
from croupier.gateway.table_gateways import TableGateways
from croupier.ledger.sql.databases import Database
from croupier.protocol.signatures import Secret

log = logging.getLogger(__name__)


class BusOptions(NamedTuple):
    """The message server, and the key that seals the messages; without a key they are readable there.

    `credentials`: a file of NATS for the sign-in; `ca`: certificates that its own must descend from.
    """

    url: str
    key: Secret | None = None
    credentials: Path | None = None
    ca: Path | None = None


@asynccontextmanager
async def connected_bus(options: BusOptions | None, database: Database) -> AsyncIterator[Bus | None]:
    """Connect to a message server; BusUnavailable if it doesn't answer.

    Its subjects have the database's id, so that servers of several databases can share it. Without a message
    server, a server finds out what others change by looking; None on SQLite, which has one server.
    """
    if options is None:
        yield None if isinstance(database, Path) else LocalBus()
        return
    bus = await _connect(options, f"croupier.{await asyncio.to_thread(database_id, database)}")
    try:
        yield bus
    finally:
        await bus.close()


async def _connect(options: BusOptions, prefix: str) -> Bus:
    from croupier.cluster.message_seal import MessageSeal
    from croupier.cluster.nats_bus import NatsBus, NatsServers
    from croupier.cluster.sealed_bus import SealedBus

    servers = NatsServers(options.url, options.credentials, options.ca)
    bus = await NatsBus.connect(servers, prefix=prefix, name=owner_name())
    if options.key is None:
        log.warning("messages between nodes aren't sealed: who reaches the message server plays for anyone")
        return bus
    return SealedBus(bus, MessageSeal(options.key))


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
