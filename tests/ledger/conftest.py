"""A ledger opened as the server opens it: on a real disk; for tests marked `any_store`, on PostgreSQL too."""

import sqlite3
from collections.abc import Callable, Iterator
from inspect import signature
from pathlib import Path

import psycopg
import pytest

from croupier.ledger.entries import Entry
from croupier.ledger.sql.databases import Database, PostgresqlUrl
from croupier.ledger.sql.store import SqlLedger
from croupier.ledger.stores import open_ledger

INTEGRITY_ERRORS = sqlite3.IntegrityError, psycopg.IntegrityError
STORES = ("sqlite", "postgresql")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run marked tests on all stores, except those that ask for the `path` of a file."""
    used = [name for mark in metafunc.definition.iter_markers("usefixtures") for name in mark.args]
    needs_file = "path" in [*used, *signature(metafunc.function).parameters]
    if "database" in metafunc.fixturenames and metafunc.definition.get_closest_marker("any_store"):
        metafunc.parametrize("database", STORES[:1] if needs_file else STORES, indirect=True)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "ledger.db"


@pytest.fixture
def database(request: pytest.FixtureRequest, path: Path) -> Database:
    if getattr(request, "param", "sqlite") == "sqlite":
        return path
    url: PostgresqlUrl = request.getfixturevalue("postgresql")
    return url


@pytest.fixture(scope="session")
def samples(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder of closed SQLite databases, which a fixture fills once and copies afterwards."""
    return tmp_path_factory.mktemp("samples")


@pytest.fixture
def ledger(database: Database) -> Iterator[SqlLedger]:
    opened = open_ledger(database)
    yield opened
    opened.close()


@pytest.fixture
def post(ledger: SqlLedger) -> Callable[..., list[int]]:
    """Post entries as one sequence and return their seqs, or raise the refusal."""

    def post_all(*entries: Entry) -> list[int]:
        return [posted.seq for posted in ledger.post(entries).result(timeout=30)]

    return post_all
