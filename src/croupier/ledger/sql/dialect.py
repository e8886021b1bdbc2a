"""The little in which SQLite and PostgreSQL differ."""

import sqlite3
from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Any, NamedTuple, Protocol

from croupier.ledger.sql.chunks import chunks
from croupier.ledger.sql.connection import Connection


class RowSource(NamedTuple):
    """SQL that yields some rows, and its parameters."""

    sql: str
    parameters: Sequence[Any]


class Dialect(Protocol):
    """Statements of one store; `find_table` takes a table's name and returns a row if it exists.

    `clock_ms`: the time of the database's machine.
    """

    find_table: str
    clock_ms: str

    def row_sources(self, rows: Sequence[Sequence[Any]]) -> Iterator[RowSource]:
        """Yield sources for all of `rows`, in order."""


class SqliteDialect:
    """Follows `Dialect`."""

    find_table = "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?"
    clock_ms = "CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER)"

    def row_sources(self, rows: Sequence[Sequence[Any]]) -> Iterator[RowSource]:
        """Yield VALUES of a few lengths, so that every statement text stays prepared."""
        for chunk in chunks(rows):
            marks = f"({','.join('?' * len(chunk[0]))})"
            yield RowSource(f"VALUES {','.join([marks] * len(chunk))}", [*chain.from_iterable(chunk)])


SQLITE = SqliteDialect()


def dialect_of(connection: Connection) -> Dialect:
    assert isinstance(connection, sqlite3.Connection)
    return SQLITE


def has_table(connection: Connection, table: str) -> bool:
    """Return whether the database has this table; one of an older version may not."""
    return bool(connection.execute(dialect_of(connection).find_table, (table,)).fetchone())
