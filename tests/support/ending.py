"""The end of a worker process of the tests, with the servers and browsers that it started."""

import ctypes
import os
import signal
import sys
import threading
from types import FrameType
from typing import NoReturn

import psutil

PR_SET_PDEATHSIG = 1
GRACE_S = 4.0
"""For fixtures to stop what they started. The rest is killed, as a test's threads may never end."""


def end_with_parent() -> None:
    """Interrupt this process as soon as its parent ends, so that its fixtures stop what they started.

    The plugin that runs the workers would wait 5 s first, and a process started in the background ignores
    the signal.
    """
    signal.signal(signal.SIGINT, _interrupt)
    if sys.platform == "linux":
        parent = os.getppid()
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGINT, 0, 0, 0)
        if os.getppid() != parent:
            signal.raise_signal(signal.SIGINT)


def _interrupt(_signal: int, _frame: FrameType | None) -> NoReturn:
    deadline = threading.Timer(GRACE_S, _kill)
    deadline.daemon = True
    deadline.start()
    raise KeyboardInterrupt


def _kill() -> NoReturn:
    """Kill all processes that this one started, and end it."""
    for process in psutil.Process().children(recursive=True):
        process.kill()
    os._exit(1)
