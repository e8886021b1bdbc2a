"""Processes that start with croupier's modules imported: copies of the fork server.

A copy is a child of this process like any other: it has a process id, an exit status and signals of its own.
"""

import atexit
import ctypes
import inspect
import os
import pickle
import socket
import subprocess
import sys
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from threading import Lock
from typing import Any, AnyStr

from tests.support.fork_server import COMMAND, STREAMS, ForkRequest

ROOT = Path(__file__).parents[2]
PR_SET_CHILD_SUBREAPER = 36
REPLY_BYTES_MAX = 100
CHILD_ENDS = ("p2cread", "c2pwrite", "errwrite")
PIPE_ENDS = ("p2cread", "p2cwrite", "c2pread", "c2pwrite", "errread", "errwrite")
FORKED = {
    "close_fds": True,
    "pass_fds": (),
    "preexec_fn": None,
    "process_group": -1,
    "shell": False,
    "start_new_session": False,
    "uid": None,
    "gid": None,
    "gids": None,
    "umask": -1,
}
"""The values of `Popen`'s options that copies have."""
_bound = inspect.signature(subprocess.Popen._execute_child).bind  # type: ignore[attr-defined]


class Popen(subprocess.Popen[AnyStr]):
    """A `subprocess.Popen` that forks a copy for `python -c PROGRAM …`; other commands start as usual."""

    def _execute_child(self, *given: Any) -> None:
        options = _bound(self, *given).arguments
        if not _can_fork(options):
            super()._execute_child(*given)  # type: ignore[misc]
            return
        pipes = [options[name] for name in CHILD_ENDS]
        streams = [standard if pipe == -1 else pipe for pipe, standard in zip(pipes, STREAMS, strict=True)]
        self.pid = _client().fork(_request(options), streams)
        self._child_created = True
        self._close_pipe_fds(*(options[name] for name in PIPE_ENDS))  # type: ignore[attr-defined]


def _can_fork(options: Mapping[str, Any]) -> bool:
    return (
        sys.platform == "linux"
        and tuple(options["args"][:2]) == (sys.executable, "-c")
        and all(options[name] == value for name, value in FORKED.items())
        and _of_interpreter(_environment(options)) == _client().interpreter
    )


def _environment(options: Mapping[str, Any]) -> Mapping[str, str]:
    return os.environ if options["env"] is None else options["env"]


def _of_interpreter(environment: Mapping[str, str]) -> dict[str, str]:
    """Return the variables that the interpreter reads when it starts."""
    return {name: value for name, value in environment.items() if name.startswith("PYTHON")}


def _request(options: Mapping[str, Any]) -> ForkRequest:
    _, _, program, *arguments = map(os.fspath, options["args"])
    folder = options["cwd"] or Path.cwd()
    return ForkRequest(program, tuple(arguments), str(folder), dict(_environment(options)))


def run(
    command: Sequence[str | Path], *, env: Mapping[str, str] | None = None, timeout: float | None = None
) -> subprocess.CompletedProcess[str]:
    """Run a command and capture its output, as `subprocess.run` does."""
    with Popen(command, env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        try:
            printed, errors = process.communicate(timeout=timeout)
        except BaseException:
            process.kill()
            raise
    return subprocess.CompletedProcess(command, process.returncode, printed, errors)


class ForkClient:
    """The fork server of this process; its `interpreter` variables are those of all copies."""

    def __init__(self) -> None:
        self.interpreter = _of_interpreter(os.environ)
        self._channel, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._lock = Lock()
        with theirs:
            self._process = subprocess.Popen(
                [sys.executable, "-c", COMMAND, str(theirs.fileno())],
                pass_fds=[theirs.fileno()],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                cwd=ROOT,
            )

    def fork(self, request: ForkRequest, streams: Sequence[int]) -> int:
        """Return the id of a new child of this process that runs the program."""
        with self._lock:
            _adopt_orphans(True)
            try:
                socket.send_fds(self._channel, [pickle.dumps(request)], streams)
                copy, adopted = (self._channel.recv(REPLY_BYTES_MAX) for _ in range(2))
            finally:
                _adopt_orphans(False)
        if not adopted:
            raise ChildProcessError("the fork server has ended")
        return int(copy)

    def close(self) -> None:
        self._channel.close()
        self._process.wait()


@cache
def _client() -> ForkClient:
    client = ForkClient()
    atexit.register(client.close)
    return client


def _adopt_orphans(yes: bool) -> None:
    """Become the parent of descendants whose parent ends, or leave them to the system."""
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, int(yes), 0, 0, 0)
