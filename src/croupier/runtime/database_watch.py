"""Tells the players while the database doesn't answer: their commands wait, and are answered afterwards."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from time import monotonic

from croupier.ledger.protocol import DatabaseUnreachable
from croupier.protocol.wire import DatabaseUpdate
from croupier.runtime.ledger_gateway import WriteCounts
from croupier.runtime.players.registry import ConnectedPlayers

LOOK_S = 0.25
WAITING_S = 1.5
"""Time without an answer after which players are told: before their browsers miss the answer to a ping."""

log = logging.getLogger(__name__)


class DatabaseWatch:
    """Watches the writes, and commands whose reads failed."""

    def __init__(self, writes: WriteCounts, players: ConnectedPlayers) -> None:
        self._writes = writes
        self._players = players
        self._answered = 0
        self._since_s = monotonic()
        """The last time when the database answered, or had nothing to answer."""
        self._answers = asyncio.Event()
        self._answers.set()

    @property
    def is_waiting(self) -> bool:
        """True once the database hasn't answered for a while."""
        return not self._answers.is_set()

    async def run(self) -> None:
        """Look until cancelled."""
        while True:
            await asyncio.sleep(LOOK_S)
            self.look(monotonic())

    async def do(self, work: Callable[[], Awaitable[None]]) -> None:
        """Do work that begins with a read once the database answers; repeat it while the read fails."""
        await self._answers.wait()
        try:
            await work()
        except DatabaseUnreachable:
            self._writes.submitted += 1  # a failed read shows the outage too, where nothing is written
            try:
                await self._repeat(work)
            finally:
                self._writes.answered += 1

    async def _repeat(self, work: Callable[[], Awaitable[None]]) -> None:
        while True:
            await asyncio.sleep(LOOK_S)
            try:
                return await work()
            except DatabaseUnreachable:
                continue

    def look(self, now_s: float) -> None:
        """Tell the players if the database has stopped answering, or answers again."""
        if self._writes.answered != self._answered or not self._writes.pending:
            self._tell(waiting=False, after_s=now_s - self._since_s)
            self._answered, self._since_s = self._writes.answered, now_s
        elif now_s - self._since_s >= WAITING_S:
            self._tell(waiting=True, after_s=now_s - self._since_s)

    def _tell(self, *, waiting: bool, after_s: float) -> None:
        if waiting == self.is_waiting:
            return
        if waiting:
            self._answers.clear()
            log.warning("the database doesn't answer after %.1f s", after_s)
        else:
            self._answers.set()
            log.warning("the database answers again after %.1f s", after_s)
        for player in self._players:
            player.send(DatabaseUpdate(waiting))
