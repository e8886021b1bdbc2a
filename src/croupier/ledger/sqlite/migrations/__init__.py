"""Alembic migrations of the database. Each step is done whole or not at all.

A step that changes a table uses `op.batch_alter_table`, since SQLite changes little in place. That recreates
the table, so the triggers that keep `journal` and `posting` append-only must be created again.
"""

import sqlite3
from collections.abc import Callable
from contextlib import closing
from functools import partial
from pathlib import Path

import sqlalchemy
from sqlalchemy.pool import NullPool

from croupier.ledger.sql.schema_versions import (
    Migration,
    execute_steps,
    migration_errors,
    needed_migration,
    newest_version,
)
from croupier.ledger.sqlite.connection import open_reader

SCRIPTS = Path(__file__).parent
NEWEST = newest_version(SCRIPTS)
PROBLEM = "can't be opened ({}); see `croupier verify`, or restore a copy of the whole data folder"


def upgrade(path: Path, version: str = "head") -> None:
    """Migrate the database at `path` to a version, by default the newest; create it if it's missing.

    DatabaseUnusable when a newer program wrote it, or when it can't be read.
    """
    if version == "head" and _is_newest(path):
        return  # without Alembic, since its import takes a tenth of the server's start
    with migration_errors(path, PROBLEM):
        _upgrade(path, version)


def needed(path: Path) -> Migration:
    """Return what `upgrade` would do to an existing database, which a server may have open."""
    with migration_errors(path, PROBLEM):
        return needed_migration(SCRIPTS, _engine(partial(open_reader, path)))


def _is_newest(path: Path) -> bool:
    """Return whether the database has the newest version; False too if that can't be read."""
    if not path.exists() or not path.stat().st_size:
        return False  # asking would write a header into the empty file
    try:
        with closing(_connect(path)) as connection:
            return connection.execute("SELECT version_num FROM alembic_version").fetchall() == [(NEWEST,)]
    except sqlite3.Error:
        return False


def _upgrade(path: Path, version: str) -> None:
    engine = _engine(partial(_connect, path))
    sqlalchemy.event.listen(engine, "begin", lambda begun: begun.exec_driver_sql("BEGIN IMMEDIATE"))
    execute_steps(SCRIPTS, engine, version)


def _engine(connect: Callable[[], sqlite3.Connection]) -> sqlalchemy.Engine:
    return sqlalchemy.create_engine("sqlite://", creator=connect, poolclass=NullPool)


def _connect(path: Path) -> sqlite3.Connection:
    """Leave transactions to SQLAlchemy, since sqlite3 wouldn't include statements that create tables."""
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("PRAGMA journal_mode = wal")
    connection.execute("PRAGMA synchronous = full")
    return connection
