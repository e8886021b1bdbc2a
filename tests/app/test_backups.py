"""Backups: a drill with a running server, and what is refused."""

import asyncio
import sqlite3
from contextlib import closing
from pathlib import Path
from subprocess import CompletedProcess

import pytest
from msgspec import json

from croupier.app.backups.backup import make_backup
from croupier.app.backups.manifest import MANIFEST, read_manifest, sha256
from croupier.app.backups.pruning import prune_backups
from croupier.app.serve import DATABASE, SHOES_KEY, open_ledger
from croupier.audit.data_folder import audit
from croupier.ledger.sqlite.copying import copy_database
from croupier.protocol import wire
from tests.ledger.sample_entries import grant
from tests.support import preloaded
from tests.support.browser_connection import another_browser, connect_guest, deal_open_round, fetch_balances
from tests.support.server_process import CROUPIER, ServerProcess

TABLE = "double_exposure"


def croupier(*words: str | Path) -> CompletedProcess[str]:
    return preloaded.run([*CROUPIER, *map(str, words)], timeout=60)


def refusal(*words: str | Path) -> str:
    """Return the sentence with which a command is refused."""
    ran = croupier(*words)
    assert (ran.returncode, ran.stdout, ran.stderr.count("\n")) == (2, "", 1), ran
    return ran.stderr


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a data folder with a player who has a balance."""
    folder = tmp_path_factory.mktemp("origin") / "data"
    ledger = open_ledger(folder)
    ledger.post([grant(1_000, "p_1")]).result()
    ledger.close()
    return folder


@pytest.fixture
def backup(data: Path, tmp_path: Path) -> Path:
    make_backup(data, tmp_path / "backup", None, lambda *_: None)
    return tmp_path / "backup"


def test_old_backups_of_the_same_database_are_deleted_and_nothing_else(data: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    open_ledger(other).close()
    kept, mine = tmp_path / "kept", tmp_path / "kept" / "mine"
    mine.mkdir(parents=True)
    (kept / "a file").write_text("mine")
    make_backup(other, kept / "of another database", None, lambda *_: None)
    (kept / "a link").symlink_to(kept / "of another database")
    for number in range(4):
        make_backup(data, kept / str(number), None, lambda *_: None)
        prune_backups(kept / str(number), 2)
    left = {folder.name for folder in kept.iterdir()}
    assert left == {"2", "3", "mine", "a file", "a link", "of another database"}
    ran = croupier("backup", kept / "4", "--data", data, "--keep", "1")
    assert ran.stdout.count("deleted") == 2, ran
    assert {folder.name for folder in kept.iterdir()} == left - {"2", "3"} | {"4"}
    assert "--keep" in croupier("backup", kept / "5", "--data", data, "--keep", "0").stderr


def test_a_restored_backup_plays_on_where_it_was_made(tmp_path: Path) -> None:
    """The drill: back up in play, lose the folder, restore, and finish the round."""
    kept, keys, restored = tmp_path / "kept", tmp_path / "keys", tmp_path / "restored"
    server = ServerProcess(tmp_path / "data").start()

    async def drill() -> None:
        async with connect_guest(server.address) as player:
            await player.join(TABLE)
            played = await deal_open_round(player, TABLE, wire.Stake(0, "main", 1000))
            balances = await fetch_balances(player)
            assert croupier("backup", kept, "--keys", keys, "--data", server.data).returncode == 0
            await player.decide(TABLE, played, "stand")  # lost with the folder
            server.kill()
            ran = croupier("restore", kept, "--keys", keys, "--data", restored, "--json")
            assert (ran.returncode, json.decode(ran.stdout)["needs_key"]) == (0, False), ran
            again = ServerProcess(restored).start()
            async with another_browser(player, again.address) as returned:
                assert await fetch_balances(returned) == balances
                await returned.join(TABLE)
                assert isinstance((await returned.decide(TABLE, played, "stand")).reply, wire.Ok)
            assert again.stop() == 0

    asyncio.run(drill())
    assert audit(restored / DATABASE, restored / SHOES_KEY, lambda *_: None).bad is None


def test_a_copy_made_during_writes_is_of_one_moment(data: Path, tmp_path: Path) -> None:
    """Each page step is followed by a commit, which must neither appear in the copy nor start it again."""
    source, copy = tmp_path / "data", tmp_path / "copy.db"
    make_backup(data, tmp_path / "b", None, lambda *_: None)
    assert croupier("restore", tmp_path / "b", "--data", source).returncode == 0
    ledger, steps = open_ledger(source), list[int]()

    def commit(done: int, _total: int) -> None:
        steps.append(done)
        ledger.post([grant(1, "p_1", key=f"during:{len(steps)}")]).result()

    copy_database(source / DATABASE, copy, commit)
    ledger.close()
    with closing(sqlite3.connect(copy)) as copied:
        assert copied.execute("SELECT count(*) FROM journal WHERE key LIKE 'during:%'").fetchone() == (0,)
    assert steps
    assert audit(copy, tmp_path / SHOES_KEY, lambda *_: None).bad is None


def test_nobody_else_can_read_a_backup(backup: Path) -> None:
    modes = {path.name: path.stat().st_mode & 0o777 for path in (backup, *backup.iterdir())}
    assert modes == {"backup": 0o700, DATABASE: 0o600, MANIFEST: 0o600}


def test_a_backup_has_no_key(data: Path, tmp_path: Path) -> None:
    (data / SHOES_KEY).write_bytes(bytes(32))
    make_backup(data, tmp_path / "backup", tmp_path / "keys", lambda *_: None)
    (data / SHOES_KEY).unlink()
    assert (tmp_path / "keys" / SHOES_KEY).read_bytes() == bytes(32)
    assert not any(bytes(32) in path.read_bytes()[-64:] for path in (tmp_path / "backup").glob("*.key"))
    assert {path.name for path in (tmp_path / "backup").iterdir()} == {DATABASE, MANIFEST}


def test_no_folder_is_overwritten(data: Path, backup: Path, tmp_path: Path) -> None:
    assert "is written into a new folder" in refusal("backup", backup, "--data", data)
    assert "isn't empty" in refusal("restore", backup, "--data", data)
    inside = tmp_path / "new" / "keys"
    assert "is inside the backup" in refusal("backup", tmp_path / "new", "--keys", inside, "--data", data)
    assert not (tmp_path / "new").exists()


def test_another_key_is_never_overwritten(data: Path, tmp_path: Path) -> None:
    keys = tmp_path / "keys"
    keys.mkdir()
    (keys / "anchor.key").write_bytes(b"another server's")
    (data / "anchor.key").write_bytes(bytes(32))
    assert "is another key" in refusal("backup", tmp_path / "backup", "--keys", keys, "--data", data)
    assert (keys / "anchor.key").read_bytes() == b"another server's"


@pytest.mark.parametrize("fault", ["missing", "changed", "no manifest", "malformed", "outside"])
def test_a_damaged_backup_is_not_restored(backup: Path, tmp_path: Path, fault: str) -> None:
    manifest, database = backup / MANIFEST, backup / DATABASE
    match fault:
        case "missing":
            database.unlink()
        case "changed":
            database.write_bytes(database.read_bytes()[:-1] + b"x")
        case "no manifest":
            manifest.unlink()
        case "malformed":
            manifest.write_text('{"entries": "many"}')
        case "outside":
            manifest.write_text(manifest.read_text().replace(DATABASE, "../elsewhere.db"))
    refusal("restore", backup, "--data", tmp_path / "restored")
    assert not list(tmp_path.glob("restored*"))


def test_a_backup_of_a_wrong_database_is_not_restored(backup: Path, tmp_path: Path) -> None:
    """Its checksums agree, but the balances don't agree with the journal."""
    with closing(sqlite3.connect(backup / DATABASE)) as database:
        database.execute("UPDATE account SET balance_minor = balance_minor + 1 WHERE owner = 'p_1'")
        database.commit()
        database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    manifest = (backup / MANIFEST).read_text()
    changed = manifest.replace(read_manifest(backup).files[DATABASE], sha256(backup / DATABASE))
    (backup / MANIFEST).write_text(changed)
    ran = croupier("restore", backup, "--data", tmp_path / "restored")
    assert (ran.returncode, "WRONG" in ran.stdout) == (1, True), ran
    assert not list(tmp_path.glob("restored*"))


def test_another_servers_key_is_refused(tmp_path: Path) -> None:
    server = ServerProcess(tmp_path / "data").start()
    assert server.stop() == 0
    assert croupier("backup", tmp_path / "backup", "--data", server.data).returncode == 0
    (tmp_path / "keys").mkdir()
    (tmp_path / "keys" / SHOES_KEY).write_bytes(bytes(32))
    command = ("restore", tmp_path / "backup", "--data", tmp_path / "restored")
    assert "isn't the key of this backup's shoes" in refusal(*command, "--keys", tmp_path / "keys")
    ran = croupier(*command)
    assert (ran.returncode, "It has no shoes.key" in ran.stdout) == (0, True), ran
