"""The client of the writer process, which takes the work of writing off the server's event loop.

Requests go through a socket pair and replies come through a pipe, both pickled, since both ends run the same
program. The writer process outlives a client that is killed: it carries out every request it received whole,
closes the database, and keeps it locked until then. On PostgreSQL it has a second for that.
"""

import asyncio
import logging
import os
import pickle
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Collection, Iterator, Sequence
from concurrent.futures import Future
from contextlib import contextmanager, suppress
from itertools import count
from multiprocessing.connection import Connection as PipeConnection
from multiprocessing.connection import Pipe
from threading import RLock, get_ident
from time import monotonic
from typing import IO, Any, TypeVar

from croupier.ledger.chain import JournalRow, row_of
from croupier.ledger.entries import Entry, Posted
from croupier.ledger.leases import Fence
from croupier.ledger.protocol import LedgerBroken
from croupier.ledger.sql.connection import Connection
from croupier.ledger.sql.databases import Database
from croupier.ledger.sql.transactions import Recorded
from croupier.ledger.sql.writer import uncancellable_future
from croupier.ledger.sql.writer_process import WriteOperation, WriteRequest
from croupier.refusal import Refused

T = TypeVar("T")

COMMAND = (sys.executable, "-c", "from croupier.ledger.sql.writer_process import main; main()")
CLOSE_TIMEOUT_S = 30.0
"""Time to finish pending requests at the end. Then the process is killed, as its database doesn't answer."""
GATHERED: Collection[WriteOperation] = ("post_each", "post_groups", "post_prepared")
"""Sent at once: live tables have gathered what these post, so there is nothing to wait for."""
NOTHING_PREPARED: tuple[int, tuple[Entry, ...]] = 0, ()

_log = logging.getLogger(__name__)


class WriterClient:
    """Offers what a Writer does, from another process and without a thread: the event loop reads the replies.

    Work for `run` must be a module's function, or a partial of one. Its module should import little, for the
    writer process imports it on the first such request while others wait.
    """

    def __init__(self, on_exit: Callable[[], None], lock: IO[str] | None = None) -> None:
        """Start the process; needs a running event loop.

        `on_exit` is called if the process ends without `close`. The process inherits `lock`, so it keeps the
        database locked.
        """
        self._on_exit = on_exit
        requests, requests_end = socket.socketpair()
        # Replies need a pipe of their own: a socket whose peer died with unread input fails, and uvloop
        # doesn't report that.
        self._replies, replies_end = Pipe(duplex=False)
        with requests_end, replies_end, _blocked(signal.SIGTERM):  # systemd sends it to every process
            inherited = [each.fileno() for each in (requests_end, replies_end, lock) if each]
            command = [*COMMAND, str(requests_end.fileno()), str(replies_end.fileno())]
            self._process = subprocess.Popen(  # noqa: S603
                command,
                pass_fds=inherited,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                process_group=0,  # Ctrl-C must reach the server only, which then closes the ledger
            )
        self._requests = PipeConnection(requests.detach())
        self._numbers = count()
        self._prepared = NOTHING_PREPARED
        """The entries prepared last and their number, by which a post refers to them."""
        self._pending: dict[int, Future[Any]] = {}
        self._outbox: list[bytes] = []
        """Pickled requests that aren't sent yet."""
        self._refusal: LedgerBroken | None = None
        self._lock = RLock()
        self._loop, self._loop_thread = asyncio.get_running_loop(), get_ident()
        self._loop.add_reader(self._replies.fileno(), self._read_replies)
        os.set_blocking(self._replies.fileno(), True)  # uvloop unsets it, and a reply would be read in part

    def open(self, database: Database) -> None:
        """Open the database, whose schema is up to date."""
        self._requests.send(database)

    def post(self, entries: Sequence[Entry], fence: Fence | None = None) -> Future[tuple[Posted, ...]]:
        with self._lock:
            number, prepared = self._prepared
            if not prepared or tuple(entries[: len(prepared)]) != prepared:
                return self._request("post", _rows(entries), fence)
            self._prepared = NOTHING_PREPARED
            return self._request("post_prepared", (number, _rows(entries[len(prepared) :])), fence)

    def prepare(self, entries: Sequence[Entry]) -> Future[bool]:
        rows = _rows(entries)
        with self._lock:
            self._prepared = number, _ = next(self._numbers), tuple(entries)
            return self._request("prepare", (number, rows))

    def post_each(
        self, entries: Sequence[Entry], fence: Fence | None = None
    ) -> Future[tuple[Posted | Refused, ...]]:
        return self._request("post_each", _rows(entries), fence)

    def post_groups(
        self, groups: Sequence[Sequence[Entry]], fence: Fence | None = None
    ) -> Future[tuple[tuple[Posted, ...] | Refused, ...]]:
        return self._request("post_groups", [*map(_rows, groups)], fence)

    def run(self, work: Callable[[Connection], T]) -> Future[T]:
        return self._request("run", work)

    def read(self, work: Callable[[Connection], T]) -> Future[T]:
        return self._request("read", work)

    def run_recorded(self, work: Callable[[Connection], Recorded[T]]) -> Future[T]:
        return self._request("run_recorded", work)

    def close(self) -> None:
        """Finish the pending requests and refuse further ones."""
        with self._lock:
            if self._refusal is None:
                self._refusal = LedgerBroken("the ledger is closed")
                self._send_outbox()
                with suppress(OSError):
                    self._requests.send(None)
        until = monotonic() + CLOSE_TIMEOUT_S
        while not self._replies.closed:
            if self._replies.poll(max(0, until - monotonic())):
                self._read_replies()
            else:
                _log.critical("the database doesn't answer, so the writer process is killed")
                self._process.kill()
                until = monotonic() + CLOSE_TIMEOUT_S
        self._process.wait(CLOSE_TIMEOUT_S)

    def _request(self, operation: WriteOperation, payload: Any, fence: Fence | None = None) -> Future[Any]:
        future = uncancellable_future()
        request = WriteRequest(next(self._numbers), operation, payload, fence)
        message = pickle.dumps(request, pickle.HIGHEST_PROTOCOL)
        with self._lock:
            if self._refusal is None:
                self._pending[request.number] = future
                self._outbox.append(message)
                self._send_soon(operation)
            else:
                future.set_exception(self._refusal)
        return future

    def _send_soon(self, operation: WriteOperation) -> None:
        """Send the requests of one turn of the event loop together: they take one commit, not one each."""
        if operation in GATHERED or get_ident() != self._loop_thread:
            self._send_outbox()
        elif len(self._outbox) == 1:
            self._loop.call_soon(self._send_outbox)

    def _send_outbox(self) -> None:
        with self._lock:
            messages, self._outbox = self._outbox, []
            if messages:
                with suppress(OSError):  # the process has ended, which `_read_replies` notices
                    self._requests.send(messages)

    def _read_replies(self) -> None:
        """Read the next message whole; it is sent at once, so this hardly blocks."""
        try:
            replies = self._replies.recv()
        except Exception as why:  # noqa: BLE001 - also when it can't be unpickled, since callers wait for it
            if not isinstance(why, EOFError | OSError):
                _log.critical("a reply of the writer process can't be read", exc_info=why)
            self._fail()
            return
        for number, result, error in replies:
            future = self._pending.pop(number)
            if error is None:
                future.set_result(result)
            else:
                future.set_exception(error)

    def _fail(self) -> None:
        """Fail the pending requests, which may or may not have been executed."""
        self._loop.remove_reader(self._replies.fileno())
        with self._lock:
            if self._refusal is None:
                self._refusal = LedgerBroken("the writer process has ended")
                self._on_exit()
            self._requests.close()
            self._replies.close()
        for future in self._pending.values():
            # Each its own: whoever raises an error adds to its traceback and its cause.
            future.set_exception(LedgerBroken(*self._refusal.args))
        self._pending.clear()


@contextmanager
def _blocked(number: signal.Signals) -> Iterator[None]:
    """Block a signal, for good in children started inside; this process gets it on leaving the block."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {number})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _rows(entries: Sequence[Entry]) -> list[JournalRow]:
    """Convert entries to rows, which pickle in half the time; TypeError if a body isn't JSON."""
    return [row_of(0, entry) for entry in entries]
