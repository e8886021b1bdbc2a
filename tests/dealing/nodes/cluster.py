"""Two nodes on one database, and a guest who is connected to one of them."""

import asyncio
from collections.abc import AsyncIterator, Callable, Collection, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import NamedTuple

from croupier.app.nodes import serving_gateways
from croupier.cluster.bus import Bus
from croupier.cluster.roles import BOTH_ROLES, NodeRole
from croupier.gateway.server import Server
from croupier.ledger.sql.store import SqlLedger
from croupier.play.contract.game import Table
from croupier.protocol import wire
from tests.dealing.live.in_process import Guest, new_guest
from tests.dealing.live.player import TIMEOUT_S, Player
from tests.support.nodes import node


class Cluster(NamedTuple):
    """Two nodes on one database, and a guest.

    `player` is connected to `there`. `here` runs the live tables, or changes something.
    """

    here: Server
    there: Server
    guest: Guest
    player: Player

    @property
    def id(self) -> str:
        assert self.player.welcome is not None
        return self.player.welcome.player

    async def closed(self) -> int:
        """Return the code with which the guest's connection is closed."""
        await until(lambda: self.guest.connection.close_code)
        return self.guest.connection.close_code

    def refusals(self) -> list[wire.No]:
        return [message for message in self.player.messages if isinstance(message, wire.No)]


@asynccontextmanager
async def running_cluster(
    ledger: SqlLedger,
    folder: Path,
    tables: Mapping[str, Table],
    config: str,
    bus: Bus,
    roles: Collection[NodeRole] = BOTH_ROLES,
    other_bus: Bus | None = None,
) -> AsyncIterator[Cluster]:
    """Start two nodes; the second one has these roles, and its own connection to the bus, if there is one."""
    async with AsyncExitStack() as stack:
        here = await stack.enter_async_context(node(ledger, folder, tables, config, bus))
        await stack.enter_async_context(serving_gateways(here, bus, BOTH_ROLES))
        there = await stack.enter_async_context(node(ledger, folder, tables, config, other_bus or bus, roles))
        guest = await new_guest(there)
        yield Cluster(here, there, guest, await guest.connect())


async def until(holds: Callable[[], object], within_s: float = TIMEOUT_S) -> None:
    """Wait for values that no event announces."""
    async with asyncio.timeout(within_s):
        while not holds():  # noqa: ASYNC110 - values without an event
            await asyncio.sleep(0.01)
