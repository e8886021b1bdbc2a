"""Clocks for tests: the system clock and elapsed time, both set by the test."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from unittest.mock import patch

from croupier import clock
from croupier.clock import ServerClock, elapsed_ns

SECOND_NS = 1_000_000_000
START_MS = 1_800_000_000_000
SECOND_MS, MINUTE_MS, HOUR_MS = 1_000, 60_000, 3_600_000


class FakeMachine:
    """A machine whose elapsed time and system clock the test controls."""

    def __init__(self, start_ms: int = START_MS) -> None:
        self.elapsed_ns = 777 * SECOND_NS
        self.system_ns = start_ms * 1_000_000

    def advance(self, ms: int) -> None:
        self.elapsed_ns += ms * 1_000_000
        self.system_ns += ms * 1_000_000

    def step_system_clock(self, ms: int) -> None:
        self.system_ns += ms * 1_000_000

    def clock(self) -> ServerClock:
        """Return the clock of a process that starts now."""
        return ServerClock(lambda: self.system_ns, lambda: self.elapsed_ns)


@contextmanager
def fake_machine(start_ms: int = START_MS) -> Iterator[FakeMachine]:
    """Run the server in this process on the clock of a fake machine."""
    machine = FakeMachine(start_ms)
    with patch.object(clock, "CLOCK", machine.clock()):
        yield machine


@contextmanager
def system_clock_stepped(ms: int) -> Iterator[None]:
    """Step the system clock of this process by `ms`; elapsed time doesn't change."""
    real_time_ns = time.time_ns
    with patch.object(time, "time_ns", lambda: real_time_ns() + ms * 1_000_000):
        yield


class FastForwardMachine:
    """A machine with real clocks that the test can put forward."""

    def __init__(self) -> None:
        self._ahead_ns = 0

    def advance(self, ms: int) -> None:
        self._ahead_ns += ms * 1_000_000

    def clock(self) -> ServerClock:
        return ServerClock(lambda: time.time_ns() + self._ahead_ns, lambda: elapsed_ns() + self._ahead_ns)


@contextmanager
def fast_forward_machine() -> Iterator[FastForwardMachine]:
    """Run the server in this process on clocks that the test can put forward."""
    machine = FastForwardMachine()
    with patch.object(clock, "CLOCK", machine.clock()):
        yield machine
