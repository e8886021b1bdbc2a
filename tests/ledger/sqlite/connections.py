"""The writer's connection, for tests of what only SQLite has."""

import sqlite3
from collections.abc import Callable
from concurrent.futures import Future
from typing import TypeVar

from croupier.ledger.sql.connection import Connection
from croupier.ledger.sqlite.store import SqliteLedger

T = TypeVar("T")


def on_sqlite(ledger: SqliteLedger, work: Callable[[sqlite3.Connection], T]) -> Future[T]:
    """Do some work on the writer's connection."""

    def do(connection: Connection) -> T:
        assert isinstance(connection, sqlite3.Connection)
        return work(connection)

    return ledger.run(do)


def trace(ledger: SqliteLedger, called: Callable[[str], object]) -> Future[None]:
    """Call `called` with every further statement of the writer."""
    return on_sqlite(ledger, lambda connection: connection.set_trace_callback(called))
