"""A PostgreSQL database of its own for the tests of one process, emptied for each test."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from croupier.ledger.chain import START
from croupier.ledger.sql.databases import PostgresqlUrl, postgresql_url

SERVER = os.environ.get("CROUPIER_TEST_POSTGRESQL", "postgresql://127.0.0.1/postgres")
"""A database whose user may create databases, and is a superuser."""
TABLES = "SELECT string_agg(table_name, ',') FROM information_schema.tables WHERE table_schema = 'public'"
KEPT = {"alembic_version"}


@contextmanager
def database(name: str) -> Iterator[PostgresqlUrl]:
    """Create an empty database, and drop it in the end."""
    with administration() as connection:
        connection.execute(f'DROP DATABASE IF EXISTS "{name}" WITH (FORCE)')
        connection.execute(f'CREATE DATABASE "{name}"')
    try:
        yield postgresql_url(SERVER.rpartition("/")[0] + f"/{name}")
    finally:
        with administration() as connection:
            connection.execute(f'DROP DATABASE "{name}" WITH (FORCE)')


@contextmanager
def administration(url: str = SERVER) -> Iterator[Any]:
    """Connect beside croupier; skip the test where there is no server."""
    psycopg = pytest.importorskip("psycopg", reason="psycopg isn't installed")
    try:
        connection = psycopg.connect(url, autocommit=True, connect_timeout=5)
    except psycopg.OperationalError:
        pytest.skip(f"no PostgreSQL server at {postgresql_url(SERVER)}")
    with connection:
        yield connection


def empty(url: PostgresqlUrl) -> None:
    """Delete all rows, those that can't be deleted otherwise too."""
    with administration(url.text) as connection:
        connection.execute("SET session_replication_role = replica")  # without triggers
        ((names,),) = connection.execute(TABLES).fetchall()
        deletions = [f"DELETE FROM {name}" for name in names.split(",") if name not in KEPT]
        connection.execute("; ".join([*deletions, f"INSERT INTO meta VALUES ('head', '{START}')"]))


@pytest.fixture(scope="session")
def migrated_postgresql() -> Iterator[PostgresqlUrl]:
    from croupier.ledger.postgresql.migrations import upgrade

    with database(f"croupier_test_{os.getpid()}") as url:
        upgrade(url)
        yield url


@pytest.fixture
def postgresql(migrated_postgresql: PostgresqlUrl) -> PostgresqlUrl:
    """Return an empty database with the present schema."""
    empty(migrated_postgresql)
    return migrated_postgresql
