"""A server on PostgreSQL: it goes on where one on SQLite stopped, and is backed up and restored."""

import asyncio
import os
import shutil
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from msgspec import json

from croupier.app.backups.backup import make_backup
from croupier.app.backups.restore import restore_backup
from croupier.app.serve import DATABASE, SHOES_KEY
from croupier.audit.data_folder import audit
from croupier.ledger.sql.copying import copy_all
from croupier.ledger.sql.databases import PostgresqlUrl
from croupier.ledger.sql.table_copies import CopyRefused
from croupier.ledger.stores import open_ledger, open_ledger_reader
from croupier.protocol import wire
from tests.app.test_backups import croupier, refusal
from tests.ledger.sample_entries import grant
from tests.staff.clients import StaffBrowser, add
from tests.support.accounts import account_at, device_at, new_name, sign_in
from tests.support.browser_connection import (
    another_browser,
    connect_guest,
    deal_open_round,
    fetch_balances,
    new_req,
)
from tests.support.postgresql import administration, database
from tests.support.server_process import ServerProcess

OWN, LIVE = "double_exposure", "infinite"
CHANGE_BALANCES = """CREATE FUNCTION change() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN NEW.balance_minor := NEW.balance_minor + 1; RETURN NEW; END $$;
    CREATE TRIGGER change BEFORE INSERT ON account FOR EACH ROW EXECUTE FUNCTION change()"""


@pytest.fixture
def empty() -> Iterator[PostgresqlUrl]:
    """Return a database without tables."""
    with database(f"croupier_new_{os.getpid()}") as url:
        yield url


needs_tools = pytest.mark.skipif(not shutil.which("pg_dump"), reason="pg_dump isn't installed")


def on(url: PostgresqlUrl, data: Path) -> ServerProcess:
    return ServerProcess(data, options=("--database", url.text)).start()


async def play_everything(server: ServerProcess) -> None:
    """Use what has tables of its own: accounts, chat, the cashier and staff."""
    name = new_name()
    async with account_at(server.address, name) as ada:
        await ada.join(LIVE, "EUR")
        assert isinstance((await ada.ask(wire.PostChat(new_req(), LIVE, "Good evening"))).reply, wire.Ok)
        await ada.post("/api/cashier/deposit", wire.Balance, wire.CashierRequest(new_req(), "GC", 5))
        lines = await ada.get("/api/statement", list[wire.StatementEntry])
        assert [(line.what, line.amount_minor) for line in lines[:1]] == [("deposit", 5)]
        assert (await sign_in(ada, "a\0")).status_code == 400, "PostgreSQL has no null characters"
        assert (await ada.http.get(f"{server.address}/api/history?table=%00")).status_code == 400
    async with device_at(server.address, name) as again:
        snapshots = (await again.join(LIVE, "EUR")).messages
        chat = next(one.chat for one in snapshots if isinstance(one, wire.LiveSnapshot))
        assert chat[-1].text == "Good evening"
    code = await asyncio.to_thread(add, server.data, "Boss", "manager")
    async with StaffBrowser(server.address) as boss:
        assert (await boss.sign_in("Boss", code)).status_code == 200
        assert [line.what for line in (await boss.log())[:2]] == ["sign_in", "add_staff"]


def test_a_server_goes_on_where_its_copied_database_stopped(tmp_path: Path, empty: PostgresqlUrl) -> None:
    server = ServerProcess(tmp_path / "data").start()
    data = server.data

    async def move() -> None:
        async with connect_guest(server.address) as player:
            await player.join(OWN)
            played = await deal_open_round(player, OWN, wire.Stake(0, "main", 1000))
            balances = await fetch_balances(player)
            assert "is in use by process" in refusal("copy-database", data, empty.text, "--data", data)
            assert server.stop() == 0
            ran = croupier("copy-database", data, empty.text, "--data", data, "--json")
            assert ran.returncode == 0, ran
            (data / DATABASE).unlink()
            moved = on(empty, data)
            async with another_browser(player, moved.address) as returned:
                assert await fetch_balances(returned) == balances
                await returned.join(OWN)
                assert isinstance((await returned.decide(OWN, played, "stand")).reply, wire.Ok)
                assert len((await returned.get("/api/history", wire.History)).lines) >= 1
            await play_everything(moved)
            assert "stop all its servers first" in refusal("copy-database", empty.text, tmp_path / "back.db")
            moved.kill()
            assert on(empty, data).stop() == 0

    asyncio.run(move())
    assert audit(empty, data / SHOES_KEY, lambda *_: None).bad is None


@needs_tools
def test_a_restored_backup_plays_on_where_it_was_made(
    tmp_path: Path, postgresql: PostgresqlUrl, empty: PostgresqlUrl
) -> None:
    """The drill: back up in play, lose the folder and the database, restore, and finish the round."""
    kept, keys, restored = tmp_path / "kept", tmp_path / "keys", tmp_path / "restored"
    server = on(postgresql, tmp_path / "data")

    async def drill() -> None:
        async with connect_guest(server.address) as player:
            await player.join(OWN)
            played = await deal_open_round(player, OWN, wire.Stake(0, "main", 1000))
            balances = await fetch_balances(player)
            of = ("--keys", keys, "--data", server.data, "--database", postgresql.text)
            assert croupier("backup", kept, *of).returncode == 0
            assert {path.stat().st_mode & 0o777 for path in kept.iterdir()} == {0o600}
            await player.decide(OWN, played, "stand")  # lost with the database
            server.kill()
            command = ("restore", kept, "--keys", keys, "--data", restored)
            assert "name an empty one with --database" in refusal(*command)
            assert "isn't empty" in refusal(*command, "--database", postgresql.text)
            ran = croupier(*command, "--database", empty.text, "--json")
            assert (ran.returncode, json.decode(ran.stdout)["needs_key"]) == (0, False), ran
            again = on(empty, restored)
            async with another_browser(player, again.address) as returned:
                assert await fetch_balances(returned) == balances
                await returned.join(OWN)
                assert isinstance((await returned.decide(OWN, played, "stand")).reply, wire.Ok)
            assert again.stop() == 0

    asyncio.run(drill())
    assert audit(empty, restored / SHOES_KEY, lambda *_: None).bad is None


@needs_tools
def test_a_backup_of_a_wrong_database_leaves_an_empty_one(
    tmp_path: Path, postgresql: PostgresqlUrl, empty: PostgresqlUrl
) -> None:
    with closing(open_ledger(postgresql)) as ledger:
        ledger.post([grant(1_000)]).result()
    with administration(postgresql.text) as connection:
        connection.execute("UPDATE account SET balance_minor = balance_minor + 1 WHERE owner = 'ann'")
    backup, data = tmp_path / "backup", tmp_path / "restored"
    make_backup(tmp_path, backup, None, lambda *_: None, postgresql)
    restored = restore_backup(backup, data, None, lambda *_: None, empty)
    assert restored.report is not None
    assert restored.report.bad is not None
    assert not data.exists()
    assert restore_backup(backup, data, None, None, empty).report is None, "it can be used again"


@pytest.fixture
def original(tmp_path: Path) -> Path:
    """Return an SQLite database in which a player has 1,000."""
    path = tmp_path / DATABASE
    with closing(open_ledger(path)) as ledger:
        ledger.post([grant(1_000)]).result()
    return path


def test_a_copy_goes_back_and_overwrites_nothing(original: Path, postgresql: PostgresqlUrl) -> None:
    back = original.with_name("back.db")
    rows = copy_all(original, postgresql, lambda *_: None)
    assert (rows["journal"], rows["account"]) == (1, 2)
    with pytest.raises(CopyRefused, match="isn't empty"):
        copy_all(original, postgresql, lambda *_: None)
    assert copy_all(postgresql, back, lambda *_: None) == rows
    with pytest.raises(CopyRefused, match="is written into a new file"):
        copy_all(original, back, lambda *_: None)
    with closing(open_ledger_reader(back)) as reader:
        assert reader.balances("ann") == {"GC": {"cash": 1_000}}


def test_a_row_that_arrives_changed_undoes_the_copy(original: Path, postgresql: PostgresqlUrl) -> None:
    with administration(postgresql.text) as connection:
        connection.execute(CHANGE_BALANCES)
        try:
            with pytest.raises(CopyRefused, match="the copy differs: row 1 of the table account"):
                copy_all(original, postgresql, lambda *_: None)
            assert connection.execute("SELECT count(*) FROM journal").fetchone() == (0,)
        finally:
            connection.execute("DROP FUNCTION change CASCADE")
