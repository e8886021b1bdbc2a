"""The file: what makes it durable, append only, one writer's, and what happens when the disk fails."""

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

from croupier.ledger.protocol import DatabaseLocked, DatabaseUnusable, LedgerBroken
from croupier.ledger.sqlite import connection
from croupier.ledger.sqlite.migrations import upgrade
from croupier.ledger.sqlite.schema import METADATA
from croupier.ledger.sqlite.store import SqliteLedger, SqliteReader, reader_engine
from croupier.ledger.sqlite.verify import verify
from tests.ledger.slips import deal, give

Post = Callable[..., list[int]]
CHILD = Path(__file__).with_name("child.py")


def pragma(connection: sqlite3.Connection, name: str) -> object:
    return connection.execute(f"PRAGMA {name}").fetchone()[0]


def acknowledges_what_a_power_cut_keeps(connection: sqlite3.Connection) -> bool:
    return (pragma(connection, "journal_mode"), pragma(connection, "synchronous")) == ("wal", 2)


# --- durable ----------------------------------------------------------------------------------


def test_the_live_writer_waits_for_the_disk(ledger: SqliteLedger) -> None:
    assert ledger.run(acknowledges_what_a_power_cut_keeps).result()
    for name in ("foreign_keys", "recursive_triggers", "fullfsync", "checkpoint_fullfsync"):
        assert ledger.run(lambda books, name=name: pragma(books, name)).result() == 1  # type: ignore[misc]


def test_a_writer_that_does_not_wait_is_caught(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The planted fault: synchronous=NORMAL, which passes every kill and loses commits at a power cut."""
    monkeypatch.setattr(connection, "WRITER_PRAGMAS", {**connection.WRITER_PRAGMAS, "synchronous": 1})
    ledger = SqliteLedger.open(path, migrate=upgrade)
    assert not ledger.run(acknowledges_what_a_power_cut_keeps).result()
    ledger.close()


def test_a_pragma_that_is_not_followed_is_an_error(path: Path) -> None:
    complaint = pytest.raises(AssertionError, match="PRAGMA journal_mode is memory and not wal")
    with closing(sqlite3.connect(":memory:")) as nowhere, complaint:
        connection._set(nowhere, connection.WRITER_PRAGMAS)


def test_readers_can_neither_write_nor_move_the_log(ledger: SqliteLedger, path: Path) -> None:
    reader = connection.open_reader(path)
    assert (pragma(reader, "query_only"), pragma(reader, "wal_autocheckpoint")) == (1, 0)
    with pytest.raises(sqlite3.OperationalError, match="readonly"):
        reader.execute("DELETE FROM account")
    reader.execute("PRAGMA query_only = 0")
    with pytest.raises(sqlite3.OperationalError, match="readonly"):
        reader.execute("DELETE FROM account")
    reader.close()


def test_what_was_acknowledged_is_read_by_others(ledger: SqliteLedger, post: Post, path: Path) -> None:
    """A command reads the books of a house that is open, and takes nothing from it when it is done."""
    post(give(100, key="gift"), deal(10))
    others = SqliteReader(path)
    assert others.balances("ann") == {"GC": {"cash": 90, "in_play": 10}}
    assert (others.entry("gift"), others.open_rounds()) == (ledger.entry("gift"), ledger.open_rounds())
    others.close()
    assert post(give(1)) == [3]


def test_reopened_it_stands_as_it_was(path: Path) -> None:
    first = SqliteLedger.open(path, migrate=upgrade)
    first.post([give(100), deal(10)]).result()
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
        "REPLACE INTO posting SELECT seq, account_id, 0, balance_minor FROM posting WHERE seq = 1",
        "REPLACE INTO journal SELECT 1, 'k', 'note', 0, '', '', '', '[]', 'null', '{}', x''",
    ],
)
def test_what_is_written_stays(ledger: SqliteLedger, post: Post, path: Path, forgery: str) -> None:
    post(give(100), deal(10))
    error = ledger.run(lambda books: books.execute(forgery)).exception()
    assert isinstance(error, sqlite3.IntegrityError)
    assert "append only" in str(error)
    assert verify(path).bad is None


# --- other small writes -----------------------------------------------------------------------


def test_other_work_shares_the_writer(ledger: SqliteLedger, path: Path) -> None:
    add = (
        "INSERT INTO player (id, name, created_ms, settings_json) VALUES ('ann', 'Ann', 1, '{}') RETURNING id"
    )
    assert ledger.run(lambda books: books.execute(add).fetchone()).result() == ("ann",)


def test_work_that_raises_is_undone_and_harms_no_other(ledger: SqliteLedger, post: Post, path: Path) -> None:
    def half(books: sqlite3.Connection) -> None:
        books.execute("INSERT INTO meta VALUES ('half', 'done')")
        raise KeyError("half")

    failed, fine = ledger.run(half), ledger.post([give(100)])
    assert isinstance(failed.exception(), KeyError)
    assert not fine.result()[0].duplicate
    count = ledger.run(lambda books: books.execute("SELECT count(*) FROM meta WHERE key = 'half'").fetchone())
    assert count.result() == (0,)


def test_what_queues_up_during_a_commit_is_committed_together(ledger: SqliteLedger) -> None:
    """A group is one transaction: all its work is done before any of it is told."""
    started, may_end = threading.Event(), threading.Event()

    def holds_up_the_next_group(_books: sqlite3.Connection) -> bool:
        started.set()
        return may_end.wait(10)

    blocking = ledger.run(holds_up_the_next_group)
    assert started.wait(10)
    commits: list[str] = []
    traced = ledger.run(lambda books: books.set_trace_callback(commits.append))
    posts = [ledger.post([give(1)]) for _ in range(50)]
    may_end.set()
    assert all(not post.result()[0].duplicate for post in posts)
    assert (blocking.result(), traced.done(), commits.count("COMMIT")) == (True, True, 1)


def test_who_stops_waiting_stops_nothing(ledger: SqliteLedger) -> None:
    """A browser that goes away cancels its task; what it handed in is carried out all the same."""

    async def leave() -> None:
        task = asyncio.ensure_future(asyncio.wrap_future(ledger.post([give(100)])))
        await asyncio.sleep(0)
        task.cancel()

    asyncio.run(leave())
    assert ledger.run(lambda _books: None).result() is None
    assert ledger.balances("ann") == {"GC": {"cash": 100}}


# --- one process, and the end -----------------------------------------------------------------


def test_one_process_holds_the_books(ledger: SqliteLedger, path: Path) -> None:
    with pytest.raises(DatabaseLocked, match=r"books.db is in use by process \d+: only one may write it"):
        SqliteLedger.open(path, migrate=upgrade)
    held = subprocess.run([sys.executable, CHILD, "open", path], capture_output=True, text=True, check=False)
    assert "DatabaseLocked" in held.stderr


def test_a_failed_opening_lets_go_of_the_books(path: Path) -> None:
    def fails(_path: Path) -> None:
        raise OSError("no space")

    with pytest.raises(OSError, match="no space"):
        SqliteLedger.open(path, migrate=fails)
    SqliteLedger.open(path, migrate=upgrade).close()


def test_closing_finishes_what_was_handed_in_and_takes_no_more(path: Path) -> None:
    ledger = SqliteLedger.open(path, migrate=upgrade)
    handed_in = [ledger.post([give(1)]) for _ in range(200)]
    ledger.close()
    assert all(post.done() and not post.result()[0].duplicate for post in handed_in)
    assert isinstance(ledger.post([give(1)]).exception(), LedgerBroken)
    assert not path.with_name("books.db-wal").exists(), "the log is in the file"
    ledger.close()


def test_after_a_failed_commit_nothing_more_is_done(path: Path) -> None:
    """The disk is full, truly: the child may write no file beyond a size."""
    ended = subprocess.run([sys.executable, CHILD, "full", path], capture_output=True, text=True, check=False)
    told = ended.stdout.split()
    assert "LedgerBroken" in told, ended.stderr
    assert set(told[told.index("LedgerBroken") :]) == {"LedgerBroken"}
    assert "takes nothing more until a restart" in ended.stderr
    acknowledged = told[: told.index("LedgerBroken")]
    assert acknowledged
    assert verify(path).bad is None
    ledger = SqliteLedger.open(path, migrate=upgrade)
    assert all(ledger.entry(key) for key in acknowledged)
    ledger.close()


# --- migrations -------------------------------------------------------------------------------


def test_migrations_make_what_the_queries_expect(ledger: SqliteLedger, path: Path) -> None:
    engine = reader_engine(path)
    with engine.connect() as connection:
        context = MigrationContext.configure(
            connection,
            opts={"include_name": lambda name, kind, _parents: kind != "table" or name in METADATA.tables},
        )
        assert compare_metadata(context, METADATA) == []
    engine.dispose()


def test_a_step_that_fails_leaves_nothing(path: Path) -> None:
    """A table of the same name stands in the way of the last one it makes."""
    books = sqlite3.connect(path)
    books.execute("CREATE TABLE session (x)")
    with pytest.raises(DatabaseUnusable, match="table session already exists"):
        upgrade(path)
    made = books.execute("SELECT name FROM sqlite_schema WHERE name NOT LIKE '%alembic%'").fetchall()
    assert made == [("session",)]
    books.execute("DROP TABLE session")
    books.close()
    upgrade(path)
