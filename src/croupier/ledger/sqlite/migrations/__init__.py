"""Alembic migrations of the database. Each step is done whole or not at all.

A step that changes a table uses `op.batch_alter_table`, since SQLite changes little in place. That recreates
the table, so the triggers that keep `journal` and `posting` append-only must be created again.
"""

import sqlite3
from contextlib import closing
from functools import partial
from pathlib import Path

import sqlalchemy
from sqlalchemy.pool import NullPool

from croupier.ledger.protocol import DatabaseUnusable

NEWEST = max(step.stem[1:5] for step in (Path(__file__).parent / "versions").glob("v*.py"))
RESTORE = "see `croupier verify`, or restore a copy of the whole data folder"


def upgrade(path: Path, version: str = "head") -> None:
    """Migrate the database at `path` to a version, by default the newest; create it if it's missing.

    DatabaseUnusable when a newer program wrote it, or when it can't be read.
    """
    if version == "head" and _is_newest(path):
        return  # without Alembic, since its import takes a tenth of the server's start
    from alembic.util import CommandError

    try:
        _upgrade(path, version)
    except CommandError as error:
        raise DatabaseUnusable(
            f"{path} was written by a newer version of croupier ({error}); open it with that version"
        ) from error
    except sqlalchemy.exc.DatabaseError as error:
        raise DatabaseUnusable(f"{path} can't be opened ({error.orig}); {RESTORE}") from error


def _is_newest(path: Path) -> bool:
    """Return whether the database has the newest version; False too if that can't be read."""
    if not path.exists():
        return False
    try:
        with closing(_connect(path)) as connection:
            return connection.execute("SELECT version_num FROM alembic_version").fetchall() == [(NEWEST,)]
    except sqlite3.Error:
        return False


def _upgrade(path: Path, version: str) -> None:
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent).replace("%", "%%"))
    engine = sqlalchemy.create_engine("sqlite://", creator=partial(_connect, path), poolclass=NullPool)
    sqlalchemy.event.listen(engine, "begin", lambda begun: begun.exec_driver_sql("BEGIN IMMEDIATE"))
    with engine.connect() as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, version)


def _connect(path: Path) -> sqlite3.Connection:
    """Leave transactions to SQLAlchemy, since sqlite3 wouldn't include statements that create tables."""
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("PRAGMA journal_mode = wal")
    connection.execute("PRAGMA synchronous = full")
    return connection
