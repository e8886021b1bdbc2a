"""What may wait is done in a turn of the event loop in which nobody else has anything to do.

So whoever has asked for something is served first, through all the turns that it takes: otherwise each of
them would last as long as a piece of what may wait.
"""

import asyncio
from collections.abc import Callable
from time import perf_counter

Call = Callable[[], None]

QUIET_S = 0.00003
"""A turn that lasts no longer served nobody."""
PATIENCE_S = 0.005
"""So long it waits at most: a loop that never rests would never come to it."""


def when_quiet(call: Call) -> None:
    """`call` in a turn of its own, none too soon and none too late."""
    now = perf_counter()
    asyncio.get_running_loop().call_soon(_turn, call, now, now + PATIENCE_S)


def _turn(call: Call, began: float, latest: float) -> None:
    now = perf_counter()
    if now - began < QUIET_S or now > latest:
        call()
    else:
        asyncio.get_running_loop().call_soon(_turn, call, now, latest)
