"""A scheduler that pauses one coroutine at an await while another one runs."""

import asyncio
import types
from collections.abc import Callable, Coroutine, Generator
from typing import Any

from croupier.refusal import Refused

QUIET_TURNS = 4
"""Turns of the event loop without work in progress after which a coroutine is waiting for the paused one."""
DEADLINE_S = 60.0


class SteppedCoroutine:
    """A coroutine that doesn't go on after its first `pause_at` awaits until it is resumed."""

    def __init__(self, work: Coroutine[Any, Any, None], pause_at: int) -> None:
        self.steps = 0
        self._work = work
        self._pause_at = pause_at
        self._resumed = asyncio.Event()

    @property
    def is_paused(self) -> bool:
        return self.steps == self._pause_at and not self._resumed.is_set()

    def resume(self) -> None:
        self._resumed.set()

    @types.coroutine
    def run(self) -> Generator[Any, Any, str]:
        """Run the work; return the code of the refusal that ends it, or nothing."""
        while True:
            try:
                waits = self._work.send(None)
            except StopIteration:
                return ""
            except Refused as refused:
                return refused.code
            self.steps += 1
            yield waits
            if self.steps == self._pause_at:
                yield from self._resumed.wait().__await__()


async def interleave(
    first: Coroutine[Any, Any, None],
    second: Coroutine[Any, Any, None],
    pause_at: int,
    pending: Callable[[], int],
) -> int:
    """Run `second` while `first` is paused after some awaits; return the number of awaits of `first`.

    `pending` returns the number of writes and reads in progress. If `second` waits for `first`, it goes on
    after it. Raises TimeoutError if they don't end.
    """
    async with asyncio.timeout(DEADLINE_S):
        return await _interleave(first, second, pause_at, pending)


async def _interleave(
    first: Coroutine[Any, Any, None],
    second: Coroutine[Any, Any, None],
    pause_at: int,
    pending: Callable[[], int],
) -> int:
    paused = SteppedCoroutine(first, pause_at)
    other = SteppedCoroutine(second, 0)
    one = asyncio.create_task(_started(paused))
    while not (one.done() or paused.is_paused):  # noqa: ASYNC110 - each turn of the loop is a step
        await asyncio.sleep(0)
    two = asyncio.create_task(_started(other))
    quiet, seen = 0, -1
    while not two.done() and quiet < QUIET_TURNS:
        await asyncio.sleep(0)
        is_quiet = not pending() and other.steps == seen
        quiet, seen = (quiet + 1 if is_quiet else 0), other.steps
    paused.resume()
    await asyncio.gather(one, two)
    return paused.steps


async def _started(work: SteppedCoroutine) -> str:
    return await work.run()
