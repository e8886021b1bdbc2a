"""The comparison of this node with the others that tells it whether it alone has lost the bus.

Each node sends itself messages over the bus, and records in the database when it last got one. A node that
has lost the bus while another one still gets messages is cut off: the other can serve players better. If
no node has the bus, none is cut off, and all play on with what they have.
"""

import asyncio
import logging
from collections.abc import Collection
from time import monotonic

from croupier.admission.ledger_gateway import LedgerGateway
from croupier.cluster.bus import Bus, Unsubscribe
from croupier.cluster.roles import NodeRole
from croupier.ledger.leases import Leases
from croupier.ledger.protocol import DatabaseUnreachable

BEAT_S = 0.5
CONFIRMATIONS = 2
"""Beats after which the loss counts: the first one after a delay of this process may be mistaken."""

log = logging.getLogger(__name__)


def node_subject(node: str) -> str:
    """Return the subject of a node's messages to itself."""
    return f"node.{node}"


class NodePresence:
    """The presence of this node among the others. `roles` is empty once it leaves."""

    def __init__(
        self, leases: Leases, gateway: LedgerGateway, bus: Bus, node: str, roles: Collection[NodeRole]
    ) -> None:
        self._leases = leases
        self._gateway = gateway
        self._bus = bus
        self._node = node
        self._roles = frozenset(roles)
        self._heard_s = monotonic()
        self._losses = 0
        """Beats one after the other that found that others have the bus and this node doesn't."""
        self._others: frozenset[str] = frozenset()
        """The roles of those others."""
        self._unsubscribe: Unsubscribe | None = None
        self._beating: asyncio.Task[None] | None = None

    def lets_others_own(self) -> bool:
        """Return whether another owner of live tables has the bus, and this node doesn't."""
        return self._is_cut_off and "tables" in self._others

    @property
    def is_replaceable(self) -> bool:
        """True if another node has the bus, which this one hasn't, and can take its place."""
        role = "gateway" if "gateway" in self._roles else "tables"
        return self._is_cut_off and role in self._others

    @property
    def _is_cut_off(self) -> bool:
        return self._losses >= CONFIRMATIONS

    async def start(self) -> None:
        self._unsubscribe = await self._bus.subscribe(node_subject(self._node), self._heard)
        self._beating = asyncio.create_task(self._run())

    def leave(self) -> None:
        """Tell the others from now on that this node takes neither players nor tables, as it stops soon."""
        self._roles = frozenset()

    def stop(self) -> None:
        if self._beating:
            self._beating.cancel()
        if self._unsubscribe:
            self._unsubscribe()

    def _heard(self, _: bytes) -> None:
        self._heard_s = monotonic()

    async def _run(self) -> None:
        while True:
            self._bus.publish(node_subject(self._node), b"")
            await asyncio.sleep(BEAT_S)
            try:
                await self._beat()
            except DatabaseUnreachable:
                log.debug("the other nodes can't be looked for: the database doesn't answer")
            except Exception:
                log.exception("the other nodes can't be looked for; it is tried again")

    async def _beat(self) -> None:
        silent_ms = round((monotonic() - self._heard_s) * 1000)
        beat = self._leases.beat(self._node, self._roles, silent_ms)
        self._others = await self._gateway.durable(beat)
        before = self._is_cut_off
        self._losses = self._losses + 1 if self._others else 0
        if self._is_cut_off and not before:
            log.error("the message server is out of reach here, but not from other nodes")
        elif before and not self._is_cut_off:
            log.warning("the message server is within reach again, or from no other node either")
