"""What may wait is done in turns of the event loop in which nobody else has anything to do.

So whoever has asked for something is served first, through all the turns that it takes: otherwise each of
them would last as long as a piece of what may wait.
"""

import asyncio
from collections import deque
from collections.abc import Callable
from time import perf_counter

Call = Callable[[], None]

QUIET_S = 0.00003
"""A turn that lasts no longer served nobody."""
PATIENCE_S = 0.005
"""So long the next call waits at most: a loop that never rests would never come to it."""


class Quiet:
    """Calls in turns of their own, in the order in which they came: so several halls tell by turns."""

    def __init__(self) -> None:
        self._waiting: deque[Call] = deque()

    def __call__(self, call: Call) -> None:
        self._waiting.append(call)
        if len(self._waiting) == 1:
            self._soon()

    def _soon(self) -> None:
        now = perf_counter()
        asyncio.get_running_loop().call_soon(self._turn, now, now + PATIENCE_S)

    def _turn(self, began: float, latest: float) -> None:
        now = perf_counter()
        if now - began < QUIET_S or now > latest:
            self._next()
        else:
            asyncio.get_running_loop().call_soon(self._turn, now, latest)

    def _next(self) -> None:
        try:
            self._waiting[0]()
        finally:
            self._waiting.popleft()
            if self._waiting:
                self._soon()
