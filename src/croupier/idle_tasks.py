"""Tasks for idle turns of the event loop, so that inputs are answered first, whatever turns that takes."""

import asyncio
from collections import deque
from collections.abc import Callable
from time import perf_counter

Call = Callable[[], None]

IDLE_S = 0.00003
"""A turn no longer than this did no other work."""
PATIENCE_S = 0.005
"""Maximum wait of the next call, as a busy loop never has an idle turn."""


class IdleTasks:
    """Calls in turns of their own, in order; so the delivery rounds of several tables alternate."""

    def __init__(self) -> None:
        self._calls: deque[Call] = deque()

    def __call__(self, call: Call) -> None:
        self._calls.append(call)
        if len(self._calls) == 1:
            self._schedule()

    def _schedule(self) -> None:
        now = perf_counter()
        asyncio.get_running_loop().call_soon(self._turn, now, now + PATIENCE_S)

    def _turn(self, started: float, latest: float) -> None:
        now = perf_counter()
        if now - started < IDLE_S or now > latest:
            self._run_next()
        else:
            asyncio.get_running_loop().call_soon(self._turn, now, latest)

    def _run_next(self) -> None:
        try:
            self._calls[0]()
        finally:
            self._calls.popleft()
            if self._calls:
                self._schedule()
