"""The writer process: a Writer that serves the requests of a WriterClient."""

import gc
import os
import pickle
import select
import signal
import sys
from collections.abc import Sequence
from concurrent.futures import Future
from contextlib import suppress
from functools import partial
from multiprocessing.connection import Connection as PipeConnection
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Thread
from time import sleep
from typing import Any, Literal, NamedTuple

from croupier.ledger.chain import entry_of
from croupier.ledger.entries import Entry
from croupier.ledger.leases import Fence
from croupier.ledger.sql.databases import Database
from croupier.ledger.sql.opening import open_driver
from croupier.ledger.sql.writer import Writer

GC_THRESHOLD = 50_000
"""Allocations before a garbage collection: a coup makes many objects and hardly any cycles."""
SWITCH_INTERVAL_S = 0.0005
"""Between the threads that read, write and reply, so that reading doesn't wait."""

FINISH_S = 1.0
"""Time to finish what was received when the client is killed; nobody waits for the rest."""
HUNG_UP = getattr(select, "POLLRDHUP", select.POLLHUP)

WriteOperation = Literal[
    "post", "post_each", "post_groups", "run", "read", "run_recorded", "prepare", "post_prepared"
]
"""The writer's method; "post_prepared" posts what was prepared and the entries that follow it."""


class WriteRequest(NamedTuple):
    """A request to the writer process.

    `payload`: rows of the entries to post, lists of them for "post_groups", or the work to run.

    For "prepare" and "post_prepared", the number of the prepared sequence and the rows. `fence`: of posts.
    """

    number: int
    operation: WriteOperation
    payload: Any
    fence: Fence | None = None


class WriteReply(NamedTuple):
    """The result; or the error, with None as result."""

    number: int
    result: Any
    error: BaseException | None


class ReplySender:
    """Sends replies from a thread of its own, so that neither reader nor writer waits for the pipe."""

    def __init__(self, pipe: PipeConnection) -> None:
        self._pipe = pipe
        self._replies: SimpleQueue[WriteReply | None] = SimpleQueue()
        self._thread = Thread(target=self._run, name="replies", daemon=True)
        self._thread.start()

    def send(self, number: int, done: Future[Any]) -> None:
        if error := done.exception():
            self.send_error(number, error)
        else:
            self._replies.put(WriteReply(number, done.result(), None))

    def send_error(self, number: int, error: BaseException) -> None:
        self._replies.put(_picklable(WriteReply(number, None, error)))

    def close(self) -> None:
        """Return once everything has been sent."""
        self._replies.put(None)
        self._thread.join()

    def _run(self) -> None:
        for replies in iter(self._gather, []):
            with suppress(OSError):  # the client has ended
                self._pipe.send_bytes(_pickled(replies))

    def _gather(self) -> list[WriteReply]:
        """Wait for a reply, then take all that are queued; empty at the end."""
        reply, gathered = self._replies.get(), []
        with suppress(Empty):
            while reply is not None:
                gathered.append(reply)
                reply = self._replies.get_nowait()
            if gathered:
                self._replies.put(None)  # the next call returns the end alone
        return gathered


def _pickled(replies: Sequence[WriteReply]) -> bytes:
    try:
        return pickle.dumps(replies, pickle.HIGHEST_PROTOCOL)
    except Exception:  # noqa: BLE001 - one that can't be pickled mustn't hold up the others
        return pickle.dumps([_picklable(reply) for reply in replies])


def _picklable(reply: WriteReply) -> WriteReply:
    """Replace a reply that can't be pickled and unpickled, as many exceptions can't, by a TypeError."""
    try:
        pickle.loads(pickle.dumps(reply))  # noqa: S301
    except Exception as error:  # noqa: BLE001
        return WriteReply(reply.number, None, TypeError(f"the result can't be sent: {error}"))
    return reply


def main() -> None:
    """Run the process; the arguments are the descriptors of the request socket and the reply pipe."""
    requests, replies = PipeConnection(int(sys.argv[1])), PipeConnection(int(sys.argv[2]))
    sys.setswitchinterval(SWITCH_INTERVAL_S)
    gc.freeze()
    gc.set_threshold(GC_THRESHOLD)
    with suppress(EOFError, OSError):
        if database := requests.recv():  # None if the client couldn't migrate it
            _serve(requests, replies, database)


def _end_with_client(requests: int) -> None:
    """End the process soon after its client, even while it waits for a database that doesn't answer.

    While the client lives, SIGTERM is blocked: the client closes the ledger.
    """
    watch = select.poll()
    watch.register(requests, HUNG_UP)
    watch.poll()
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGTERM})
    sleep(FINISH_S)
    os._exit(1)


def _serve(requests: PipeConnection, replies: PipeConnection, database: Database) -> None:
    if not isinstance(database, Path):  # a file answers, so everything received is carried out
        Thread(target=_end_with_client, args=(requests.fileno(),), name="client watch", daemon=True).start()
    sender = ReplySender(replies)
    writer = Writer(open_driver(database))
    dispatcher = Dispatcher(writer)
    try:
        while messages := requests.recv():
            for message in messages:
                _dispatch(dispatcher, sender, pickle.loads(message))  # noqa: S301
    finally:
        writer.close()
        sender.close()


def _dispatch(dispatcher: "Dispatcher", sender: ReplySender, request: WriteRequest) -> None:
    try:
        done = dispatcher.dispatch(request)
    except Exception as error:  # noqa: BLE001 - passed to the caller
        sender.send_error(request.number, error)
    else:
        done.add_done_callback(partial(sender.send, request.number))


class Dispatcher:
    """Decodes requests and passes them to the Writer; keeps the sequence prepared last."""

    def __init__(self, writer: Writer) -> None:
        self._writer = writer
        self._prepared: dict[int, list[Entry]] = {}

    def dispatch(self, request: WriteRequest) -> Future[Any]:
        """Raise where the request can't be decoded; nothing of it is done then."""
        match request.operation:
            case "post":
                return self._writer.post([*map(entry_of, request.payload)], request.fence)
            case "post_each":
                return self._writer.post_each([*map(entry_of, request.payload)], request.fence)
            case "post_groups":
                groups = [[*map(entry_of, rows)] for rows in request.payload]
                return self._writer.post_groups(groups, request.fence)
            case "run" | "read" | "run_recorded":
                done: Future[Any] = getattr(self._writer, request.operation)(request.payload)
                return done
            case "prepare":
                number, rows = request.payload
                self._prepared = {number: [*map(entry_of, rows)]}
                return self._writer.prepare(self._prepared[number])
            case "post_prepared":
                number, rows = request.payload
                return self._writer.post([*self._prepared.pop(number), *map(entry_of, rows)], request.fence)
