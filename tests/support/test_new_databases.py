"""A copied database is what `upgrade` would create, and an existing one is migrated."""

import sqlite3
from contextlib import closing
from pathlib import Path

from croupier.ledger.sqlite.migrations import upgrade
from tests.support import new_databases


def contents(path: Path) -> tuple[object, ...]:
    """Return the statements that make the database, sorted: SQLAlchemy creates indexes in any order."""
    with closing(sqlite3.connect(path)) as database:
        pragmas = (database.execute(f"PRAGMA {name}").fetchone() for name in ("journal_mode", "page_size"))
        return *pragmas, *sorted(database.iterdump())


def test_a_new_database_is_the_one_that_migrations_create(tmp_path: Path) -> None:
    copied, migrated = tmp_path / "copied.db", tmp_path / "migrated.db"
    upgrade(copied)
    new_databases.migrate(migrated, "head")
    assert copied.read_bytes() == new_databases.migrated()
    assert contents(copied) == contents(migrated)


def test_an_older_database_is_migrated(tmp_path: Path) -> None:
    older = tmp_path / "older.db"
    upgrade(older, "0010")
    before = contents(older)
    upgrade(older)
    assert contents(older) != before
    assert older.read_bytes() != new_databases.migrated()
