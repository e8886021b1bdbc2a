"""Clocks for tests: the system clock and elapsed time, each as the test sets it."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from unittest.mock import patch

from croupier import clock
from croupier.clock import ServerClock, elapsed_ns

SECOND_NS = 1_000_000_000
BEGAN_MS = 1_800_000_000_000
SECOND_MS, MINUTE_MS, HOUR_MS = 1_000, 60_000, 3_600_000


class Scripted:
    """A machine on which time passes, and its system clock steps, as the test says."""

    def __init__(self, began_ms: int = BEGAN_MS) -> None:
        self.elapsed_ns = 777 * SECOND_NS
        self.system_ns = began_ms * 1_000_000

    def passes(self, ms: int) -> None:
        self.elapsed_ns += ms * 1_000_000
        self.system_ns += ms * 1_000_000

    def steps(self, ms: int) -> None:
        self.system_ns += ms * 1_000_000

    def clock(self) -> ServerClock:
        """The clock of a process that starts now."""
        return ServerClock(lambda: self.system_ns, lambda: self.elapsed_ns)


@contextmanager
def scripted(began_ms: int = BEGAN_MS) -> Iterator[Scripted]:
    """The server in this process goes by a scripted machine."""
    machine = Scripted(began_ms)
    with patch.object(clock, "CLOCK", machine.clock()):
        yield machine


@contextmanager
def system_clock_stepped(ms: int) -> Iterator[None]:
    """The system clock of this process is so far from what it was; elapsed time is as it is."""
    true_ns = time.time_ns
    with patch.object(time, "time_ns", lambda: true_ns() + ms * 1_000_000):
        yield


class Hurried:
    """A machine on which time passes as usual, and besides as the test says."""

    def __init__(self) -> None:
        self._ahead_ns = 0

    def passes(self, ms: int) -> None:
        self._ahead_ns += ms * 1_000_000

    def clock(self) -> ServerClock:
        return ServerClock(lambda: time.time_ns() + self._ahead_ns, lambda: elapsed_ns() + self._ahead_ns)


@contextmanager
def hurried() -> Iterator[Hurried]:
    """The server in this process goes by such a machine."""
    machine = Hurried()
    with patch.object(clock, "CLOCK", machine.clock()):
        yield machine
