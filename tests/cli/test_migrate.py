"""`croupier migrate`: it brings a database to the present schema, or says what it would do."""

import asyncio
import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from subprocess import CompletedProcess
from typing import Any

import pytest
from msgspec import json

from croupier.app.serve import DATABASE, SHOES_KEY
from croupier.audit.data_folder import audit
from croupier.ledger.postgresql import migrations as postgresql_migrations
from croupier.ledger.sql.databases import PostgresqlUrl, postgresql_url
from croupier.ledger.sqlite import migrations
from croupier.ledger.sqlite.connection import lock_database
from croupier.protocol import wire
from tests.support import preloaded
from tests.support.browser_connection import connect_guest, deal_open_round
from tests.support.postgresql import administration, database
from tests.support.server_process import CROUPIER, ServerProcess

BEFORE = "0016"
OWN = "double_exposure"
ADDITION = '''"""Nicknames, which this version doesn't know."""

import sqlalchemy as sa
from alembic import op

revision = "9999"
down_revision = "{newest}"


def upgrade() -> None:
    op.add_column("player", sa.Column("nickname", sa.Text, nullable=False, server_default=""))
    op.add_column("round", sa.Column("colour", sa.Text, nullable=False, server_default=""))
    op.create_table("nickname", sa.Column("player", sa.Text, primary_key=True))
'''
RIGHTS = """CREATE ROLE {role} LOGIN;
    GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO {role};
    GRANT USAGE, SELECT ON ALL SEQUENCES IN SCHEMA public TO {role}"""


def migrate(*words: str | Path) -> CompletedProcess[str]:
    return preloaded.run([*CROUPIER, "migrate", *map(str, words)], timeout=60)


def migrated(*words: str | Path) -> Any:
    """Return the JSON that the command prints."""
    ran = migrate(*words, "--json")
    assert ran.returncode == 0, ran
    return json.decode(ran.stdout)


def refusal(*words: str | Path) -> str:
    ran = migrate(*words)
    assert (ran.returncode, ran.stdout, ran.stderr.count("\n")) == (2, "", 1), ran
    return ran.stderr


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """Return the data folder of an earlier version."""
    migrations.upgrade(tmp_path / DATABASE, BEFORE)
    return tmp_path


@pytest.fixture
def empty() -> Iterator[PostgresqlUrl]:
    with database(f"croupier_migrate_{os.getpid()}") as url:
        yield url


def test_it_migrates_once_and_a_dry_run_changes_nothing(data: Path) -> None:
    target = migrations.NEWEST
    for _ in range(2):
        would = migrated("--dry-run", "--data", data)
        assert (would["current"], would["target"], would["migrated"]) == (BEFORE, target, False)
        assert [step["version"] for step in would["steps"]][:2] == ["0017", "0018"]
        assert "Leases of live tables." in [step["adds"] for step in would["steps"]]
    printed = migrate("--dry-run", "--data", data).stdout
    assert f"would be migrated from {BEFORE} to {target}\n  0017  " in printed
    assert migrated("--data", data) == would | {"migrated": True}
    done = {"current": target, "target": target, "steps": [], "migrated": False}
    assert migrated("--data", data) == migrated("--dry-run", "--data", data) == done
    assert "There is nothing to do." in migrate("--data", data).stdout
    assert audit(data / DATABASE, data / SHOES_KEY, lambda *_: None).bad is None


def test_it_refuses_a_file_in_use_another_version_and_no_database(data: Path, tmp_path: Path) -> None:
    with lock_database(data / DATABASE):
        assert "is in use by process" in refusal("--data", data)
        assert migrated("--dry-run", "--data", data)["current"] == BEFORE
    set_version(data / DATABASE)
    for words in ((), ("--dry-run",)):
        assert "was written by a newer version of croupier" in refusal("--data", data, *words)
    assert "no database in" in refusal("--data", tmp_path / "none")
    (data / DATABASE).write_bytes(b"damaged" * 1_000)
    assert "can't be opened (file is not a database)" in refusal("--data", data, "--dry-run")


def test_other_commands_name_the_command_that_an_empty_database_needs(empty: PostgresqlUrl) -> None:
    ran = preloaded.run([*CROUPIER, "verify", "--database", empty.text], timeout=60)
    assert (ran.returncode, ran.stdout) == (2, "")
    assert "the PostgreSQL database lacks tables, which `croupier migrate` creates (relation" in ran.stderr


def set_version(path: Path) -> None:
    import sqlite3

    with sqlite3.connect(path) as connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
    connection.close()


def test_the_server_needs_no_right_to_change_the_schema(empty: PostgresqlUrl, tmp_path: Path) -> None:
    """A role that may only read and write rows can't remove the triggers that protect the journal."""
    role = f"croupier_rows_{os.getpid()}"
    assert not migrated("--dry-run", "--database", empty.text)["migrated"]
    assert migrated("--database", empty.text)["migrated"]
    with administration(empty.text) as connection:
        connection.execute(RIGHTS.format(role=role))
        try:
            url = postgresql_url(empty.text.replace("//", f"//{role}@"))
            with administration(url.text) as limited, pytest.raises(Exception, match="must be owner"):
                limited.execute("DROP TRIGGER journal_no_change ON journal")
            server = ServerProcess(tmp_path / "data", options=("--database", url.text)).start()
            asyncio.run(play(server))
            assert server.stop() == 0
        finally:
            connection.execute(f"DROP OWNED BY {role}; DROP ROLE {role}")


async def play(server: ServerProcess) -> None:
    async with connect_guest(server.address) as player:
        await player.join(OWN)
        played = await deal_open_round(player, OWN, wire.Stake(0, "main", 1000))
        assert isinstance((await player.decide(OWN, played, "stand")).reply, wire.Ok)


def test_a_node_of_the_version_before_goes_on_after_a_migration(
    empty: PostgresqlUrl, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    scripts = tmp_path / "migrations"
    shutil.copytree(postgresql_migrations.SCRIPTS, scripts)
    addition = ADDITION.format(newest=migrations.NEWEST)
    (scripts / "versions" / "v9999_nicknames.py").write_text(addition)
    server = ServerProcess(tmp_path / "data", options=("--database", empty.text)).start()
    asyncio.run(play(server))
    monkeypatch.setattr(postgresql_migrations, "SCRIPTS", scripts)
    postgresql_migrations.upgrade(empty)
    asyncio.run(play(server))
    assert server.stop() == 0
    assert audit(empty, server.data / SHOES_KEY, lambda *_: None).bad is None
    assert "was written by a newer version" in refusal("--dry-run", "--database", empty.text)
