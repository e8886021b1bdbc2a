"""New databases of tests: copies of one that this process has migrated, since each migration takes 50 ms."""

import secrets
import sqlite3
from contextlib import closing
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from unittest.mock import patch

from croupier.ledger.sqlite import migrations

migrate = migrations._upgrade
token_hex = secrets.token_hex


@cache
def migrated() -> bytes:
    """Return an empty database of the newest version.

    It takes none of the numbers that a test has put in place of random ones: others would not.
    """
    with TemporaryDirectory() as folder, patch.object(secrets, "token_hex", token_hex):
        path = Path(folder) / "croupier.db"
        migrate(path, "head")
        return path.read_bytes()


def copy_or_migrate(path: Path, version: str) -> None:
    """Write a new database that `upgrade` would create, with an id of its own; migrate others."""
    if version == "head" and path.parent.is_dir() and _is_empty(path):
        path.write_bytes(migrated())
        with closing(sqlite3.connect(path)) as database, database:
            database.execute("PRAGMA synchronous = off")
            database.execute("UPDATE meta SET value = ? WHERE key = 'database'", (secrets.token_hex(16),))
    else:
        migrate(path, version)


def _is_empty(path: Path) -> bool:
    """Return whether the database has no tables: whoever asks an empty file for its version adds a header."""
    if not path.exists():
        return True
    try:
        with closing(sqlite3.connect(path)) as database:
            return not database.execute("SELECT 1 FROM sqlite_master LIMIT 1").fetchall()
    except sqlite3.Error:
        return False


def install() -> None:
    """Let `upgrade` copy new databases in this process."""
    migrations._upgrade = copy_or_migrate
