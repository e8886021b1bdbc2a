"""The clerk: a writer in a process of its own. He answers as a thread does, and outlives who started him."""

import asyncio
import os
import pickle
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Callable
from concurrent.futures import Future
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any, TypeVar
from unittest.mock import MagicMock, patch

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as some
from msgspec.structs import replace

from croupier.ledger import entries
from croupier.ledger.chain import entry_of, row_of
from croupier.ledger.entries import Account, Entry, Move, Posted, Share, Shares
from croupier.ledger.protocol import DatabaseLocked, LedgerBroken
from croupier.ledger.sqlite.migrations import upgrade
from croupier.ledger.sqlite.store import SqliteLedger
from croupier.ledger.sqlite.verify import verify
from croupier.ledger.sqlite.writer_client import WriterClient
from croupier.refusal import Refused
from tests.ledger.slips import coup, deal, give, of, release, stakes

T = TypeVar("T")
CHILD = Path(__file__).with_name("child.py")


pytestmark = pytest.mark.anyio

LONG = 1 << 20
"""Bytes: a pipe holds 64 KiB."""


@pytest.fixture
async def apart(path: Path) -> AsyncIterator[SqliteLedger]:
    opened = SqliteLedger.open_with_writer_process(path, migrate=upgrade)
    yield opened
    opened.close()


async def done(future: Future[T]) -> T:
    return await asyncio.wait_for(asyncio.wrap_future(future), 30)


async def error(future: Future[Any]) -> BaseException | None:
    with suppress(Exception):
        await done(future)
    return future.exception()


def clerk_of(ledger: SqliteLedger) -> int:
    assert isinstance(ledger._writer, WriterClient)
    return ledger._writer._process.pid


# --- work done in his process: functions of this module, for he is told their names


def whoami(_books: sqlite3.Connection) -> int:
    return os.getpid()


def half(books: sqlite3.Connection, error: Exception) -> None:
    books.execute("INSERT INTO meta VALUES ('half', 'done')")
    raise error


def halves(books: sqlite3.Connection) -> int:
    (count,) = books.execute("SELECT count(*) FROM meta WHERE key = 'half'").fetchone()
    return int(count)


def unspeakable(_books: sqlite3.Connection) -> Callable[[], None]:
    return lambda: None


def long(_books: sqlite3.Connection) -> bytes:
    return bytes(LONG)


def stuck(_books: sqlite3.Connection) -> None:
    time.sleep(60)


class Odd(Exception):
    """It can't be pickled: it wants more than its message."""

    def __init__(self, one: str, other: str) -> None:
        super().__init__(one + other)


def odd(_books: sqlite3.Connection) -> None:
    raise Odd("a", "b")


# --- he answers as a writer does


async def test_it_is_another_process_that_writes(apart: SqliteLedger) -> None:
    assert await done(apart.run(whoami)) == clerk_of(apart) != os.getpid()


async def test_he_answers_as_a_thread_does(apart: SqliteLedger, tmp_path: Path) -> None:
    """Entries, refusals, duplicates, what is left out of stakes, a coup; and the chain is the same."""
    here = SqliteLedger.open(tmp_path / "here.db", migrate=upgrade)
    sequences = [
        [give(100, key="gift"), give(50, "bob"), deal(10)],
        [give(100, key="gift")],
        [give(7, key="gift")],
        [deal(1_000, of("bob"))],
        [stakes(("ann", 20), ("bob", 60), round_="s", table="live")],
        [coup(("ann", 20, 40), round_="s", table="live")],
        [entries.note("n", 1, {"is": [1, None]}, table="live")],
    ]
    for sequence in sequences:
        assert await told(apart.post, sequence) == await told(here.post, sequence)
    mixed = [give(5), deal(10**6, of("bob")), release(3)]
    assert await told(apart.post_each, mixed) == await told(here.post_each, mixed)
    for ledger in (apart, here):
        ledger.close()
    heads = [
        sqlite3.connect(tmp_path / name).execute("SELECT value FROM meta WHERE key = 'head'").fetchone()
        for name in ("books.db", "here.db")
    ]
    assert heads[0] == heads[1]


async def told(post: Callable[[list[Entry]], Future[Any]], sequence: list[Entry]) -> object:
    """As text where it is refused: two refusals are never equal."""
    try:
        return repr(await done(post(sequence)))
    except Refused as refused:
        return repr(refused), refused.args_


async def test_what_he_pencilled_is_not_said_to_him_again(apart: SqliteLedger, path: Path) -> None:
    await done(apart.post([give(100), give(50, "bob"), stakes(("ann", 20), ("bob", 10))]))
    likely = coup(("ann", 20, 40), ("bob", 10, 0))
    assert await done(apart.prepare([likely]))
    asks = MagicMock(wraps=apart._writer._ask)  # type: ignore[union-attr]
    with patch.object(apart._writer, "_ask", asks):
        answers = await done(apart.post([likely, give(7)]))
    assert [posted.cash_minor for posted in answers] == [(120, 40), (127,)]
    ((how, (_, rows)),) = [call.args for call in asks.call_args_list]
    assert (how, len(rows)) == ("ink", 1)
    assert isinstance(await error(apart.post([likely, give(7)])), Refused), "it is there, what follows isn't"
    assert verify(path).bad is None


async def test_of_two_that_are_pencilled_each_is_posted_as_it_is(apart: SqliteLedger, path: Path) -> None:
    await done(apart.post([give(100)]))
    one, other = give(5), give(9)
    assert await done(apart.prepare([one]))
    apart.prepare([other])
    posts = [apart.post([one]), apart.post([other]), apart.post([other])]
    assert [(await done(post))[0][:2] for post in posts] == [(2, False), (3, False), (3, True)]
    assert apart.balances("ann") == {"GC": {"cash": 114}}
    assert verify(path).bad is None


async def test_what_cannot_be_pencilled_is_told_and_harms_nothing(apart: SqliteLedger) -> None:
    nonsense = replace(entries.note("o", 1, {}, table="live"), kind="nonsense")
    assert isinstance(await error(apart.prepare([nonsense])), msgspec.ValidationError)
    assert not await done(apart.prepare([deal(10**6)]))
    with pytest.raises(TypeError):
        apart.prepare([entries.note("m", 1, {"is": object()}, table="live")])  # type: ignore[dict-item]
    assert (await done(apart.post([give(5)])))[0].seq == 1


async def test_what_is_no_entry_keeps_nobody_else_from_his_answer(apart: SqliteLedger) -> None:
    with pytest.raises(TypeError):
        apart.post([entries.note("m", 1, {"is": object()}, table="live")])  # type: ignore[dict-item]
    nonsense = apart.post([replace(entries.note("o", 1, {}, table="live"), kind="nonsense")])
    beside = apart.post([give(5)])
    assert isinstance(await error(nonsense), msgspec.ValidationError)
    assert (await done(beside))[0].seq == 1


async def test_work_that_raises_there_raises_here_and_is_undone(apart: SqliteLedger) -> None:
    refused = await error(apart.run(partial(half, error=Refused("no_such_table", table="x", rule="r"))))
    assert isinstance(refused, Refused)
    assert (refused.code, refused.rule, refused.args_) == ("no_such_table", "r", {"rule": "r", "table": "x"})
    assert isinstance(await error(apart.run(partial(half, error=KeyError("half")))), KeyError)
    assert await done(apart.run(halves)) == 0


async def test_what_cannot_be_told_keeps_nobody_else_from_his_answer(apart: SqliteLedger) -> None:
    asked: list[Future[Any]] = [
        apart.run(unspeakable),
        apart.post([give(100)]),
        apart.run(odd),
        apart.run(whoami),
    ]
    assert isinstance(await error(asked[0]), TypeError)
    assert isinstance((await done(asked[1]))[0], Posted)
    assert isinstance(await error(asked[2]), TypeError)
    assert await done(asked[3]) == clerk_of(apart)


async def test_a_long_answer_is_heard_to_its_end(apart: SqliteLedger) -> None:
    """Such as to the coup of thousands: he says more of it while we listen."""
    for _ in range(10):
        assert len(await done(apart.run(long))) == LONG


async def test_work_that_has_no_name_is_refused_before_it_is_handed_over(apart: SqliteLedger) -> None:
    with pytest.raises((AttributeError, pickle.PicklingError)):
        apart.run(lambda _books: None)
    assert await done(apart.run(whoami))


minor = some.integers(0, 2**53)
each_share = some.lists(some.builds(Share, some.text(), some.text(), minor, minor)).map(tuple)
shares = some.builds(Shares, some.text(), each_share)
accounts = some.builds(Account, some.text(), some.text(), some.text())
moves = some.lists(some.builds(Move, accounts, accounts, minor)).map(tuple)


@given(moves, shares | some.none())
def test_entries_are_handed_over_as_they_are(moved: tuple[Move, ...], each: Shares | None) -> None:
    entry = replace(entries.note("n", 1, {"is": [1, None]}, table="live"), moves=moved, shares=each)
    there = entry_of(pickle.loads(pickle.dumps(row_of(0, entry))))
    assert there == entry
    if there.shares:
        assert all(type(share) is Share for share in there.shares.each)


# --- the end, his and ours


async def test_closing_finishes_what_was_handed_in_and_takes_no_more(apart: SqliteLedger, path: Path) -> None:
    handed_in = [apart.post([give(1)]) for _ in range(200)]
    apart.close()
    assert all(post.done() and not post.result()[0].duplicate for post in handed_in)
    assert isinstance(apart.post([give(1)]).exception(), LedgerBroken)
    assert not path.with_name("books.db-wal").exists(), "the log is in the file"
    apart.close()


async def test_who_closes_the_house_does_not_stop_him(apart: SqliteLedger) -> None:
    """Ctrl-C goes to all processes of a group, and SIGTERM to all of a service: the house closes then."""
    assert await done(apart.run(whoami)) == clerk_of(apart)
    assert os.getpgid(clerk_of(apart)) != os.getpgid(0)
    os.kill(clerk_of(apart), signal.SIGTERM)
    assert await done(apart.run(whoami)) == clerk_of(apart)


async def test_when_he_is_killed_whoever_waits_is_told_so(apart: SqliteLedger, path: Path) -> None:
    acknowledged = await done(apart.post([give(100, key="gift")]))
    waits: list[Future[Any]] = [apart.run(stuck), apart.post([give(1, key="lost")])]
    os.kill(clerk_of(apart), signal.SIGKILL)
    assert [type(await error(future)) for future in waits] == [LedgerBroken] * 2
    assert isinstance(await error(apart.post([give(1)])), LedgerBroken)
    apart.close()
    again = SqliteLedger.open(path, migrate=upgrade)
    assert (again.entry("gift") is not None, again.entry("lost")) == (bool(acknowledged), None)
    again.close()
    assert verify(path).bad is None


def unread(apart: SqliteLedger) -> list[Future[Any]]:
    """More than he takes at once, while he can't take any."""
    os.kill(clerk_of(apart), signal.SIGSTOP)
    return [apart.post([give(1)]) for _ in range(20)]


async def test_what_he_has_not_read_when_he_is_killed_is_told_too(path: Path) -> None:
    gone = asyncio.Event()
    apart = SqliteLedger.open_with_writer_process(path, migrate=upgrade, gone=gone.set)
    await done(apart.run(whoami))
    waits = unread(apart)
    os.kill(clerk_of(apart), signal.SIGKILL)
    assert {type(await error(future)) for future in waits} == {LedgerBroken}
    assert gone.is_set()
    apart.close()


def test_a_failed_commit_ends_it(path: Path) -> None:
    """The disk is full, truly: the child, and so its clerk, may write no file beyond a size."""
    ended = subprocess.run(
        [sys.executable, CHILD, "full", path, "", "apart"], capture_output=True, text=True, check=False
    )
    heard = ended.stdout.split()
    assert "LedgerBroken" in heard, ended.stderr
    assert set(heard[heard.index("LedgerBroken") :]) == {"LedgerBroken"}
    assert "takes nothing more until a restart" in ended.stderr
    assert verify(path).bad is None


def test_when_we_are_killed_what_was_handed_in_is_done_before_the_books_open_again(path: Path) -> None:
    """The child hands in a second's work and is killed; whoever opens the books waits for the clerk."""
    child = subprocess.Popen([sys.executable, CHILD, "hand_in", path, "", "apart"], stdout=subprocess.PIPE)
    assert child.stdout is not None
    assert child.stdout.readline() == b"handed in\n"
    child.kill()
    child.communicate()
    ledger = SqliteLedger.open(path, migrate=upgrade)
    assert ledger.entry("last") is not None
    ledger.close()
    assert verify(path).bad is None


async def test_books_of_a_house_that_is_open_are_refused_at_once(apart: SqliteLedger, path: Path) -> None:
    began = time.monotonic()
    with pytest.raises(DatabaseLocked, match=rf"in use by process {os.getpid()}"):
        SqliteLedger.open(path, migrate=upgrade)
    assert time.monotonic() - began < 5


async def test_a_failed_opening_leaves_no_clerk(path: Path) -> None:
    def fails(_path: Path) -> None:
        raise OSError("no space")

    with pytest.raises(OSError, match="no space"):
        SqliteLedger.open_with_writer_process(path, migrate=fails)
    SqliteLedger.open(path, migrate=upgrade).close()
