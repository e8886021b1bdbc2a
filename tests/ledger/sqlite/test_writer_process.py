"""The writer process: it gives the same results as a writer thread, and outlives a killed server."""

import asyncio
import os
import pickle
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Callable, Sequence
from concurrent.futures import Future
from contextlib import suppress
from functools import partial
from pathlib import Path
from threading import Thread
from typing import Any, TypeVar
from unittest.mock import MagicMock, patch

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from croupier.ledger import entries
from croupier.ledger.chain import entry_of, row_of
from croupier.ledger.entries import Account, Move, Posted, Share, Shares
from croupier.ledger.protocol import DatabaseLocked, LedgerBroken
from croupier.ledger.sql.connection import Connection
from croupier.ledger.sql.verify import verify
from croupier.ledger.sql.writer_client import WriterClient
from croupier.ledger.sqlite.migrations import upgrade
from croupier.ledger.sqlite.store import SqliteLedger
from croupier.refusal import Refused
from tests.ledger.sample_entries import coup, deal, grant, release, stakes, ticket_of

T = TypeVar("T")
CHILD = Path(__file__).with_name("child.py")


pytestmark = pytest.mark.anyio

RESULT_BYTES = 1 << 20
"""More than the 64 KiB that a pipe holds."""


@pytest.fixture
async def ledger(path: Path) -> AsyncIterator[SqliteLedger]:
    opened = await SqliteLedger.open_with_writer_process(path, migrate=upgrade)
    yield opened
    opened.close()


async def done(future: Future[T]) -> T:
    return await asyncio.wait_for(asyncio.wrap_future(future), 30)


async def error(future: Future[Any]) -> BaseException | None:
    with suppress(Exception):
        await done(future)
    return future.exception()


def writer_process_of(ledger: SqliteLedger) -> int:
    assert isinstance(ledger._writer, WriterClient)
    return ledger._writer._process.pid


# --- work for the writer process: functions of this module, since pickle refers to them by name


def process_id(_db: Connection) -> int:
    return os.getpid()


def write_and_raise(db: Connection, error: Exception) -> None:
    db.execute("INSERT INTO meta VALUES ('half', 'done')")
    raise error


def count_written(db: Connection) -> int:
    (count,) = db.execute("SELECT count(*) FROM meta WHERE key = 'half'").fetchone()
    return int(count)


def unpicklable_result(_db: Connection) -> Callable[[], None]:
    return lambda: None


def long_result(_db: Connection) -> bytes:
    return bytes(RESULT_BYTES)


def sleep(_db: Connection) -> None:
    time.sleep(60)


class UnpicklableError(Exception):
    """An error that can't be unpickled, since its constructor takes more than the message."""

    def __init__(self, one: str, other: str) -> None:
        super().__init__(one + other)


def unpicklable_error(_db: Connection) -> None:
    raise UnpicklableError("a", "b")


# --- the same results as from a thread


async def test_another_process_writes(ledger: SqliteLedger) -> None:
    assert await done(ledger.run(process_id)) == writer_process_of(ledger) != os.getpid()


async def test_results_are_those_of_a_thread(ledger: SqliteLedger, tmp_path: Path) -> None:
    """Entries, refusals, duplicates, refused stakes, a coup; and the same hash chain."""
    threaded = SqliteLedger.open(tmp_path / "thread.db", migrate=upgrade)
    sequences = [
        [grant(100, key="granted"), grant(50, "bob"), deal(10)],
        [grant(100, key="granted")],
        [grant(7, key="granted")],
        [deal(1_000, ticket_of("bob"))],
        [stakes(("ann", 20), ("bob", 60), round_="s", table="live")],
        [coup(("ann", 20, 40), round_="s", table="live")],
        [entries.note("n", 1, {"is": [1, None]}, table="live")],
    ]
    for sequence in sequences:
        assert await outcome(ledger.post, sequence) == await outcome(threaded.post, sequence)
    mixed = [grant(5), deal(10**6, ticket_of("bob")), release(3)]
    assert await outcome(ledger.post_each, mixed) == await outcome(threaded.post_each, mixed)
    groups = [[grant(5), stakes(("bob", 10**6), round_="t", table="live")], [grant(1)]]
    assert await outcome(ledger.post_groups, groups) == await outcome(threaded.post_groups, groups)
    for each in (ledger, threaded):
        each.close()
    heads = [
        sqlite3.connect(tmp_path / name).execute("SELECT value FROM meta WHERE key = 'head'").fetchone()
        for name in ("ledger.db", "thread.db")
    ]
    assert heads[0] == heads[1]


async def outcome(post: Callable[[Any], Future[Any]], sequence: Sequence[Any]) -> object:
    """Return the result or the refusal in a comparable form: two refusals are never equal."""
    try:
        return repr(await done(post(sequence)))
    except Refused as refused:
        return repr(refused), refused.args_


async def test_prepared_entries_are_not_sent_again(ledger: SqliteLedger, path: Path) -> None:
    await done(ledger.post([grant(100), grant(50, "bob"), stakes(("ann", 20), ("bob", 10))]))
    likely = coup(("ann", 20, 40), ("bob", 10, 0))
    assert await done(ledger.prepare([likely]))
    request = MagicMock(wraps=ledger._writer._request)  # type: ignore[union-attr]
    with patch.object(ledger._writer, "_request", request):
        answers = await done(ledger.post([likely, grant(7)]))
    assert [posted.cash_minor for posted in answers] == [(120, 40), (127,)]
    ((operation, (_, rows), _),) = [call.args for call in request.call_args_list]
    assert (operation, len(rows)) == ("post_prepared", 1)
    assert isinstance(await error(ledger.post([likely, grant(7)])), Refused), (
        "the first entry is posted, the second isn't"
    )
    assert verify(path).bad is None


async def test_of_two_prepared_sequences_each_is_posted_unchanged(ledger: SqliteLedger, path: Path) -> None:
    await done(ledger.post([grant(100)]))
    one, other = grant(5), grant(9)
    assert await done(ledger.prepare([one]))
    ledger.prepare([other])
    posts = [ledger.post([one]), ledger.post([other]), ledger.post([other])]
    assert [(await done(post))[0][:2] for post in posts] == [(2, False), (3, False), (3, True)]
    assert ledger.balances("ann") == {"GC": {"cash": 114}}
    assert verify(path).bad is None


async def test_failed_preparation_is_reported_and_changes_nothing(ledger: SqliteLedger) -> None:
    nonsense = replace(entries.note("o", 1, {}, table="live"), kind="nonsense")
    assert isinstance(await error(ledger.prepare([nonsense])), msgspec.ValidationError)
    assert not await done(ledger.prepare([deal(10**6)]))
    with pytest.raises(TypeError):
        ledger.prepare([entries.note("m", 1, {"is": object()}, table="live")])  # type: ignore[dict-item]
    assert (await done(ledger.post([grant(5)])))[0].seq == 1


async def test_an_invalid_entry_holds_up_no_other_request(ledger: SqliteLedger) -> None:
    with pytest.raises(TypeError):
        ledger.post([entries.note("m", 1, {"is": object()}, table="live")])  # type: ignore[dict-item]
    nonsense = ledger.post([replace(entries.note("o", 1, {}, table="live"), kind="nonsense")])
    beside = ledger.post([grant(5)])
    assert isinstance(await error(nonsense), msgspec.ValidationError)
    assert (await done(beside))[0].seq == 1


async def test_requests_of_one_event_loop_turn_are_sent_together_in_order(ledger: SqliteLedger) -> None:
    assert isinstance(ledger._writer, WriterClient)
    sent = MagicMock(wraps=ledger._writer._requests.send)
    with patch.object(ledger._writer._requests, "send", sent):
        posts = [ledger.post([grant(1)]) for _ in range(20)]
        assert not sent.called
        assert [(await done(post))[0].seq for post in posts] == list(range(1, 21))
    assert [len(call.args[0]) for call in sent.call_args_list] == [20]


async def test_a_request_of_another_thread_is_sent_at_once_after_those_before(ledger: SqliteLedger) -> None:
    """The event loop may be busy or waiting for that thread."""
    before = ledger.post([grant(1)])
    thread = Thread(target=lambda: ledger.post([grant(1)]))
    thread.start()
    thread.join()
    assert isinstance(ledger._writer, WriterClient)
    assert not ledger._writer._outbox
    assert (await done(before))[0].seq == 1


async def test_bets_that_a_live_table_has_gathered_are_sent_at_once(ledger: SqliteLedger) -> None:
    before, bets = ledger.post([grant(1)]), ledger.post_each([grant(1), grant(1)])
    assert isinstance(ledger._writer, WriterClient)
    assert not ledger._writer._outbox
    assert [each[0].seq for each in (await done(before), await done(bets))] == [1, 2]  # type: ignore[union-attr]


async def test_an_error_of_work_is_raised_in_the_client_and_undone(ledger: SqliteLedger) -> None:
    refused = await error(
        ledger.run(partial(write_and_raise, error=Refused("no_such_table", table="x", rule="r")))
    )
    assert isinstance(refused, Refused)
    assert (refused.code, refused.rule, refused.args_) == ("no_such_table", "r", {"rule": "r", "table": "x"})
    assert isinstance(await error(ledger.run(partial(write_and_raise, error=KeyError("half")))), KeyError)
    assert await done(ledger.run(count_written)) == 0


async def test_an_unpicklable_result_holds_up_no_other_request(ledger: SqliteLedger) -> None:
    requests: list[Future[Any]] = [
        ledger.run(unpicklable_result),
        ledger.post([grant(100)]),
        ledger.run(unpicklable_error),
        ledger.run(process_id),
    ]
    assert isinstance(await error(requests[0]), TypeError)
    assert isinstance((await done(requests[1]))[0], Posted)
    assert isinstance(await error(requests[2]), TypeError)
    assert await done(requests[3]) == writer_process_of(ledger)


async def test_a_long_reply_is_read_whole(ledger: SqliteLedger) -> None:
    """Like the reply to a coup of thousands, which is still being sent while it is read."""
    for _ in range(10):
        assert len(await done(ledger.run(long_result))) == RESULT_BYTES


async def test_work_without_a_name_is_refused_before_it_is_sent(ledger: SqliteLedger) -> None:
    with pytest.raises((AttributeError, pickle.PicklingError)):
        ledger.run(lambda _db: None)
    assert await done(ledger.run(process_id))


minor = st.integers(0, 2**53)
each_share = st.lists(st.builds(Share, st.text(), st.text(), minor, minor)).map(tuple)
shares = st.builds(Shares, st.text(), each_share)
accounts = st.builds(Account, st.text(), st.text(), st.text())
moves = st.lists(st.builds(Move, accounts, accounts, minor)).map(tuple)


@given(moves, shares | st.none())
def test_entries_are_sent_unchanged(moved: tuple[Move, ...], each: Shares | None) -> None:
    entry = replace(entries.note("n", 1, {"is": [1, None]}, table="live"), moves=moved, shares=each)
    received = entry_of(pickle.loads(pickle.dumps(row_of(0, entry))))
    assert received == entry
    if received.shares:
        assert all(type(share) is Share for share in received.shares.each)


# --- the end of the writer process and of the server


async def test_closing_finishes_pending_requests_and_refuses_others(ledger: SqliteLedger, path: Path) -> None:
    posts = [ledger.post([grant(1)]) for _ in range(200)]
    ledger.close()
    assert all(post.done() and not post.result()[0].duplicate for post in posts)
    assert isinstance(ledger.post([grant(1)]).exception(), LedgerBroken)
    assert not path.with_name("ledger.db-wal").exists(), "the log was checkpointed"
    ledger.close()


async def test_signals_to_the_server_do_not_stop_it(ledger: SqliteLedger) -> None:
    """Ctrl-C goes to every process of a group, and SIGTERM to every one of a service."""
    assert await done(ledger.run(process_id)) == writer_process_of(ledger)
    assert os.getpgid(writer_process_of(ledger)) != os.getpgid(0)
    os.kill(writer_process_of(ledger), signal.SIGTERM)
    assert await done(ledger.run(process_id)) == writer_process_of(ledger)


async def test_a_kill_fails_pending_requests(ledger: SqliteLedger, path: Path) -> None:
    acknowledged = await done(ledger.post([grant(100, key="granted")]))
    waits: list[Future[Any]] = [ledger.run(sleep), ledger.post([grant(1, key="lost")])]
    os.kill(writer_process_of(ledger), signal.SIGKILL)
    assert [type(await error(future)) for future in waits] == [LedgerBroken] * 2
    assert isinstance(await error(ledger.post([grant(1)])), LedgerBroken)
    ledger.close()
    again = SqliteLedger.open(path, migrate=upgrade)
    assert (again.entry("granted") is not None, again.entry("lost")) == (bool(acknowledged), None)
    again.close()
    assert verify(path).bad is None


def unread_posts(ledger: SqliteLedger) -> list[Future[Any]]:
    """Post more than one message while the process is stopped."""
    os.kill(writer_process_of(ledger), signal.SIGSTOP)
    return [ledger.post([grant(1)]) for _ in range(20)]


async def test_a_kill_fails_unread_requests(path: Path) -> None:
    gone = asyncio.Event()
    ledger = await SqliteLedger.open_with_writer_process(path, migrate=upgrade, on_exit=gone.set)
    await done(ledger.run(process_id))
    waits = unread_posts(ledger)
    os.kill(writer_process_of(ledger), signal.SIGKILL)
    assert {type(await error(future)) for future in waits} == {LedgerBroken}
    assert gone.is_set()
    ledger.close()


def test_a_failed_commit_breaks_the_ledger(path: Path) -> None:
    """The child's file size is limited, and so is its writer process's: the disk is full."""
    ended = subprocess.run(
        [sys.executable, CHILD, "full", path, "", "process"], capture_output=True, text=True, check=False
    )
    printed = ended.stdout.split()
    assert "LedgerBroken" in printed, ended.stderr
    assert set(printed[printed.index("LedgerBroken") :]) == {"LedgerBroken"}
    assert "takes nothing more until a restart" in ended.stderr
    assert verify(path).bad is None


def test_requests_of_a_killed_server_are_done_before_the_database_opens_again(path: Path) -> None:
    """The child submits a second's work and is killed; the next opening waits for the writer process."""
    child = subprocess.Popen([sys.executable, CHILD, "submit", path, "", "process"], stdout=subprocess.PIPE)
    assert child.stdout is not None
    assert child.stdout.readline() == b"submitted\n"
    child.kill()
    child.communicate()
    ledger = SqliteLedger.open(path, migrate=upgrade)
    assert ledger.entry("last") is not None
    ledger.close()
    assert verify(path).bad is None


async def test_a_database_in_use_is_refused_at_once(ledger: SqliteLedger, path: Path) -> None:
    began = time.monotonic()
    with pytest.raises(DatabaseLocked, match=rf"in use by process {os.getpid()}"):
        SqliteLedger.open(path, migrate=upgrade)
    assert time.monotonic() - began < 5


async def test_a_failed_opening_leaves_no_writer_process(path: Path) -> None:
    def fails(_path: Path) -> None:
        raise OSError("no space")

    with pytest.raises(OSError, match="no space"):
        await SqliteLedger.open_with_writer_process(path, migrate=fails)
    SqliteLedger.open(path, migrate=upgrade).close()
