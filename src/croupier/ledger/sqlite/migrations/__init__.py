"""The house's tables, made and brought up to date by Alembic. Each step is all done or not at all.

A step that changes a table uses `op.batch_alter_table`, for SQLite changes little in place. That
makes the table anew: the triggers that keep `journal` and `posting` append only must be made again.
"""

import sqlite3
from functools import partial
from pathlib import Path

import sqlalchemy
from alembic import command
from alembic.config import Config
from alembic.util import CommandError
from sqlalchemy.pool import NullPool

from croupier.ledger.protocol import DatabaseUnusable

RESTORE = "see `croupier verify`, or restore a copy of the whole data folder"


def upgrade(path: Path, version: str = "head") -> None:
    """Bring the database at `path` to a version, the newest; it is made when it isn't there.

    DatabaseUnusable when it was written by a newer program, or isn't a database that can be read.
    """
    try:
        _upgrade(path, version)
    except CommandError as error:
        raise DatabaseUnusable(
            f"{path} was written by a newer version of croupier ({error}); open it with that version"
        ) from error
    except sqlalchemy.exc.DatabaseError as error:
        raise DatabaseUnusable(f"{path} can't be opened ({error.orig}); {RESTORE}") from error


def _upgrade(path: Path, version: str) -> None:
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent).replace("%", "%%"))
    engine = sqlalchemy.create_engine("sqlite://", creator=partial(_connect, path), poolclass=NullPool)
    sqlalchemy.event.listen(engine, "begin", lambda begun: begun.exec_driver_sql("BEGIN IMMEDIATE"))
    with engine.connect() as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, version)


def _connect(path: Path) -> sqlite3.Connection:
    """SQLAlchemy begins the transactions: sqlite3 would leave statements that make tables outside."""
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("PRAGMA journal_mode = wal")
    connection.execute("PRAGMA synchronous = full")
    return connection
