"""Open a database of either store, which is imported only then."""

from pathlib import Path

from croupier.ledger.sql.connection import Connection
from croupier.ledger.sql.databases import Database
from croupier.ledger.sql.driver import Driver


def open_reader(database: Database) -> Connection:
    """Open a connection that can only read; from BEGIN on, it sees the database in one state."""
    if isinstance(database, Path):
        from croupier.ledger.sqlite import connection as sqlite

        return sqlite.open_reader(database)
    from croupier.ledger.postgresql import connection as postgresql

    return postgresql.open_reader(database)


def open_driver(database: Database) -> Driver:
    """Open the writing connection of a writer."""
    if isinstance(database, Path):
        from croupier.ledger.sqlite.driver import SqliteDriver

        return SqliteDriver(database)
    from croupier.ledger.postgresql.driver import PostgresqlDriver

    return PostgresqlDriver(database)
