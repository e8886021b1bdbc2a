"""Migration of a database to the present schema, without opening its ledger."""

from pathlib import Path

from croupier.ledger.sql.databases import Database
from croupier.ledger.sql.schema_versions import Migration


def needed_migration_of(database: Database) -> Migration:
    """Return what an existing database needs; servers may have it open."""
    if isinstance(database, Path):
        from croupier.ledger.sqlite import migrations as sqlite

        return sqlite.needed(database)
    from croupier.ledger.postgresql import migrations as postgresql

    return postgresql.needed(database)


def migrate(database: Database) -> Migration:
    """Migrate an existing database as the start of a server does, and return what was done.

    DatabaseLocked if a server has an SQLite file open. Servers on PostgreSQL may go on.
    """
    if isinstance(database, Path):
        from croupier.ledger.sqlite import migrations as sqlite
        from croupier.ledger.sqlite.connection import lock_database

        with lock_database(database):
            done = sqlite.needed(database)
            sqlite.upgrade(database)
            return done
    from croupier.ledger.postgresql import migrations as postgresql

    done = postgresql.needed(database)
    postgresql.upgrade(database)
    return done
