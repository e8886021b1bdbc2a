"""Leases of tables in the name of this process.

A live table's lease is acquired and renewed. An own table needs no renewal: the node where its player opens
it takes it over at once. The fence is an optimistic lock on the table's round, since what the former node
posts later is refused.
"""

import os
import secrets
import socket
from collections.abc import Collection
from time import monotonic

from croupier.admission.ledger_gateway import LedgerGateway
from croupier.cluster.table_lease import TableLease
from croupier.ledger.leases import Fence, Leases


def owner_name() -> str:
    """Return a name for this process that no other has, for operators."""
    return f"{socket.gethostname()}:{os.getpid()}:{secrets.token_hex(4)}"


class TableLeases:
    """Takes over live tables and own tables in the name of this process."""

    def __init__(self, leases: Leases, gateway: LedgerGateway) -> None:
        self._leases = leases
        self._gateway = gateway
        self._owner = owner_name()

    @property
    def is_shared(self) -> bool:
        """True if other processes may run tables of this database."""
        return self._leases.is_shared

    async def free(self, tables: Collection[str]) -> frozenset[str]:
        """Return those of the live tables that no process runs."""
        return await self._gateway.durable(self._leases.free(tables))

    async def acquire(self, table: str) -> TableLease | None:
        """Take a live table over; None while another process runs it."""
        requested_s = monotonic()
        lease = await self._gateway.durable(self._leases.acquire(table, self._owner))
        return TableLease(lease, self._leases, self._gateway, requested_s) if lease else None

    async def seize(self, player: str, table: str) -> Fence:
        """Take a player's own table over, whoever has it."""
        return await self._gateway.durable(self._leases.seize(f"own:{player}:{table}", self._owner))

    async def holds(self, fence: Fence) -> bool:
        """Return whether nobody has taken the own table over."""
        return await self._gateway.durable(self._leases.renew(fence))
