"""Alembic migrations of a PostgreSQL database. All steps are one transaction: done whole or not at all.

The first step creates the schema that SQLite databases have at the same revision. Nodes of the version before
go on during an upgrade, so a step only adds: tables, or columns with a default at the end of a table.
"""

from collections.abc import Mapping
from pathlib import Path

import sqlalchemy
from sqlalchemy.pool import NullPool

from croupier.extras import require
from croupier.ledger.postgresql.connection import READER_SETTINGS, connect_for_sqlalchemy
from croupier.ledger.sql.databases import PostgresqlUrl
from croupier.ledger.sql.schema_versions import Migration, execute_steps, migration_errors, needed_migration

SCRIPTS = Path(__file__).parent
PROBLEM = "can't be used ({})"


def upgrade(url: PostgresqlUrl, version: str = "head") -> None:
    """Migrate a database to a version, by default the newest; other servers may do so at the same time.

    DatabaseUnusable when a newer program wrote it, or when it can't be used.
    """
    with migration_errors(url, PROBLEM):
        execute_steps(SCRIPTS, _engine(url, {}), version)


def needed(url: PostgresqlUrl) -> Migration:
    """Return what `upgrade` would do to the database."""
    with migration_errors(url, PROBLEM):
        return needed_migration(SCRIPTS, _engine(url, READER_SETTINGS))


def _engine(url: PostgresqlUrl, settings: Mapping[str, str]) -> sqlalchemy.Engine:
    require("postgresql")  # SQLAlchemy's own error doesn't say what to install
    return sqlalchemy.create_engine(
        "postgresql+psycopg://",
        creator=lambda: connect_for_sqlalchemy(url, settings),
        poolclass=NullPool,
        use_native_hstore=False,
    )
