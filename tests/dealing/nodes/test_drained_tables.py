"""A node that drains releases each table when it has closed, and takes over none."""

import asyncio
from pathlib import Path

import pytest

from croupier.app.draining import drain_tables
from croupier.cluster.local_bus import LocalBus
from croupier.cluster.table_leases import TableLeases
from croupier.dealing.live import ownership
from croupier.ledger.sql.store import SqlLedger
from croupier.tables.live.inputs import Voided
from tests.dealing.live.in_process import MAIN_BET
from tests.dealing.live.player import INFINITE, ROULETTE
from tests.dealing.nodes.cluster import Cluster, running_cluster, until
from tests.support.nodes import tables_named

pytestmark = pytest.mark.anyio
RED = (0, "red", 1_000)
SHORT = """
[infinite]
pace_ms = 0
betting_ms = 1500
warning_ms = 100
offer_ms = 50
decision_ms = 50
pause_ms = 50
"""
LONG = """
[live_roulette]
spin_ms = 20
ball_ms = 20
pause_ms = 50
betting_ms = 600000
"""


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Look for tables without an owner often."""
    monkeypatch.setattr(ownership, "LOOK_S", 0.02)


async def seat_at_both(cluster: Cluster) -> None:
    """Let a player of the other node bet at a table that ends soon, and at one that ends late."""
    player = cluster.player
    for table in (ROULETTE, INFINITE):
        assert await player.join(table) == ""
    await player.until(lambda: player.states[ROULETTE].clock.phase == "betting")
    assert await player.bet(RED, table=ROULETTE) == ""
    await player.until(lambda: player.states[INFINITE].clock.phase == "betting")
    assert await player.bet(MAIN_BET) == ""


async def test_a_drained_table_is_released_when_it_has_closed(ledger: SqlLedger, tmp_path: Path) -> None:
    """Not only when the slowest has closed; the round in play at each is settled."""
    tables = tables_named(INFINITE, ROULETTE)
    async with running_cluster(ledger, tmp_path, tables, SHORT + LONG, LocalBus()) as cluster:
        here, there, player = cluster.here, cluster.there, cluster.player
        await seat_at_both(cluster)
        round_ = player.states[INFINITE].clock.round
        draining = asyncio.create_task(drain_tables(here, 600))
        await until(lambda: INFINITE in there.live)
        assert not draining.done()
        assert list(here.live) == [ROULETTE]
        assert {record.table for record in ledger.open_rounds()} == {ROULETTE}
        assert player.results[round_].staked_minor >= MAIN_BET[2]
        await player.until(lambda: player.states[INFINITE].clock.round > round_)
        await here.live[ROULETTE].execute(Voided("malfunction"))
        await until(lambda: ROULETTE in there.live)
        await draining


async def test_a_node_that_drains_takes_no_table_over(
    ledger: SqlLedger, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with running_cluster(ledger, tmp_path, tables_named(INFINITE), SHORT, LocalBus()) as cluster:
        looks = 0
        free = TableLeases.free

        async def count(leases: TableLeases, names: list[str]) -> frozenset[str]:
            nonlocal looks
            looks += leases is cluster.there.live_tables._leases
            return await free(leases, names)

        monkeypatch.setattr(TableLeases, "free", count)
        await until(lambda: looks)
        await drain_tables(cluster.there, 600)
        await cluster.here.live_tables.release(INFINITE)
        await until(lambda: INFINITE in cluster.here.live)
        assert cluster.there.live == {}


async def test_a_drain_ends_when_another_node_has_taken_the_table_over(
    ledger: SqlLedger, tmp_path: Path
) -> None:
    async with running_cluster(ledger, tmp_path, tables_named(ROULETTE), LONG, LocalBus()) as cluster:
        here = cluster.here
        assert await cluster.player.join(ROULETTE) == ""
        await cluster.player.until(lambda: cluster.player.states[ROULETTE].clock.phase == "betting")
        assert await cluster.player.bet(RED, table=ROULETTE) == ""
        draining = asyncio.create_task(drain_tables(here, 600))
        await asyncio.sleep(0)
        here.live[ROULETTE]._shut(())
        await here.live[ROULETTE].lease.release()
        await until(lambda: ROULETTE in cluster.there.live)
        await asyncio.wait_for(draining, 10)
