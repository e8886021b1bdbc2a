"""Work that is due at certain times, such as calls to a service that are repeated until it answers."""

import asyncio
import logging
import random
from collections.abc import Awaitable, Callable, Iterable, Iterator
from contextlib import contextmanager, suppress

from croupier import clock
from croupier.ledger.protocol import LedgerBroken

IDLE_MS = 3_600_000
FAILED_S = 5.0


class DueWork:
    """The due time of each piece of work, by its id. Only one task at a time does a piece of work."""

    def __init__(self) -> None:
        self._due_ms: dict[str, int] = {}
        self._busy: set[str] = set()
        self._woken = asyncio.Event()

    def __contains__(self, work: str) -> bool:
        """Return whether this work is in progress or scheduled."""
        return work in self._due_ms or work in self._busy

    def __len__(self) -> int:
        return len(self._due_ms)

    def put(self, work: str, due_ms: int) -> None:
        """Schedule work; `due_ms` 0: at once."""
        self._due_ms[work] = due_ms
        self._woken.set()

    def put_off(self, work: str, due_ms: int) -> None:
        """Schedule work, unless it is due earlier."""
        self.put(work, min(due_ms, self._due_ms.get(work, due_ms)))

    def drop(self, work: str) -> None:
        self._due_ms.pop(work, None)

    def due(self) -> list[str]:
        """Return the work that is due now and not in progress."""
        self._woken.clear()
        now_ms = clock.now_ms()
        return [work for work, due_ms in self._waiting() if due_ms <= now_ms]

    @contextmanager
    def claimed(self, wanted: Iterable[str]) -> Iterator[set[str]]:
        """Yield the work that no other task is doing, and reserve it until the context ends."""
        mine = {work for work in wanted if work not in self._busy}
        self._busy |= mine
        try:
            yield mine
        finally:
            self._busy -= mine
            if mine:
                self._woken.set()

    async def run(self, work: Callable[[], Awaitable[None]], what: str, log: logging.Logger) -> None:
        """Call `work` whenever something is due, until the task is cancelled. `what` names it in the log."""
        while True:
            try:
                await work()
            except LedgerBroken:
                return  # the server stops
            except Exception:
                log.exception("%s failed; it is tried again", what)
                await asyncio.sleep(FAILED_S)
            with suppress(TimeoutError):
                async with asyncio.timeout(self._wait_s()):
                    await self._woken.wait()

    def _waiting(self) -> list[tuple[str, int]]:
        return [(work, due_ms) for work, due_ms in self._due_ms.items() if work not in self._busy]

    def _wait_s(self) -> float:
        """Return the time until something is due."""
        first_ms = min((due_ms for _, due_ms in self._waiting()), default=clock.now_ms() + IDLE_MS)
        return max(first_ms - clock.now_ms(), 0) / 1000


def delay_ms(attempts: int, least_ms: int, most_ms: int) -> int:
    """Return the delay before the next attempt: it doubles with each attempt, with jitter."""
    longest = min(least_ms * 2 ** min(attempts, 20), most_ms)
    return int(longest * random.uniform(0.5, 1))  # noqa: S311 - spreads calls, hides nothing
