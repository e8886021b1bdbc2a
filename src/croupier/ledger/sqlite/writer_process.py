"""The clerk's room: the process in which a Writer does what the other end of a line asks. See Clerk."""

import gc
import pickle
import sys
from collections.abc import Sequence
from concurrent.futures import Future
from contextlib import suppress
from functools import partial
from multiprocessing.connection import Connection as Line
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Thread
from typing import Any, Literal, NamedTuple

from croupier.ledger.chain import entry_of
from croupier.ledger.entries import Entry
from croupier.ledger.sqlite.connection import open_writer
from croupier.ledger.sqlite.writer import Writer

GC_THRESHOLD = 50_000
"""Records made before he looks for garbage: a coup's are no reason to, for there is hardly any."""
SWITCH_INTERVAL_S = 0.0005
"""Between the threads in which he listens, writes and speaks: who speaks to him shall not wait."""

Operation = Literal["post", "post_each", "run", "run_recorded", "pencil", "ink"]
"""What of the Writer is asked for; to ink is to post what was pencilled, and what follows it."""


class WriteRequest(NamedTuple):
    """`what`: rows whose entries are to be posted, or work to be run.

    What is pencilled has a number, by which it is named when it is to be inked.
    """

    number: int
    how: Operation
    what: Any


class WriteReply(NamedTuple):
    """What came of it; or why nothing did, and then the first is None."""

    number: int
    result: Any
    error: BaseException | None


class ReplySender:
    """Says what has been done, in a thread of its own: he who listens and he who writes never wait for it."""

    def __init__(self, line: Line) -> None:
        self._line = line
        self._answers: SimpleQueue[WriteReply | None] = SimpleQueue()
        self._thread = Thread(target=self._say, name="mouth", daemon=True)
        self._thread.start()

    def keep(self, number: int, done: Future[Any]) -> None:
        if error := done.exception():
            self.sorry(number, error)
        else:
            self._answers.put(WriteReply(number, done.result(), None))

    def sorry(self, number: int, why: BaseException) -> None:
        self._answers.put(_told(WriteReply(number, None, why)))

    def close(self) -> None:
        """Returns when all has been said."""
        self._answers.put(None)
        self._thread.join()

    def _say(self) -> None:
        for answers in iter(self._gathered, []):
            with suppress(OSError):  # nobody hears it: they are gone
                self._line.send_bytes(_pickled(answers))

    def _gathered(self) -> list[WriteReply]:
        """All that is done by now, once anything is; nothing: it was the end."""
        answer, gathered = self._answers.get(), []
        with suppress(Empty):
            while answer is not None:
                gathered.append(answer)
                answer = self._answers.get_nowait()
            if gathered:
                self._answers.put(None)  # the end comes by itself
        return gathered


def _pickled(answers: Sequence[WriteReply]) -> bytes:
    try:
        return pickle.dumps(answers, pickle.HIGHEST_PROTOCOL)
    except Exception:  # noqa: BLE001 - one of them can't be told, which mustn't keep the others
        return pickle.dumps([_told(answer) for answer in answers])


def _told(answer: WriteReply) -> WriteReply:
    """It can be pickled and, which goes wrong with many an exception, be made of that again."""
    try:
        pickle.loads(pickle.dumps(answer))  # noqa: S301
    except Exception as error:  # noqa: BLE001
        return WriteReply(answer.number, None, TypeError(f"what came of the work can't be told: {error}"))
    return answer


def main() -> None:
    """Keeps books for the other end of the line, whose descriptor is the first argument; see Clerk."""
    line, out = Line(int(sys.argv[1])), Line(int(sys.argv[2]))
    sys.setswitchinterval(SWITCH_INTERVAL_S)
    gc.freeze()
    gc.set_threshold(GC_THRESHOLD)
    with suppress(EOFError, OSError):
        if path := line.recv():  # else the books can't be opened
            _keep(line, out, path)


def _keep(line: Line, out: Line, path: Path) -> None:
    mouth = ReplySender(out)
    writer = Writer(open_writer(path))
    hand = Dispatcher(writer)
    try:
        while asked := line.recv():
            try:
                done = hand.does(asked)
            except Exception as why:  # noqa: BLE001 - it belongs to who asked
                mouth.sorry(asked.number, why)
            else:
                done.add_done_callback(partial(mouth.keep, asked.number))
    finally:
        writer.close()
        mouth.close()


class Dispatcher:
    """Gives the Writer what is asked for; it has at hand what was pencilled last."""

    def __init__(self, writer: Writer) -> None:
        self._writer = writer
        self._pencilled: dict[int, list[Entry]] = {}

    def does(self, asked: WriteRequest) -> Future[Any]:
        """Raises when it isn't understood, and then nothing of it is done."""
        match asked.how:
            case "post":
                return self._writer.post([*map(entry_of, asked.what)])
            case "post_each":
                return self._writer.post_each([*map(entry_of, asked.what)])
            case "run":
                return self._writer.run(asked.what)
            case "run_recorded":
                return self._writer.run_recorded(asked.what)
            case "pencil":
                number, rows = asked.what
                self._pencilled = {number: [*map(entry_of, rows)]}
                return self._writer.prepare(self._pencilled[number])
            case "ink":
                number, rows = asked.what
                return self._writer.post([*self._pencilled.pop(number), *map(entry_of, rows)])
