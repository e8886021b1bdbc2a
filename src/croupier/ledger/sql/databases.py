"""Databases by their place: a path is an SQLite file. Each store is imported when it is opened."""

import sqlite3
from pathlib import Path

from croupier.ledger.sql.connection import Connection
from croupier.ledger.sql.driver import Driver

Database = Path


def open_reader(database: Database) -> Connection:
    """Open a connection that can only read; from BEGIN on, it sees the database in one state."""
    from croupier.ledger.sqlite import connection

    return connection.open_reader(database)


def open_driver(database: Database) -> Driver:
    """Open the writing connection of a writer."""
    from croupier.ledger.sqlite.driver import SqliteDriver

    return SqliteDriver(database)


def database_errors() -> tuple[type[Exception], ...]:
    """Return the errors of the stores that have been imported."""
    return (sqlite3.Error,)
