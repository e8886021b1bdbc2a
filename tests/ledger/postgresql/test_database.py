"""The database and its connections: URLs, the schema, rows that can't be changed, the form of statements."""

import ast
import os
import sqlite3
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import closing
from pathlib import Path

import psycopg
import pytest

from croupier.ledger.postgresql.connection import connect, numbered, open_reader, open_writer
from croupier.ledger.postgresql.migrations import SCRIPTS, upgrade
from croupier.ledger.protocol import DatabaseUnusable
from croupier.ledger.sql.databases import PostgresqlUrl, postgresql_url
from croupier.ledger.sql.verify import verify
from croupier.ledger.sqlite import migrations as sqlite
from croupier.ledger.stores import open_ledger
from tests.ledger.sample_entries import grant
from tests.support.postgresql import administration, database

LOCK_KEY = 7262931
"""Of the lock that migrations take."""
COLUMNS = """SELECT table_name, column_name FROM information_schema.columns WHERE table_schema = 'public'
    ORDER BY table_name, ordinal_position"""


@pytest.mark.parametrize(
    "text",
    [
        "postgresql://ann:geheim@db.example:5433/croupier?sslmode=require&password=geheim",
        "postgres://ann:geheim%40x@[::1]/croupier",
        "postgresql://:geheim@/croupier",
    ],
)
def test_a_url_is_shown_without_secrets(text: str) -> None:
    url = postgresql_url(text)
    assert "geheim" not in f"{url} {url!r}"
    assert str(url).endswith("/croupier")


@pytest.mark.parametrize(
    "text", ["", "croupier.db", "mysql://ann:geheim@db/x", "postgresql://db", "postgresql://a:ge/heim@b/x"]
)
def test_other_texts_are_refused_without_showing_them(text: str) -> None:
    with pytest.raises(DatabaseUnusable) as refused:
        postgresql_url(text)
    assert "postgresql://USER@HOST/NAME" in str(refused.value)
    assert "heim" not in str(refused.value)


@pytest.mark.parametrize("options", ["?geheim=1", "?sslmode=geheim", "?port=1"])
def test_errors_of_a_connection_do_not_show_the_password(options: str) -> None:
    url = postgresql_url(f"postgresql://ann:secret@127.0.0.1:1/croupier{options}")
    with pytest.raises((DatabaseUnusable, psycopg.Error)) as error:
        connect(url, {})
    assert "secret" not in str(error.value)


def test_errors_of_a_statement_do_not_show_rows(postgresql: PostgresqlUrl) -> None:
    with closing(open_writer(postgresql)) as connection:
        connection.execute("INSERT INTO meta VALUES (?, ?)", ("geheim", "1"))
        with pytest.raises(psycopg.errors.UniqueViolation) as violation:
            connection.execute("INSERT INTO meta VALUES (?, ?)", ("geheim", "2")).fetchall()
    assert "duplicate key" in str(violation.value)
    assert "geheim" not in str(violation.value)


def test_statements_have_numbered_parameters_outside_quotes() -> None:
    assert numbered("SELECT ?, 'why?', ? || 'it''s?'") == "SELECT $1, 'why?', $2 || 'it''s?'"


def test_readers_cannot_write(postgresql: PostgresqlUrl) -> None:
    with closing(open_reader(postgresql)) as reader, pytest.raises(psycopg.errors.ReadOnlySqlTransaction):
        reader.execute("DELETE FROM account")


def test_sums_are_integers_beyond_any_bigint(postgresql: PostgresqlUrl) -> None:
    with closing(open_reader(postgresql)) as reader:
        sums = reader.execute("SELECT sum(minor), sum(minor) / 2.0 FROM unnest(?) AS minor", ([2**62] * 4,))
        assert sums.fetchone() == (2**64, 2.0**63)


@pytest.mark.parametrize("table", ["journal", "posting"])
@pytest.mark.parametrize("change", ["UPDATE {} SET seq = 9", "DELETE FROM {}", "TRUNCATE {}"])
def test_written_rows_cannot_be_changed(postgresql: PostgresqlUrl, table: str, change: str) -> None:
    with closing(open_ledger(postgresql)) as ledger:
        ledger.post([grant(100)]).result(30)
        forged = ledger.run(lambda connection: connection.execute(change.format(table)))
        with pytest.raises(psycopg.IntegrityError, match=f"{table} is append only"):
            forged.result(30)
    assert verify(postgresql).bad is None


def test_both_stores_have_the_same_columns(migrated_postgresql: PostgresqlUrl, tmp_path: Path) -> None:
    sqlite.upgrade(tmp_path / "croupier.db")
    with closing(sqlite3.connect(tmp_path / "croupier.db")) as file:
        tables = [name for (name,) in file.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        columns = {
            (table, row[1])
            for table in tables
            for row in file.execute(f"SELECT * FROM pragma_table_info('{table}')")
            if not table.startswith("sqlite_")
        }
    with administration(migrated_postgresql.text) as connection:
        assert set(connection.execute(COLUMNS).fetchall()) == columns


BASELINE = "v0018_baseline.py"
ADDITIONS = {"create_table", "add_column", "create_index", "create_check_constraint", "bulk_insert"}
"""They disturb no server of the version before. It has to keep an added check already."""
DROPPING = "def upgrade():\n    op.drop_column('player', 'name')\n"


def operations_of(source: str) -> set[str]:
    """Return the operations of Alembic that a step calls."""
    calls = (node.func for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Call))
    named = (func for func in calls if isinstance(func, ast.Attribute) and isinstance(func.value, ast.Name))
    return {func.attr for func in named if func.value.id == "op"}  # type: ignore[attr-defined]


def test_steps_only_add_so_that_running_nodes_go_on() -> None:
    later = [step for step in (SCRIPTS / "versions").glob("v*.py") if step.name > BASELINE]
    for step in later:
        assert operations_of(step.read_text()) <= ADDITIONS, step.name
    assert operations_of(DROPPING) - ADDITIONS == {"drop_column"}


def test_servers_migrate_one_after_the_other() -> None:
    lock, name = f"({LOCK_KEY})", f"croupier_test_{os.getpid()}_migration"
    with database(name) as url, administration(url.text) as other, ThreadPoolExecutor(1) as pool:
        other.execute(f"SELECT pg_advisory_lock{lock}")
        migrated = pool.submit(upgrade, url)
        assert not wait([migrated], 0.5).done
        other.execute(f"SELECT pg_advisory_unlock{lock}")
        migrated.result(30)
        other.execute("UPDATE alembic_version SET version_num = '9999'")
        with pytest.raises(DatabaseUnusable, match="written by a newer version"):
            upgrade(url)
