"""Writer processes of servers that are copies of the fork server: forked by their server.

A server starts its writer process before it opens the database and before it has threads, so the fork shares
nothing but memory. A new interpreter would spend 0.2 s on imports, at each of hundreds of starts.
"""

import asyncio
import atexit
import logging
import os
import signal
import sys
import traceback
from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, NoReturn

from croupier.ledger.sql.writer_client import COMMAND
from tests.support.fork_server import STREAMS, quick_exit
from tests.support.forking_popen import ForkingPopen, streams_of


class Popen(ForkingPopen[Any]):
    """A `subprocess.Popen` that forks the writer process."""

    def _forked(self, options: Mapping[str, Any]) -> int | None:
        if tuple(options["args"][: len(COMMAND)]) != COMMAND:
            return None
        return os.fork() or _run(options)


def _run(options: Mapping[str, Any]) -> NoReturn:
    """Be a new process that runs the command."""
    try:
        with quick_exit():
            _forget_the_server(streams_of(options, STREAMS), options["pass_fds"])
            os.setpgid(0, options["process_group"])
            _, _, program, *arguments = options["args"]
            sys.argv = ["-c", *arguments]
            exec(program, {"__name__": "__main__"})
    except BaseException:  # noqa: BLE001 - nothing may go on as the server
        traceback.print_exc()
    os._exit(1)


def _forget_the_server(streams: Sequence[int], passed: Collection[int]) -> None:
    """Leave signal handlers, descriptors and what else belongs to the server."""
    signal.set_wakeup_fd(-1)
    for number in signal.valid_signals():
        if callable(signal.getsignal(number)):
            signal.signal(number, signal.default_int_handler if number == signal.SIGINT else signal.SIG_DFL)
    for stream, standard in zip(streams, STREAMS, strict=True):
        os.dup2(stream, standard)
    for descriptor in {int(entry.name) for entry in Path("/proc/self/fd").iterdir()} - {*STREAMS, *passed}:
        with suppress(OSError):  # that of the listing is closed already
            os.close(descriptor)
    asyncio._set_running_loop(None)
    atexit._clear()
    logging.root.handlers.clear()
