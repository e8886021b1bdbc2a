"""The little in which SQLite and PostgreSQL differ."""

import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any, NamedTuple, Protocol

from croupier.ledger.sql.chunks import chunks
from croupier.ledger.sql.connection import Connection, StreamingConnection

ARRAYS: Mapping[type, str] = {int: "bigint[]", str: "text[]", bytes: "bytea[]"}


class RowSource(NamedTuple):
    """SQL that yields some rows, and its parameters."""

    sql: str
    parameters: Sequence[Any]


class Dialect(Protocol):
    """Statements of one store; `find_table` takes a table's name and returns a row if it exists.

    `find_column` takes a table's and a column's name. `clock_ms`: the time of the database's machine.
    """

    find_table: str
    find_column: str
    clock_ms: str

    def row_sources(self, rows: Sequence[Sequence[Any]]) -> Iterator[RowSource]:
        """Yield sources for all of `rows`, in order."""

    def stream(self, connection: Connection, query: str, parameters: Sequence[Any] = ()) -> Iterable[Any]:
        """Return an iterable of many rows, which aren't all in memory; in a transaction of a reader."""

    def file_problem(self, connection: Connection) -> str:
        """Return what is wrong with the database's own structure, if anything."""


class SqliteDialect:
    """Follows `Dialect`."""

    find_table = "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?"
    find_column = "SELECT 1 FROM pragma_table_info(?) WHERE name = ?"
    clock_ms = "CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER)"

    def row_sources(self, rows: Sequence[Sequence[Any]]) -> Iterator[RowSource]:
        """Yield VALUES of a few lengths, so that every statement text stays prepared."""
        for chunk in chunks(rows):
            marks = f"({','.join('?' * len(chunk[0]))})"
            yield RowSource(f"VALUES {','.join([marks] * len(chunk))}", [*chain.from_iterable(chunk)])

    def stream(self, connection: Connection, query: str, parameters: Sequence[Any] = ()) -> Iterable[Any]:
        return connection.execute(query, parameters)

    def file_problem(self, connection: Connection) -> str:
        (problem,) = connection.execute("PRAGMA integrity_check(1)").fetchone()
        return "" if problem == "ok" else str(problem)


class PostgresqlDialect:
    """Follows `Dialect`."""

    find_table = """SELECT 1 FROM information_schema.tables
        WHERE table_schema = current_schema() AND table_name = ?"""
    find_column = """SELECT 1 FROM information_schema.columns
        WHERE table_schema = current_schema() AND table_name = ? AND column_name = ?"""
    clock_ms = "CAST(extract(epoch FROM clock_timestamp()) * 1000 AS bigint)"

    def row_sources(self, rows: Sequence[Sequence[Any]]) -> Iterator[RowSource]:
        """Yield one array for each column: one statement text for any number of rows."""
        if rows:
            columns = [list(each) for each in zip(*rows, strict=True)]
            marks = ", ".join(f"?::{ARRAYS[type(value)]}" for value in rows[0])
            yield RowSource(f"SELECT * FROM unnest({marks})", columns)  # noqa: S608 - types

    def stream(self, connection: Connection, query: str, parameters: Sequence[Any] = ()) -> Iterable[Any]:
        assert isinstance(connection, StreamingConnection)
        return connection.stream(query, parameters)

    def file_problem(self, _connection: Connection) -> str:
        """Return nothing: PostgreSQL has its own tools, and checksums of pages."""
        return ""


SQLITE, POSTGRESQL = SqliteDialect(), PostgresqlDialect()


def dialect_of(connection: Connection) -> Dialect:
    return SQLITE if isinstance(connection, sqlite3.Connection) else POSTGRESQL


def has_table(connection: Connection, table: str) -> bool:
    """Return whether the database has this table; one of an older version may not."""
    return bool(connection.execute(dialect_of(connection).find_table, (table,)).fetchone())


def has_column(connection: Connection, table: str, column: str) -> bool:
    """Return whether a table has this column; one of an older version may not."""
    return bool(connection.execute(dialect_of(connection).find_column, (table, column)).fetchone())
