"""The writer in a process of its own: what he works out takes no time from those who are at the tables.

He is handed what is to be done over a pair of sockets, and answers over a pipe; both are pickled, for both
ends are this program. He goes on when whoever started him is killed: what was handed in whole is carried out,
the books are closed, and until then nobody else can open them.
"""

import asyncio
import logging
import os
import pickle
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from contextlib import contextmanager, suppress
from itertools import count
from multiprocessing.connection import Connection as Line
from multiprocessing.connection import Pipe
from pathlib import Path
from sqlite3 import Connection
from threading import RLock
from typing import IO, Any, TypeVar

from croupier.ledger.chain import JournalRow, row_of
from croupier.ledger.entries import Entry, Posted
from croupier.ledger.protocol import LedgerBroken, Recorded
from croupier.ledger.sqlite.writer import uncancellable_future
from croupier.ledger.sqlite.writer_process import Operation, WriteRequest
from croupier.refusal import Refused

T = TypeVar("T")

COMMAND = (sys.executable, "-c", "from croupier.ledger.sqlite.writer_process import main; main()")
CLOSE_TIMEOUT_S = 60.0
NOTHING_PREPARED: tuple[int, tuple[Entry, ...]] = 0, ()

_log = logging.getLogger(__name__)


class WriterClient:
    """Does what a Writer does, for an event loop: it hears his answers itself, and waits for no thread.

    Work that is `run` must be a function of a module, or a partial of one. The module should need little: he
    loads it when he is told its name, while others wait.
    """

    def __init__(self, held: IO[str], gone: Callable[[], None]) -> None:
        """Starts him; an event loop runs. Who has the file `held` open holds the books, and so does he.

        `gone` is called when he ends and wasn't told to.
        """
        self._tell_gone = gone
        asks, hears = socket.socketpair()
        # A way of its own: a socket whose other end died with something unread fails, and uvloop is silent.
        self._answers, tells = Pipe(duplex=False)
        with hears, tells, _deaf_to(signal.SIGTERM):  # as a service gets it: it is for the house too
            passed = hears.fileno(), tells.fileno(), held.fileno()
            command = [*COMMAND, str(hears.fileno()), str(tells.fileno())]
            self._process = subprocess.Popen(  # noqa: S603
                command,
                pass_fds=passed,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                process_group=0,  # Ctrl-C is for the house, which closes the books then
            )
        self._line = Line(asks.detach())
        self._numbers = count()
        self._pencilled = NOTHING_PREPARED
        """By the number he has it under: it needn't be said again when it is posted."""
        self._waiting: dict[int, Future[Any]] = {}
        self._refusal: LedgerBroken | None = None
        self._lock = RLock()
        self._loop = asyncio.get_running_loop()
        self._loop.add_reader(self._answers.fileno(), self._hear)
        os.set_blocking(self._answers.fileno(), True)  # uvloop makes it another: half an answer would be none

    def opens(self, path: Path) -> None:
        """The books at `path`, which are ready to be written."""
        self._line.send(path)

    def post(self, entries: Sequence[Entry]) -> Future[tuple[Posted, ...]]:
        with self._lock:
            number, pencilled = self._pencilled
            if not pencilled or tuple(entries[: len(pencilled)]) != pencilled:
                return self._ask("post", _rows(entries))
            self._pencilled = NOTHING_PREPARED
            return self._ask("ink", (number, _rows(entries[len(pencilled) :])))

    def prepare(self, entries: Sequence[Entry]) -> Future[bool]:
        rows = _rows(entries)
        with self._lock:
            self._pencilled = number, _ = next(self._numbers), tuple(entries)
            return self._ask("pencil", (number, rows))

    def post_each(self, entries: Sequence[Entry]) -> Future[tuple[Posted | Refused, ...]]:
        return self._ask("post_each", _rows(entries))

    def run(self, work: Callable[[Connection], T]) -> Future[T]:
        return self._ask("run", work)

    def run_recorded(self, work: Callable[[Connection], Recorded[T]]) -> Future[T]:
        return self._ask("run_recorded", work)

    def close(self) -> None:
        """Finish what was handed in, then take nothing more."""
        with self._lock:
            if self._refusal is None:
                self._refusal = LedgerBroken("the books are closed")
                with suppress(OSError):
                    self._line.send(None)
        while not self._answers.closed:
            self._hear()
        self._process.wait(CLOSE_TIMEOUT_S)

    def _ask(self, how: Operation, what: Any) -> Future[Any]:
        future = uncancellable_future()
        asked = WriteRequest(next(self._numbers), how, what)
        said = pickle.dumps(asked, pickle.HIGHEST_PROTOCOL)
        with self._lock:
            if self._refusal is None:
                self._waiting[asked.number] = future
                with suppress(OSError):  # he has ended, which is heard too
                    self._line.send_bytes(said)
            else:
                future.set_exception(self._refusal)
        return future

    def _hear(self) -> None:
        """What he says next, to its end: he says it all at once, so it is hardly waited for."""
        try:
            answers = self._answers.recv()
        except Exception as why:  # noqa: BLE001 - also when it isn't understood, for somebody waits for it
            if not isinstance(why, EOFError | OSError):
                _log.critical("what the clerk answers isn't understood", exc_info=why)
            self._gone()
            return
        for number, result, error in answers:
            future = self._waiting.pop(number)
            if error is None:
                future.set_result(result)
            else:
                future.set_exception(error)

    def _gone(self) -> None:
        """What he was doing may stand in the books or not, so whoever waits is told so."""
        self._loop.remove_reader(self._answers.fileno())
        with self._lock:
            if self._refusal is None:
                self._refusal = LedgerBroken("the process that writes the books has ended")
                self._tell_gone()
            self._line.close()
            self._answers.close()
        for future in self._waiting.values():
            future.set_exception(self._refusal)
        self._waiting.clear()


@contextmanager
def _deaf_to(number: signal.Signals) -> Iterator[None]:
    """Children that are started inside never hear it; this process does, as soon as it is left."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {number})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _rows(entries: Sequence[Entry]) -> list[JournalRow]:
    """As they are to stand in the journal, but for where: a coup is said and heard so in half the time.

    TypeError when a body isn't JSON.
    """
    return [row_of(0, entry) for entry in entries]
