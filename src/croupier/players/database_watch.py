"""Tells the players while the database doesn't answer: their commands wait, and are answered afterwards."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from time import monotonic

from croupier.admission.ledger_gateway import RequestCounts
from croupier.ledger.protocol import DatabaseUnreachable
from croupier.players.connected_players import ConnectedPlayers
from croupier.protocol.wire import DatabaseUpdate

LOOK_S = 0.25
WAITING_S = 1.5
"""Time without an answer after which players are told: before their browsers miss the answer to a ping."""

log = logging.getLogger(__name__)


class Silence:
    """Finds out how long requests of one kind, reads or writes, have had no answer."""

    def __init__(self, counts: RequestCounts, now_s: float) -> None:
        self._counts = counts
        self._answered = 0
        self._since_s = now_s
        """The last time when one was answered, or there was nothing to answer."""

    def lasts_s(self, now_s: float) -> float:
        """Return for how long none has been answered, as of this look; 0: one was, or there was none."""
        silence_s = now_s - self._since_s
        if self._counts.answered == self._answered and self._counts.pending:
            return silence_s
        self._answered, self._since_s = self._counts.answered, now_s
        return 0.0


class DatabaseWatch:
    """Watches reads and writes."""

    def __init__(self, writes: RequestCounts, reads: RequestCounts, players: ConnectedPlayers) -> None:
        self._reads = reads
        self._players = players
        self._silences = [Silence(counts, monotonic()) for counts in (writes, reads)]
        self._waiting_since_s = 0.0
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
            self._reads.submitted += 1  # a failed read shows the outage until another succeeds
            try:
                await self._repeat(work)
            finally:
                self._reads.answered += 1

    async def _repeat(self, work: Callable[[], Awaitable[None]]) -> None:
        while True:
            await asyncio.sleep(LOOK_S)
            try:
                return await work()
            except DatabaseUnreachable:
                continue

    def look(self, now_s: float) -> None:
        """Tell the players if the database has stopped answering, or answers again."""
        silence_s = max([silence.lasts_s(now_s) for silence in self._silences])
        if silence_s >= WAITING_S and not self.is_waiting:
            self._waiting_since_s = now_s - silence_s
            self._answers.clear()
            log.warning("the database doesn't answer after %.1f s", silence_s)
            self._tell()
        elif silence_s == 0 and self.is_waiting:
            self._answers.set()
            log.warning("the database answers again after %.1f s", now_s - self._waiting_since_s)
            self._tell()

    def _tell(self) -> None:
        for player in self._players:
            player.send(DatabaseUpdate(self.is_waiting))
