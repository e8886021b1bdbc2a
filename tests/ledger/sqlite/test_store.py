"""The database file: durability, append-only tables, its lock, disk failures and migrations."""

import asyncio
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext

from croupier.ledger import entries
from croupier.ledger.protocol import DatabaseLocked, DatabaseUnusable, LedgerBroken
from croupier.ledger.sql.connection import Connection
from croupier.ledger.sql.schema import METADATA
from croupier.ledger.sql.verify import verify
from croupier.ledger.sqlite import connection
from croupier.ledger.sqlite.migrations import upgrade
from croupier.ledger.sqlite.store import SqliteLedger, SqliteReader, reader_engine
from tests.ledger.sample_entries import deal, grant
from tests.ledger.sqlite.connections import on_sqlite, trace

Post = Callable[..., list[int]]
CHILD = Path(__file__).with_name("child.py")


def pragma(connection: sqlite3.Connection, name: str) -> object:
    return connection.execute(f"PRAGMA {name}").fetchone()[0]


def survives_power_cuts(connection: sqlite3.Connection) -> bool:
    return (pragma(connection, "journal_mode"), pragma(connection, "synchronous")) == ("wal", 2)


# --- durable ----------------------------------------------------------------------------------


def test_the_writer_waits_for_the_disk(ledger: SqliteLedger) -> None:
    assert on_sqlite(ledger, survives_power_cuts).result()
    for name in ("foreign_keys", "recursive_triggers", "fullfsync", "checkpoint_fullfsync"):
        assert on_sqlite(ledger, lambda db, name=name: pragma(db, name)).result() == 1  # type: ignore[misc]


def test_a_writer_that_does_not_wait_is_caught(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Planted fault: synchronous=NORMAL, which survives every kill and loses commits in a power cut."""
    monkeypatch.setattr(connection, "WRITER_PRAGMAS", {**connection.WRITER_PRAGMAS, "synchronous": 1})
    ledger = SqliteLedger.open(path, migrate=upgrade)
    assert not on_sqlite(ledger, survives_power_cuts).result()
    ledger.close()


def test_an_ignored_pragma_is_an_error(path: Path) -> None:
    complaint = pytest.raises(AssertionError, match="PRAGMA journal_mode is memory and not wal")
    with closing(sqlite3.connect(":memory:")) as nowhere, complaint:
        connection._set_pragmas(nowhere, connection.WRITER_PRAGMAS)


def test_readers_can_neither_write_nor_checkpoint(ledger: SqliteLedger, path: Path) -> None:
    reader = connection.open_reader(path)
    assert (pragma(reader, "query_only"), pragma(reader, "wal_autocheckpoint")) == (1, 0)
    with pytest.raises(sqlite3.OperationalError, match="readonly"):
        reader.execute("DELETE FROM account")
    reader.execute("PRAGMA query_only = 0")
    with pytest.raises(sqlite3.OperationalError, match="readonly"):
        reader.execute("DELETE FROM account")
    reader.close()


def test_other_connections_read_acknowledged_entries(ledger: SqliteLedger, post: Post, path: Path) -> None:
    """A command reads the database of a running server, and closing its connection disturbs nothing."""
    post(grant(100, key="granted"), deal(10))
    others = SqliteReader(path)
    assert others.balances("ann") == {"GC": {"cash": 90, "in_play": 10}}
    assert (others.entry("granted"), others.open_rounds()) == (ledger.entry("granted"), ledger.open_rounds())
    others.close()
    assert post(grant(1)) == [3]


def test_reopening_changes_nothing(path: Path) -> None:
    first = SqliteLedger.open(path, migrate=upgrade)
    first.post([grant(100), deal(10)]).result()
    before = first.balances("ann"), first.open_rounds()
    first.close()
    second = SqliteLedger.open(path, migrate=upgrade)
    assert (second.balances("ann"), second.open_rounds()) == before
    second.close()


# --- append only ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "forgery",
    [
        "UPDATE journal SET at_ms = 0 WHERE seq = 1",
        "DELETE FROM journal WHERE seq = 2",
        "UPDATE posting SET amount_minor = 0 WHERE seq = 1",
        "DELETE FROM posting WHERE seq = 2",
        "REPLACE INTO posting SELECT seq, account_id, 0, balance_minor, 0, 0 FROM posting WHERE seq = 1",
        "REPLACE INTO journal SELECT 1, 'k', 'note', 0, '', '', '', '[]', 'null', '{}', x''",
    ],
)
def test_written_rows_cannot_be_changed(ledger: SqliteLedger, post: Post, path: Path, forgery: str) -> None:
    post(grant(100), deal(10))
    error = ledger.run(lambda db: db.execute(forgery)).exception()
    assert isinstance(error, sqlite3.IntegrityError)
    assert "append only" in str(error)
    assert verify(path).bad is None


# --- other small writes -----------------------------------------------------------------------


def test_other_work_shares_the_writer(ledger: SqliteLedger, path: Path) -> None:
    add = (
        "INSERT INTO player (id, name, created_ms, settings_json) VALUES ('ann', 'Ann', 1, '{}') RETURNING id"
    )
    assert ledger.run(lambda db: db.execute(add).fetchone()).result() == ("ann",)


def test_work_that_raises_is_undone_alone(ledger: SqliteLedger, post: Post, path: Path) -> None:
    def half(db: Connection) -> None:
        db.execute("INSERT INTO meta VALUES ('half', 'done')")
        raise KeyError("half")

    failed, fine = ledger.run(half), ledger.post([grant(100)])
    assert isinstance(failed.exception(), KeyError)
    assert not fine.result()[0].duplicate
    count = ledger.run(lambda db: db.execute("SELECT count(*) FROM meta WHERE key = 'half'").fetchone())
    assert count.result() == (0,)


def test_jobs_queued_during_a_commit_are_committed_together(ledger: SqliteLedger) -> None:
    """A group is one transaction: no future resolves before all of its work is done."""
    started, may_end = threading.Event(), threading.Event()

    def block_the_next_group(_db: Connection) -> bool:
        started.set()
        return may_end.wait(10)

    blocking = ledger.run(block_the_next_group)
    assert started.wait(10)
    commits: list[str] = []
    traced = trace(ledger, commits.append)
    posts = [ledger.post([grant(1)]) for _ in range(50)]
    may_end.set()
    assert all(not post.result()[0].duplicate for post in posts)
    assert (blocking.result(), traced.done(), commits.count("COMMIT")) == (True, True, 1)


def test_a_cancelled_caller_cancels_nothing(ledger: SqliteLedger) -> None:
    """A browser that disconnects cancels its task; the entries are posted all the same."""

    async def leave() -> None:
        task = asyncio.ensure_future(asyncio.wrap_future(ledger.post([grant(100)])))
        await asyncio.sleep(0)
        task.cancel()

    asyncio.run(leave())
    assert ledger.run(lambda _db: None).result() is None
    assert ledger.balances("ann") == {"GC": {"cash": 100}}


# --- one process, and the end -----------------------------------------------------------------


def test_one_process_may_open_the_database(ledger: SqliteLedger, path: Path) -> None:
    with pytest.raises(DatabaseLocked, match=r"ledger.db is in use by process \d+: only one may write it"):
        SqliteLedger.open(path, migrate=upgrade)
    child = subprocess.run([sys.executable, CHILD, "open", path], capture_output=True, text=True, check=False)
    assert "DatabaseLocked" in child.stderr


def test_a_failed_opening_unlocks_the_database(path: Path) -> None:
    def fails(_path: Path) -> None:
        raise OSError("no space")

    with pytest.raises(OSError, match="no space"):
        SqliteLedger.open(path, migrate=fails)
    SqliteLedger.open(path, migrate=upgrade).close()


def test_closing_finishes_queued_jobs_and_refuses_others(path: Path) -> None:
    ledger = SqliteLedger.open(path, migrate=upgrade)
    posts = [ledger.post([grant(1)]) for _ in range(200)]
    ledger.close()
    assert all(post.done() and not post.result()[0].duplicate for post in posts)
    assert isinstance(ledger.post([grant(1)]).exception(), LedgerBroken)
    assert not path.with_name("ledger.db-wal").exists(), "the log was checkpointed"
    ledger.close()


def test_after_a_failed_commit_the_ledger_refuses_jobs(path: Path) -> None:
    """The child's file size is limited, so its disk is full."""
    ended = subprocess.run([sys.executable, CHILD, "full", path], capture_output=True, text=True, check=False)
    printed = ended.stdout.split()
    assert "LedgerBroken" in printed, ended.stderr
    assert set(printed[printed.index("LedgerBroken") :]) == {"LedgerBroken"}
    assert "takes nothing more until a restart" in ended.stderr
    acknowledged = printed[: printed.index("LedgerBroken")]
    assert acknowledged
    assert verify(path).bad is None
    ledger = SqliteLedger.open(path, migrate=upgrade)
    assert all(ledger.entry(key) for key in acknowledged)
    ledger.close()


# --- migrations -------------------------------------------------------------------------------


def test_migrations_make_the_schema_of_the_queries(ledger: SqliteLedger, path: Path) -> None:
    engine = reader_engine(path)
    with engine.connect() as connection:
        context = MigrationContext.configure(
            connection,
            opts={"include_name": lambda name, kind, _parents: kind != "table" or name in METADATA.tables},
        )
        assert compare_metadata(context, METADATA) == []
    engine.dispose()


def test_accounts_survive_the_migration_of_their_table(path: Path) -> None:
    """Payments need another constraint, for which SQLite has to make the table anew."""
    upgrade(path, "0010")
    with closing(sqlite3.connect(path)) as db:  # of which the present writer doesn't know the columns
        db.execute("ALTER TABLE account ADD COLUMN balance_high INTEGER NOT NULL DEFAULT 0")
    old = SqliteLedger.open(path, migrate=lambda _: None)
    old.post([grant(100), deal(10)]).result()
    before = old.balances("ann")
    old.close()
    ledger = SqliteLedger.open(path, migrate=upgrade)
    ledger.post([entries.withdrawal_requested("w", 1, "ann", "GC", 30)]).result()
    assert ledger.balances("ann")["GC"] == {**before["GC"], "cash": 60, "withdrawing": 30}
    negative = "UPDATE account SET balance_minor = -1 WHERE kind = 'withdrawing'"
    assert isinstance(ledger.run(lambda db: db.execute(negative)).exception(), sqlite3.IntegrityError)
    assert ledger.run(lambda db: db.execute("PRAGMA foreign_key_check").fetchall()).result() == []
    ledger.close()
    assert verify(path).bad is None


def test_a_failed_migration_leaves_nothing(path: Path) -> None:
    """The last table it creates exists already."""
    db = sqlite3.connect(path)
    db.execute("CREATE TABLE session (x)")
    with pytest.raises(DatabaseUnusable, match="table session already exists"):
        upgrade(path)
    made = db.execute("SELECT name FROM sqlite_schema WHERE name NOT LIKE '%alembic%'").fetchall()
    assert made == [("session",)]
    db.execute("DROP TABLE session")
    db.close()
    upgrade(path)
