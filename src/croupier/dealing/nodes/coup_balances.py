"""Balances of players whose coups at live tables of other nodes have changed them.

A coup changes thousands of balances at once, and the table's owner tells its players about them. So they are
read anew a little later, a few at a time, and once for several changes.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterable, Sequence

from croupier.ledger.protocol import DatabaseUnreachable, LedgerBroken

DELAY_S = 0.25
"""Longer than it takes the owner to tell the players about the result that a balance follows from."""
READ_AT_ONCE = 32

log = logging.getLogger(__name__)


class CoupBalances:
    """Refreshes balances of players whose coups at live tables of other nodes have changed them.

    `refresh` reads connected players' balances, and sends those that have changed.
    """

    def __init__(self, refresh: Callable[[Sequence[str]], Awaitable[None]]) -> None:
        self._refresh = refresh
        self._due: dict[str, None] = {}
        self._task: asyncio.Task[None] | None = None

    def add(self, players: Iterable[str]) -> None:
        """Read these players' balances anew soon."""
        self._due |= dict.fromkeys(players)
        if self._due and self._task is None:
            self._task = asyncio.create_task(self._run())

    def stop(self) -> None:
        if self._task:
            self._task.cancel()

    async def _run(self) -> None:
        await asyncio.sleep(DELAY_S)
        try:
            while self._due:
                some = [self._due.popitem()[0] for _ in range(min(READ_AT_ONCE, len(self._due)))]
                await self._read(some)
        finally:
            self._task = None

    async def _read(self, players: list[str]) -> None:
        try:
            await self._refresh(players)
        except DatabaseUnreachable:
            self._due |= dict.fromkeys(players)
            await asyncio.sleep(DELAY_S)
        except LedgerBroken:
            self._due.clear()  # the server stops
        except Exception:
            log.exception("balances can't be read")
