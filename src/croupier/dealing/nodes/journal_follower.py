"""Follows what other nodes post to the journal, so that their changes take effect on this node too.

The journal has every change once and in order; the bus only says that there is something new. A message that
is lost delays a change until the next look, and a node without the bus looks often.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from contextlib import suppress

from croupier.admission.ledger_gateway import LedgerGateway
from croupier.cluster.bus import Bus, Unsubscribe
from croupier.dealing.nodes.journal_changes import JournalChanges, changes_in
from croupier.ledger.protocol import DatabaseUnreachable, Ledger

SUBJECT = "journal"
HINT_S = 0.05
"""Minimum interval between messages about new entries, and between looks at the journal."""
LOOK_S, LOOK_WITHOUT_BUS_S = 0.5, 0.25
"""Longest interval between looks: the end of a session takes effect on all nodes within a second."""

log = logging.getLogger(__name__)


class JournalFollower:
    """Reads the entries of other nodes from the journal, soon after they are posted.

    `apply` takes the changes of other nodes, in their order.
    """

    def __init__(
        self,
        ledger: Ledger,
        gateway: LedgerGateway,
        bus: Bus,
        apply: Callable[[JournalChanges], Awaitable[None]],
    ) -> None:
        self._ledger = ledger
        self._gateway = gateway
        self._bus = bus
        self._apply = apply
        self._seq = 0
        self._own: set[int] = set()
        """Positions of entries that this node has posted and applied."""
        self._news = asyncio.Event()
        self._hint: asyncio.TimerHandle | None = None
        self._task: asyncio.Task[None] | None = None
        self._unsubscribe: Unsubscribe | None = None

    @property
    def is_bus_connected(self) -> bool:
        """False while changes of other nodes are found by looking only."""
        return self._bus.is_connected

    async def prepare(self) -> None:
        """Note the journal's present end: what the caller reads from now on has all before it."""
        self._gateway.watch(self._own.add, self._written)
        self._unsubscribe = await self._bus.subscribe(SUBJECT, lambda _: self._news.set())
        self._bus.watch(lambda _: self._news.set())
        self._seq = await asyncio.to_thread(self._ledger.last_seq)

    def start(self) -> None:
        """Apply what others have posted since `prepare`, and what they will."""
        self._task = asyncio.create_task(self._run())

    async def stop(self) -> None:
        """Follow no more; tell the other nodes about the last entries."""
        if self._task:
            self._task.cancel()
        if self._unsubscribe:
            self._unsubscribe()
        if self._hint:
            self._hint.cancel()
            self._publish()

    def _written(self) -> None:
        """Tell the other nodes soon that this one has committed something."""
        if self._hint is None:
            self._hint = asyncio.get_running_loop().call_later(HINT_S, self._publish)

    def _publish(self) -> None:
        self._hint = None
        self._bus.publish(SUBJECT, b"")

    async def _run(self) -> None:
        while True:
            try:
                await self._look()
            except DatabaseUnreachable as error:
                log.debug("the journal can't be followed: %s", error)  # the commits that wait are logged
            except Exception:
                log.exception("following the journal failed; it is tried again")
            await asyncio.sleep(HINT_S)
            with suppress(TimeoutError):
                await asyncio.wait_for(self._news.wait(), self._longest_s)

    @property
    def _longest_s(self) -> float:
        return LOOK_S if self._bus.is_connected else LOOK_WITHOUT_BUS_S

    async def _look(self) -> None:
        """Apply what was posted since the last look."""
        self._news.clear()
        part = await asyncio.to_thread(self._ledger.after, self._seq, frozenset(self._own))
        changes = changes_in(entry for seq, entry in part.entries if seq not in self._own)
        self._seq = part.last_seq
        self._own.difference_update([seq for seq in self._own if seq <= part.last_seq])
        if any(changes):
            await self._apply(changes)
        if part.more:
            self._news.set()
