"""The timer of a live table's next deadline."""

import asyncio
from collections.abc import Callable

from croupier import clock

LATE_MS = 50
"""Timers less late than this count from their deadline, later ones from now."""


class DeadlineTimer:
    """Calls `on_due` with the deadline, or None for now, once the time of `deadline_ms` has come."""

    def __init__(self, deadline_ms: Callable[[], int | None], on_due: Callable[[int | None], None]) -> None:
        self._deadline_ms = deadline_ms
        self._on_due = on_due
        self._timer: asyncio.TimerHandle | None = None

    def set(self) -> None:
        """Wait for the present deadline, if there is one, and for no other."""
        self.cancel()
        if (deadline_ms := self._deadline_ms()) is not None:
            wait_s = max(0, deadline_ms - clock.now_ms()) / 1000
            self._timer = asyncio.get_running_loop().call_later(wait_s, self._tick)

    def cancel(self) -> None:
        if self._timer:
            self._timer.cancel()

    def _tick(self) -> None:
        deadline_ms = self._deadline_ms()
        if deadline_ms is not None and clock.now_ms() < deadline_ms:
            self.set()  # timers may be early by a fraction of a millisecond
        else:
            self._on_due(due_or_now(deadline_ms))


def due_or_now(due_ms: int | None) -> int | None:
    """Return `due_ms` if now is less than LATE_MS away from it, else None for now."""
    return due_ms if due_ms is not None and abs(clock.now_ms() - due_ms) < LATE_MS else None
