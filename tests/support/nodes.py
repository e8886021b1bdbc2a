"""Several servers on one database: SQLite can share it within a process only."""

import dataclasses
from collections.abc import AsyncIterator, Collection, Mapping
from contextlib import asynccontextmanager
from pathlib import Path

from croupier.app.serve import SHOES_KEY
from croupier.app.server import build_server
from croupier.cluster.bus import Bus
from croupier.cluster.roles import BOTH_ROLES, NodeRole
from croupier.config import read_config
from croupier.games import published_tables
from croupier.gateway.server import Server
from croupier.ledger.sql.store import SqlLedger
from croupier.play.contract.game import Table
from croupier.rounds.shoe_seal import Seal
from croupier.storage.sql.leases import SqlLeases
from croupier.storage.sql.stores import sql_stores
from croupier.video.port import Media


def tables_named(*names: str) -> Mapping[str, Table]:
    return {name: published_tables()[name] for name in names}


@asynccontextmanager
async def node(
    ledger: SqlLedger,
    folder: Path,
    tables: Mapping[str, Table],
    config: str,
    bus: Bus | None = None,
    roles: Collection[NodeRole] = BOTH_ROLES,
    media: Media | None = None,
) -> AsyncIterator[Server]:
    """Start a server on a database that others write too; stop it at the end."""
    stores = dataclasses.replace(sql_stores(ledger), leases=SqlLeases(ledger, shared=True))
    read = read_config(config, tables, "croupier.toml")
    seal = Seal.of_file(folder / SHOES_KEY)
    server = build_server(stores, tables, seal, read, bus=bus, media=media, roles=roles)
    await server.start()
    try:
        yield server
    finally:
        await server.stop()
