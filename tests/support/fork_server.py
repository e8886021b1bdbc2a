"""A process that has imported croupier's modules, and whose copies run programs that use them.

A server spends most of its start on imports, so hundreds of tests would repeat them.
"""

import atexit
import gc
import os
import pickle
import signal
import socket
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from types import CodeType
from typing import NamedTuple

COMMAND = """
from tests.support.fork_server import program_to_run, quick_exit
with quick_exit():
    exec(program_to_run())
"""
"""Each copy returns to this command. The argument is a socket."""
IMPORTED = (
    "croupier.app.serve",
    "croupier.ledger.sqlite.migrations",
    "croupier.maths.exact.rule_effects",
    "croupier.maths.reporting.wording",
    "litestar.plugins.attrs",
    "litestar.plugins.pydantic",
    "rich.console",
    "rich.progress",
    "rich.table",
    "typer._adapters",
    "typer.main",
    "uvloop",
)
"""Not the commands: the consoles that they create depend on the environment."""
REQUEST_BYTES_MAX = 200_000
STREAMS = (0, 1, 2)
"""Standard input, output and error."""


class ForkRequest(NamedTuple):
    """A program with its arguments, working directory and environment. Its streams come with it."""

    program: str
    arguments: tuple[str, ...]
    folder: str
    environment: dict[str, str]


def program_to_run() -> CodeType:
    """Fork at every request until the client ends; return in the copies only."""
    on_ctrl_c = signal.signal(signal.SIGINT, signal.SIG_IGN)  # it reaches the client, which then ends
    for module in IMPORTED:
        import_module(module)
    _fill_caches()
    gc.freeze()  # a collection would copy the memory that the processes share
    channel = socket.socket(fileno=int(sys.argv[1]))
    while True:
        request, streams, *_ = socket.recv_fds(channel, REQUEST_BYTES_MAX, len(STREAMS))
        if not request:
            raise SystemExit
        if _fork(channel):
            channel.close()
            signal.signal(signal.SIGINT, on_ctrl_c)
            return _prepare(pickle.loads(request), streams)
        for stream in streams:
            os.close(stream)


@contextmanager
def quick_exit() -> Iterator[None]:
    """End the process as an interpreter ends, but without freeing its objects.

    That would copy the memory that the processes share, which takes longer than many a program.
    """
    status = 0
    try:
        yield
    except SystemExit as error:
        if not isinstance(error.code, int | None):
            raise
        status = error.code or 0
    threading._shutdown()  # type: ignore[attr-defined]
    atexit._run_exitfuncs()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(status)


def _fill_caches() -> None:
    """Make what all servers make in the same way."""
    from croupier.app.site import routed_site
    from croupier.build import current_build
    from croupier.games import published_tables
    from tests.support import new_databases

    current_build()
    routed_site()
    published_tables()
    new_databases.install()
    new_databases.migrated()


def _fork(channel: socket.socket) -> bool:
    """Start a copy and send its id. Return whether this is the copy.

    The copy's parent ends at once, and the copy waits for that. Then the client is its parent, and learns it.
    """
    if parent := os.fork():
        os.waitpid(parent, 0)
        channel.send(b"adopted")
        return False
    between = os.getpid()
    if copy := os.fork():
        channel.send(str(copy).encode())
        os._exit(0)
    while os.getppid() == between:
        time.sleep(0.001)
    return True


def _prepare(request: ForkRequest, streams: list[int]) -> CodeType:
    """Give this process what a new one has, and return the program."""
    for stream, standard in zip(streams, STREAMS, strict=True):
        os.dup2(stream, standard)
        os.close(stream)
    os.environ.clear()
    os.environ.update(request.environment)
    os.chdir(request.folder)
    sys.argv = ["-c", *request.arguments]
    return compile(request.program, "<string>", "exec")
