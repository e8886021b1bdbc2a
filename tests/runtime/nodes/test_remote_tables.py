"""A player at a gateway plays at a live table of another node."""

from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack
from pathlib import Path
from typing import NamedTuple

import pytest

from croupier.app.nodes import serving_gateways
from croupier.app.serve import open_ledger
from croupier.ledger.sql.store import SqlLedger
from croupier.runtime.nodes.local_bus import LocalBus
from croupier.runtime.nodes.roles import BOTH_ROLES, NodeRole
from croupier.runtime.server import Server
from tests.runtime.live.in_process import MAIN_BET, START_MINOR, Guest, new_guest
from tests.runtime.live.player import INFINITE, Player
from tests.support.nodes import node, tables_named

pytestmark = pytest.mark.anyio
GATEWAY = frozenset[NodeRole]({"gateway"})
PACE = """
[infinite]
pace_ms = 0
betting_ms = 250
warning_ms = 100
offer_ms = 150
decision_ms = 150
pause_ms = 50
"""


@pytest.fixture
def ledger(tmp_path: Path) -> Iterator[SqlLedger]:
    ledger = open_ledger(tmp_path)
    yield ledger
    ledger.close()


class Cluster(NamedTuple):
    """`player` is connected to the gateway, and the table is the owner's."""

    owner: Server
    gateway: Server
    guest: Guest
    player: Player


@pytest.fixture
async def cluster(ledger: SqlLedger, tmp_path: Path) -> AsyncIterator[Cluster]:
    bus, tables = LocalBus(), tables_named(INFINITE)
    async with AsyncExitStack() as stack:
        enter = stack.enter_async_context
        owner = await enter(node(ledger, tmp_path, tables, PACE, bus))
        await enter(serving_gateways(owner, bus, BOTH_ROLES))
        gateway = await enter(node(ledger, tmp_path, tables, PACE, bus, GATEWAY))
        guest = await new_guest(gateway)
        yield Cluster(owner, gateway, guest, await guest.connect())


async def test_a_player_bets_and_is_paid(cluster: Cluster) -> None:
    player = cluster.player
    assert await player.join() == ""
    await player.until_phase("betting")
    assert await player.bet(MAIN_BET) == ""
    assert player.mine[INFINITE].balance_minor == START_MINOR - MAIN_BET[2]
    round_ = player.states[INFINITE].clock.round
    await player.until(lambda: player.results.get(round_))
    result = player.results[round_]
    assert player.mine[INFINITE].balance_minor == START_MINOR - result.staked_minor + result.returned_minor
