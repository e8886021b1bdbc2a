"""A live table that another process takes over: its former owner posts and shows nothing more."""

import asyncio
from collections.abc import Callable, Collection, Iterator
from contextlib import AbstractAsyncContextManager, AsyncExitStack
from pathlib import Path
from time import monotonic

import pytest

from croupier.app.serve import open_ledger
from croupier.cluster import table_lease as lease
from croupier.cluster.bus import Bus
from croupier.cluster.local_bus import LocalBus
from croupier.cluster.table_leases import TableLeases
from croupier.dealing.live import ownership
from croupier.gateway.server import Server
from croupier.ledger.sql.connection import Connection
from croupier.ledger.sql.store import SqlLedger
from croupier.protocol import wire
from croupier.tables.live.inputs import Ticked
from tests.dealing.live.in_process import MAIN_BET, START_MINOR, new_guest
from tests.dealing.live.player import INFINITE, TIMEOUT_S, Player
from tests.support import nodes

pytestmark = pytest.mark.anyio

ANOTHER_BET = (0, "main", 2_000)
BETTING = "[infinite]\nbetting_ms = 600000\n"


@pytest.fixture
def ledger(tmp_path: Path) -> Iterator[SqlLedger]:
    ledger = open_ledger(tmp_path)
    yield ledger
    ledger.close()


def node(ledger: SqlLedger, folder: Path, bus: Bus | None = None) -> AbstractAsyncContextManager[Server]:
    return nodes.node(ledger, folder, nodes.tables_named(INFINITE), BETTING, bus)


async def until(holds: Callable[[], object]) -> None:
    async with asyncio.timeout(TIMEOUT_S):
        while not holds():  # noqa: ASYNC110 - values without an event
            await asyncio.sleep(0.01)


async def joined(server: Server) -> Player:
    player = await (await new_guest(server)).connect()
    assert await player.join() == ""
    await player.until_phase("betting")
    return player


def expire_leases(ledger: SqlLedger) -> None:
    """Let the leases expire, as while their owner is frozen."""
    ledger.run(_expire).result(10)


def _expire(connection: Connection) -> None:
    connection.execute("UPDATE lease SET expires_ms = 0")


def expires_ms(ledger: SqlLedger) -> int:
    return ledger.run(_expires_ms).result(10)


def _expires_ms(connection: Connection) -> int:
    return int(connection.execute("SELECT expires_ms FROM lease").fetchone()[0])


async def test_a_table_belongs_to_one_process(ledger: SqlLedger, tmp_path: Path) -> None:
    async with node(ledger, tmp_path) as first, node(ledger, tmp_path) as second:
        assert (list(first.live), list(second.live)) == ([INFINITE], [])
    async with node(ledger, tmp_path) as third:
        assert list(third.live) == [INFINITE]


async def test_an_idle_table_renews_its_lease(
    ledger: SqlLedger, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lease, "RENEW_S", 0.02)
    async with node(ledger, tmp_path) as owner:
        assert list(owner.live) == [INFINITE]
        before = expires_ms(ledger)
        await until(lambda: expires_ms(ledger) >= before + 100)


async def test_what_a_former_owner_accepts_is_refused_and_its_round_is_void(
    ledger: SqlLedger, tmp_path: Path
) -> None:
    async with node(ledger, tmp_path) as former:
        player, late = await joined(former), await joined(former)
        assert await player.bet(MAIN_BET) == ""
        former.live[INFINITE].lease.stop()  # as if its loop hung
        expire_leases(ledger)
        async with node(ledger, tmp_path) as owner:
            assert list(owner.live) == [INFINITE]
            assert ledger.open_rounds() == ()
            assert await late.bet(ANOTHER_BET) == "server_unavailable"
            assert former.live[INFINITE].is_closing
            assert await player.bet(ANOTHER_BET) == "server_unavailable"
            there = await joined(owner)
            assert await there.bet(MAIN_BET) == ""
            assert len(ledger.open_rounds()) == 1
        for each in (player, late, there):
            assert each.welcome is not None
            held = ledger.balances(each.welcome.player)["EUR"]
            assert (held["cash"], held.get("in_play", 0)) == (START_MINOR, 0)


async def test_an_owner_that_was_frozen_shows_nothing_after_a_take_over(
    ledger: SqlLedger, tmp_path: Path
) -> None:
    async with node(ledger, tmp_path) as former:
        player, table = await joined(former), former.live[INFINITE]
        table.lease.stop()
        expire_leases(ledger)
        async with node(ledger, tmp_path):
            before = len(player.messages)
            table.lease._due_s = table.lease._expires_s = 0.0  # as after a freeze
            with pytest.raises(Exception, match="server_unavailable"):
                await table.execute(Ticked())
            assert table.is_closing
            shown = [each for each in player.messages[before:] if isinstance(each, wire.LiveUpdate)]
            assert shown == []


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Renew and look for tables without an owner often."""
    monkeypatch.setattr(ownership, "LOOK_S", 0.02)
    monkeypatch.setattr(lease, "RENEW_S", 0.02)


@pytest.mark.usefixtures("quick")
async def test_another_node_takes_over_when_the_owner_stops(ledger: SqlLedger, tmp_path: Path) -> None:
    bus = LocalBus()
    async with AsyncExitStack() as former:
        await former.enter_async_context(node(ledger, tmp_path, bus))
        async with node(ledger, tmp_path, bus) as second:
            await asyncio.sleep(0.1)
            assert list(second.live) == []
            await former.aclose()
            await until(lambda: INFINITE in second.live)
            assert second.live_tables.taken_over == 1
            player = await joined(second)
            assert await player.bet(MAIN_BET) == ""


@pytest.fixture
def waits_s(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Return times that the database is to take when it is asked for free tables, the last one first."""
    free, waits_s = TableLeases.free, list[float]()

    async def late(leases: TableLeases, tables: Collection[str]) -> frozenset[str]:
        found = await free(leases, tables)
        await asyncio.sleep(waits_s.pop() if waits_s else 0)
        return found

    monkeypatch.setattr(TableLeases, "free", late)
    monkeypatch.setattr(ownership, "OUTAGE_S", 0.4)
    return waits_s


@pytest.mark.usefixtures("quick")
@pytest.mark.parametrize("is_short", [True, False])
async def test_owners_have_time_to_renew_after_an_outage(
    ledger: SqlLedger, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, waits_s: list[float], is_short: bool
) -> None:
    """More time after an outage as long as a lease, since they may have lost their connections."""
    monkeypatch.setattr(ownership, "GRACE_S", 0.02)
    monkeypatch.setattr(ownership, "LEASE_S", 5.0 if is_short else 0.3)
    bus = LocalBus()
    async with node(ledger, tmp_path, bus) as former, node(ledger, tmp_path, bus) as second:
        former.live[INFINITE].lease.stop()
        expire_leases(ledger)
        waits_s.append(0.5)
        began_s = monotonic()
        await until(lambda: INFINITE in second.live)
        took_s = monotonic() - began_s
    assert took_s < 5 if is_short else took_s > 0.8


@pytest.mark.usefixtures("quick")
async def test_a_former_owner_lets_go_and_may_take_over_again(ledger: SqlLedger, tmp_path: Path) -> None:
    bus = LocalBus()
    async with node(ledger, tmp_path, bus) as former:
        guest = await new_guest(former)
        player = await guest.connect()
        assert await player.join() == ""
        await player.until_phase("betting")
        assert await player.bet(MAIN_BET) == ""
        former.live[INFINITE].lease.stop()  # as if its loop hung
        expire_leases(ledger)
        async with node(ledger, tmp_path, bus) as owner:
            assert list(owner.live) == [INFINITE]
            assert await player.bet(ANOTHER_BET) == "server_unavailable"
            await until(lambda: guest.connection.close_code)
            assert (list(former.live), former.live_tables.lost) == ([], 1)
            again = await guest.connect()
            assert await again.join() == "server_unavailable"
            assert again.welcome is not None
            assert {each.currency: each.balance_minor for each in again.welcome.balances}[
                "EUR"
            ] == START_MINOR
        await until(lambda: INFINITE in former.live)
        assert await again.join() == ""
