"""The server's clock: every time stamp, deadline, limit and break goes by it.

It is set when the process starts and then counts elapsed time, so a step of the system clock doesn't move it.
While the system clock is behind, it runs a little slower; it never jumps or runs faster to catch up, because
that would end limits and breaks early.
"""

import time
from collections.abc import Callable
from functools import partial
from typing import NamedTuple

SLOWER_PER_MILLION = 500
"""The rate reduction while the system clock is behind: 43 seconds a day."""
BEHIND_NS = 50_000_000
"""The system clock counts as behind from here on."""
STEP_NS = 250_000_000
"""A smaller change of the difference between the clocks isn't reported as a step."""


def _system_ns() -> int:
    return time.time_ns()


def _elapsed_source() -> Callable[[], int]:
    """Nanoseconds that no change of the system clock affects; on Linux they include suspended time."""
    if hasattr(time, "CLOCK_BOOTTIME"):
        return partial(time.clock_gettime_ns, time.CLOCK_BOOTTIME)
    return time.monotonic_ns


elapsed_ns = _elapsed_source()


class _Rate(NamedTuple):
    """From `from_ns` of elapsed time on the clock counts from `base_ns`, slower by `slower` per million."""

    base_ns: int
    from_ns: int
    slower: int

    def at(self, elapsed_ns: int) -> int:
        passed_ns = elapsed_ns - self.from_ns
        return self.base_ns + passed_ns - passed_ns * self.slower // 1_000_000


class ServerClock:
    """The time of the server, which follows elapsed time rather than steps of the system clock.

    `system` and `elapsed` are read in nanoseconds. Any thread may read the clock, one may check it.
    """

    def __init__(
        self, system: Callable[[], int] = _system_ns, elapsed: Callable[[], int] = elapsed_ns
    ) -> None:
        self._system = system
        self._elapsed = elapsed
        self.set_ms(self.system_ms)

    def now_ms(self) -> int:
        return self._rate.at(self._elapsed()) // 1_000_000

    def set_ms(self, now_ms: int) -> None:
        """Count on from `now_ms`: when the process starts, and never again."""
        self._rate = _Rate(now_ms * 1_000_000, self._elapsed(), 0)
        self._ahead_ns = self._read_ahead_ns()

    @property
    def elapsed_ms(self) -> int:
        return self._elapsed() // 1_000_000

    @property
    def system_ms(self) -> int:
        return self._system() // 1_000_000

    @property
    def ahead_ms(self) -> int:
        """The distance to the system clock; negative if this clock is behind."""
        return round(self._read_ahead_ns() / 1_000_000)

    def check(self) -> int:
        """Return the step of the system clock since the last check, in milliseconds; 0: there was none."""
        ahead_ns = self._read_ahead_ns()
        step_ns, self._ahead_ns = self._ahead_ns - ahead_ns, ahead_ns
        self._run(SLOWER_PER_MILLION if ahead_ns > BEHIND_NS else 0)
        return round(step_ns / 1_000_000) if abs(step_ns) >= STEP_NS else 0

    def _run(self, slower: int) -> None:
        if slower != self._rate.slower:
            elapsed_ns = self._elapsed()
            self._rate = _Rate(self._rate.at(elapsed_ns), elapsed_ns, slower)

    def _read_ahead_ns(self) -> int:
        return self._rate.at(self._elapsed()) - self._system()


CLOCK = ServerClock()


def now_ms() -> int:
    """Milliseconds since 1970, UTC."""
    return CLOCK.now_ms()
