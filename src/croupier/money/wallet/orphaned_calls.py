"""Calls of processes that have failed: one of the others on the same database sends them."""

import asyncio
import logging
from contextlib import suppress

from croupier.cluster.table_lease import RENEW_S, TableLease
from croupier.cluster.table_leases import TableLeases
from croupier.ledger.leases import LeaseLost
from croupier.ledger.protocol import DatabaseUnreachable, LedgerBroken
from croupier.money.wallet.driver import WalletDriver

ROLE = "role:wallet"
"""Name of the lease. No table has it: their ids have no colon."""

log = logging.getLogger(__name__)


class OrphanedCalls:
    """The process with the lease looks for calls that have been open for long.

    The others don't, so that a wallet that is out of reach isn't asked by all of them. Nothing depends on the
    lease being exclusive.
    """

    def __init__(self, leases: TableLeases, driver: WalletDriver) -> None:
        self._leases = leases
        self._driver = driver
        self._lease: TableLease | None = None
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        self._task = asyncio.create_task(self._run())

    async def close(self) -> None:
        """Look no more, and let another process do so at once."""
        if self._task:
            self._task.cancel()
        if self._lease:
            with suppress(LedgerBroken):  # the database is lost: the lease expires
                await self._lease.release()

    async def _run(self) -> None:
        while True:
            try:
                await self.look()
            except DatabaseUnreachable as error:
                log.debug("calls to the wallet can't be read: %s", error)  # what waits for commits is logged
            except LedgerBroken:
                return  # the server stops
            except Exception:
                log.exception("looking for calls to the wallet failed; it is tried again")
            await asyncio.sleep(RENEW_S)

    async def look(self) -> None:
        """Have the driver send what seems to be left, unless another process looks after it."""
        if await self._has_lease():
            await self._driver.adopt()

    async def _has_lease(self) -> bool:
        try:
            if self._lease:
                await self._lease.renew()
            else:
                self._lease = await self._leases.acquire(ROLE)
        except LeaseLost:
            self._lease = None
        return self._lease is not None
