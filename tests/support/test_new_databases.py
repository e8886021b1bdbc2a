"""A copied database is what `upgrade` would create, and an existing one is migrated."""

import sqlite3
from contextlib import closing
from pathlib import Path
from unittest.mock import patch

import pytest

from croupier.app.serve import open_ledger
from croupier.ledger.protocol import DatabaseUnusable
from croupier.ledger.sqlite.migrations import upgrade
from tests.support import new_databases


def contents(path: Path) -> tuple[object, ...]:
    """Return the statements that make the database, sorted: SQLAlchemy creates indexes in any order."""
    with closing(sqlite3.connect(path)) as database:
        pragmas = (database.execute(f"PRAGMA {name}").fetchone() for name in ("journal_mode", "page_size"))
        return *pragmas, *sorted(database.iterdump())


def database_id(path: Path) -> str:
    with closing(sqlite3.connect(path)) as database:
        (found,) = database.execute("SELECT value FROM meta WHERE key = 'database'").fetchone()
    return str(found)


def without_id(path: Path) -> tuple[object, ...]:
    return tuple(str(part).replace(database_id(path), "") for part in contents(path))


def test_a_new_database_is_the_one_that_migrations_create(tmp_path: Path) -> None:
    copied, migrated = tmp_path / "copied.db", tmp_path / "migrated.db"
    upgrade(copied)
    new_databases.migrate(migrated, "head")
    assert without_id(copied) == without_id(migrated)


def test_a_new_ledger_is_a_copy_too(tmp_path: Path) -> None:
    """Its empty file has been made, with access for its owner only, before it is migrated."""
    new_databases.migrated()
    with patch.object(new_databases, "migrate", side_effect=AssertionError("not copied")):
        open_ledger(tmp_path).close()


def test_no_other_file_becomes_a_copy(tmp_path: Path) -> None:
    (path := tmp_path / "other.db").write_bytes(b"not a database, and longer than a header is" * 100)
    before = path.read_bytes()
    with pytest.raises(DatabaseUnusable):
        upgrade(path)
    assert path.read_bytes() == before


def test_each_copy_has_an_id_of_its_own(tmp_path: Path) -> None:
    paths = [tmp_path / name for name in ("one.db", "two.db")]
    for path in paths:
        upgrade(path)
    assert len({database_id(path) for path in paths}) == len(paths)


def test_an_older_database_is_migrated_and_keeps_its_id(tmp_path: Path) -> None:
    older, new = tmp_path / "older.db", tmp_path / "new.db"
    upgrade(older, "0010")
    before = database_id(older)
    upgrade(older)
    upgrade(new)
    assert database_id(older) == before
    assert without_id(older) == without_id(new)
