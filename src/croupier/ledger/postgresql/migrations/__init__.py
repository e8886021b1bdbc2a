"""Alembic migrations of a PostgreSQL database. All steps are one transaction: done whole or not at all.

The first step creates the schema that SQLite databases have at the same revision.
"""

from pathlib import Path

import sqlalchemy
from alembic import command
from alembic.config import Config
from alembic.util import CommandError
from sqlalchemy.pool import NullPool

from croupier.ledger.postgresql.connection import connect_for_sqlalchemy
from croupier.ledger.protocol import DatabaseUnusable
from croupier.ledger.sql.databases import PostgresqlUrl


def upgrade(url: PostgresqlUrl, version: str = "head") -> None:
    """Migrate a database to a version, by default the newest; other servers may do so at the same time.

    DatabaseUnusable when a newer program wrote it, or when it can't be used.
    """
    try:
        _upgrade(url, version)
    except CommandError as error:
        raise DatabaseUnusable(
            f"{url} was written by a newer version of croupier ({error}); open it with that version"
        ) from error
    except sqlalchemy.exc.DatabaseError as error:
        raise DatabaseUnusable(f"{url} can't be used ({error.orig})") from error


def _upgrade(url: PostgresqlUrl, version: str) -> None:
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent).replace("%", "%%"))
    engine = sqlalchemy.create_engine(
        "postgresql+psycopg://",
        creator=lambda: connect_for_sqlalchemy(url, {}),
        poolclass=NullPool,
        use_native_hstore=False,
    )
    with engine.connect() as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, version)
