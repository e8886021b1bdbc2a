"""The live tables that this process runs.

It takes them over when it starts. Where other processes run tables of the same database, it also takes over
those whose owner doesn't renew its lease any more, and lets go of those that were taken over from it. Before
it stops, it releases each table that has closed.
"""

import asyncio
import logging
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from time import monotonic

from croupier.cluster.table_lease import TableLease
from croupier.cluster.table_leases import TableLeases
from croupier.config import ServerConfig
from croupier.dealing.live.chat.store import ChatStore
from croupier.dealing.live.speculation.interface import Speculate
from croupier.dealing.live.startup import CLOSES, start_table, void_left_open
from croupier.dealing.live.table import LiveTable
from croupier.dealing.table_services import TableServices
from croupier.ledger.leases import LEASE_MS, LeaseLost
from croupier.ledger.protocol import LedgerBroken, RoundRecord
from croupier.play.contract.game import Table

LEASE_S = LEASE_MS / 1000
LOOK_S = 0.5
"""Interval between attempts to take over the tables of others."""
OUTAGE_S = 1.0
"""Time without an answer of the database in which owners can't renew their leases either."""
GRACE_S = 1.0
"""Time in which they renew them after a short outage; after a longer one they may have to connect first."""

log = logging.getLogger(__name__)


class LiveTableOwner:
    """Takes over, runs and gives up live tables.

    `live`: the tables that this process runs, by id.

    `taken_over` counts the tables whose former owner failed, `lost` those that others took over. Without
    `runs_tables` this process leaves all tables to others.
    """

    def __init__(
        self,
        live: dict[str, LiveTable],
        tables: Mapping[str, Table],
        config: ServerConfig,
        services: TableServices,
        chat: ChatStore,
        speculate: Speculate,
        leases: TableLeases,
        *,
        runs_tables: bool = True,
    ) -> None:
        self._live = live
        self._runs_tables = runs_tables
        self._tables = {name: tables[name] for name in sorted(tables) if tables[name].dealing == "live"}
        self._config = config
        self._services = services
        self._chat = chat
        self._speculate = speculate
        self._leases = leases
        self.taken_over = 0
        self.lost = 0
        self._is_leaving = False
        self.lets_others_own: Callable[[], bool] = lambda: False
        """Returns whether another process should run the tables, since this one can't reach the others."""
        self._watchers: list[Callable[[], None]] = []
        self._keeping: asyncio.Task[None] | None = None

    def __contains__(self, table: object) -> bool:
        """Return whether a table is dealt live, here or by another process."""
        return table in self._tables

    def watch(self, call: Callable[[], None]) -> None:
        """`call` whenever this process runs other tables than before."""
        self._watchers.append(call)

    def _changed(self) -> None:
        for call in self._watchers:
            call()

    async def start(self, left_open: Sequence[RoundRecord]) -> None:
        """Take over the tables that no other process runs; void their open rounds and open them."""
        if not self._runs_tables:
            return
        leases = {name: lease for name in self._tables if (lease := await self._leases.acquire(name))}
        await self._open(leases, left_open)
        if self._leases.is_shared:
            self._keeping = asyncio.create_task(self._keep())

    async def stop(self) -> None:
        """Stop the tables: their open rounds are void, and every stake is returned."""
        if self._keeping:
            self._keeping.cancel()
        for table in tuple(self._live.values()):
            with suppress(LedgerBroken):  # the database is lost: the next start voids what is open
                await table.close(CLOSES)

    def take_no_more(self) -> None:
        """Leave tables that become free to other processes, as this one stops soon."""
        self._is_leaving = True

    async def release(self, name: str) -> None:
        """Let another process run a table; an open round is void. A process by itself keeps its tables."""
        if not self._leases.is_shared or name not in self._live:
            return
        await self._live[name].close(CLOSES)
        self._live.pop(name, None)
        self._send_away(name)
        self._changed()
        log.info("table %s is released", name)

    async def _keep(self) -> None:
        while True:
            await asyncio.sleep(LOOK_S)
            self._let_go()
            if self.lets_others_own():
                await self._give_up()
                continue
            with _logged("live tables"):
                for name in [] if self._is_leaving else await self._free():
                    with _logged(f"table {name}"):
                        await self._take_over(name)

    async def _give_up(self) -> None:
        """Release all tables, whose open rounds are void, to a process that reaches the others."""
        for name in tuple(self._live):
            with _logged(f"table {name}"):
                await self.release(name)
                self.lost += 1

    async def _free(self) -> list[str]:
        """Return the tables that no process runs; none after an outage, when owners renew their leases.

        A short outage is that of an owner frozen inside a transaction, whose tables should be free soon.
        """
        others = [name for name in self._tables if name not in self._live]
        if not others:
            return []
        asked_s = monotonic()
        free = await self._leases.free(others)
        outage_s = monotonic() - asked_s
        if outage_s < OUTAGE_S:
            return sorted(free)
        await asyncio.sleep(GRACE_S if outage_s < LEASE_S else LEASE_S)
        return []

    async def _take_over(self, name: str) -> None:
        """Take a table over from an owner that doesn't renew its lease."""
        lease = await self._leases.acquire(name)
        if lease is None:
            return
        # Whatever the former owner has committed is there now, and it commits nothing more.
        every = await asyncio.to_thread(self._services.ledger.open_rounds)
        left_open = [record for record in every if record.table == name]
        for player in {record.player for record in left_open}:
            await self._services.bonuses.reload(player)
        await self._open({name: lease}, left_open)
        self.taken_over += 1
        log.warning("table %s is taken over; %d of its rounds were open and are void", name, len(left_open))

    async def _open(self, leases: Mapping[str, TableLease], left_open: Sequence[RoundRecord]) -> None:
        void = list[RoundRecord]()
        for name, lease in leases.items():
            there = [record for record in left_open if record.table == name]
            await self._recall(there)
            gateway = self._services.gateway.fenced(lease.fence)
            void += await void_left_open(there, gateway, self._services.bonuses)
        await self._services.bonuses.end_voided()
        for name, lease in leases.items():
            self._live[name] = await start_table(
                self._tables[name], self._config, self._services, self._chat, void, self._speculate, lease
            )
        self._changed()

    async def _recall(self, left_open: Iterable[RoundRecord]) -> None:
        """Find out which rounds of another process an operator's wallet pays for."""
        for record in left_open if self._leases.is_shared else ():
            rounds, ledger = self._services.wallet.rounds, self._services.ledger
            rounds.recall(record, await self._services.gateway.read(rounds.is_paid, ledger, record.id))

    def _let_go(self) -> None:
        """Forget the tables that another process runs now; their players connect again, and find it."""
        for name in [name for name, table in self._live.items() if table.is_lost]:
            del self._live[name]
            self.lost += 1
            self._send_away(name)
            self._changed()

    def _send_away(self, name: str) -> None:
        """Close the connections of a table's players, who connect again and find its new owner."""
        for player in self._services.players:
            for browser in [browser for browser in player.browsers if name in browser.tables]:
                browser.end_session(None)


@contextmanager
def _logged(what: str) -> Iterator[None]:
    """Log an error, after which the take-over is tried again."""
    try:
        yield
    except (LeaseLost, LedgerBroken) as error:
        log.warning("%s can't be taken over: %s", what, error)
    except Exception:
        log.exception("%s can't be taken over", what)
