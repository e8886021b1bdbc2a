"""Ledgers by the place of their database. Each store is imported when one of its databases is opened."""

from collections.abc import Callable
from pathlib import Path

from croupier.ledger.sql.databases import Database
from croupier.ledger.sql.store import SqlLedger, SqlReader


def open_ledger(database: Database) -> SqlLedger:
    """Migrate a database, and write it in a thread."""
    if isinstance(database, Path):
        from croupier.ledger.sqlite import migrations as sqlite
        from croupier.ledger.sqlite.store import SqliteLedger

        return SqliteLedger.open(database, migrate=sqlite.upgrade)
    from croupier.ledger.postgresql import migrations as postgresql
    from croupier.ledger.postgresql.store import PostgresqlLedger

    return PostgresqlLedger.open(database, migrate=postgresql.upgrade)


async def open_with_writer_process(
    database: Database, on_exit: Callable[[], None] = lambda: None
) -> SqlLedger:
    """Migrate a database, and write it in another process; `on_exit` is called if that ends by itself."""
    if isinstance(database, Path):
        from croupier.ledger.sqlite import migrations as sqlite
        from croupier.ledger.sqlite.store import SqliteLedger

        return await SqliteLedger.open_with_writer_process(database, migrate=sqlite.upgrade, on_exit=on_exit)
    from croupier.ledger.postgresql import migrations as postgresql
    from croupier.ledger.postgresql.store import PostgresqlLedger

    return await PostgresqlLedger.open_with_writer_process(
        database, migrate=postgresql.upgrade, on_exit=on_exit
    )


def open_ledger_reader(database: Database) -> SqlReader:
    """Open a database that another process may have open."""
    if isinstance(database, Path):
        from croupier.ledger.sqlite.store import SqliteReader

        return SqliteReader(database)
    from croupier.ledger.postgresql.store import PostgresqlReader

    return PostgresqlReader(database)
