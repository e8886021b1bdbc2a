"""The end of a worker process of the tests, with the servers and browsers that it started."""

import ctypes
import os
import signal
import sys

PR_SET_PDEATHSIG = 1


def end_with_parent() -> None:
    """Interrupt this process as soon as its parent ends, so that its fixtures stop what they started.

    The plugin that runs the workers would wait 5 s first, and a process started in the background ignores
    the signal.
    """
    signal.signal(signal.SIGINT, signal.default_int_handler)
    if sys.platform == "linux":
        parent = os.getppid()
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGINT, 0, 0, 0)
        if os.getppid() != parent:
            signal.raise_signal(signal.SIGINT)
