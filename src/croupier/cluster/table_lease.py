"""The lease of a live table that this process runs, renewed by the table's own loop.

A table that hangs doesn't renew its lease, so another process takes it over. A process that was frozen finds
its lease expired: it renews the lease before it shows anything, which fails after a take-over.
"""

import asyncio
from collections.abc import Callable
from time import monotonic

from croupier.admission.ledger_gateway import LedgerGateway
from croupier.ledger.leases import LEASE_MS, Fence, Lease, LeaseLost, Leases

RENEW_S = LEASE_MS / 3000
NEVER = float("inf")


class TableLease:
    """The lease of a live table that this process holds.

    `fence`: that of the table's posts.
    """

    def __init__(self, lease: Lease, leases: Leases, gateway: LedgerGateway, requested_s: float) -> None:
        """`requested_s`: monotonic time before the lease was requested, from which it counts here."""
        self.fence: Fence = lease.fence
        self._expires = lease.expires
        self._leases = leases
        self._gateway = gateway
        self._timer: asyncio.TimerHandle | None = None
        self._wake: Callable[[], None] = lambda: None
        self._renewed(requested_s)

    @property
    def is_due(self) -> bool:
        """True if the lease is to be renewed before the next batch."""
        return monotonic() >= self._due_s

    @property
    def has_expired(self) -> bool:
        """True if another process may have taken the table over."""
        return monotonic() >= self._expires_s

    def start(self, wake: Callable[[], None]) -> None:
        """Call `wake` whenever the lease is due, so that an idle table renews it too."""
        self._wake = wake
        self._set_timer()

    async def renew(self) -> None:
        """Renew the lease; LeaseLost if another process has taken the table over."""
        requested_s = monotonic()
        if not await self._gateway.durable(self._leases.renew(self.fence)):
            raise LeaseLost(self.fence.table)
        self._renewed(requested_s)
        self._set_timer()

    def stop(self) -> None:
        """Renew no more."""
        self._expires = False
        if self._timer:
            self._timer.cancel()

    async def release(self) -> None:
        """Let another process take the table over at once."""
        self.stop()
        await self._gateway.durable(self._leases.release(self.fence))

    def _renewed(self, requested_s: float) -> None:
        self._due_s = requested_s + RENEW_S if self._expires else NEVER
        self._expires_s = requested_s + LEASE_MS / 1000 if self._expires else NEVER

    def _set_timer(self) -> None:
        if self._timer:
            self._timer.cancel()
        if self._expires:
            wait_s = max(0.0, self._due_s - monotonic())
            self._timer = asyncio.get_running_loop().call_later(wait_s, self._tick)

    def _tick(self) -> None:
        if self.is_due:
            self._wake()
        else:
            self._set_timer()  # timers may be early by a fraction of a millisecond
