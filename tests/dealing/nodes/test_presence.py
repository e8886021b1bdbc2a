"""A node that alone has lost the bus gives its live tables up, and takes no more players."""

from collections import Counter
from collections.abc import AsyncIterator, Collection
from concurrent.futures import Future
from contextlib import asynccontextmanager
from pathlib import Path
from time import monotonic

import pytest

from croupier.app.draining import drain_tables
from croupier.app.nodes import serving_gateways
from croupier.app.operations.admin_site import _answer
from croupier.app.operations.health import Health
from croupier.app.operations.log_counts import LogCounter
from croupier.cluster import presence
from croupier.cluster.bus import BusUnavailable, Handler, OnConnection, OnRequest, Unsubscribe
from croupier.cluster.local_bus import LocalBus
from croupier.cluster.roles import NodeRole
from croupier.dealing.live import ownership
from croupier.dealing.nodes import remote_tables
from croupier.gateway import table_announcements
from croupier.gateway.connection_limits import ConnectionLimiter
from croupier.gateway.server import Server
from croupier.ledger.leases import LEASE_MS
from croupier.ledger.sql.store import SqlLedger
from croupier.measurements import LatencyHistogram
from croupier.protocol import wire
from croupier.storage.sql import leases
from croupier.storage.sql.leases import SqlLeases
from tests.dealing.live.in_process import MAIN_BET, START_MINOR, Guest
from tests.dealing.live.player import INFINITE
from tests.dealing.nodes.cluster import Cluster, running_cluster, until
from tests.support.nodes import tables_named

pytestmark = pytest.mark.anyio
GATEWAY = frozenset[NodeRole]({"gateway"})
BOTH = frozenset[NodeRole]({"gateway", "tables"})
PACE = "[infinite]\nbetting_ms = 600000\n"
GIVEN_UP_S = LEASE_MS / 1000 + 3


class CutBus(LocalBus):
    """One node's connection to a bus, which can be cut."""

    def __init__(self, bus: LocalBus) -> None:
        super().__init__()
        self._bus = bus
        self._watching: list[OnConnection] = []
        self.is_connected = True

    def cut(self, *, whole: bool = False) -> None:
        self.is_connected = whole
        for watcher in self._watching:
            watcher(whole)

    def watch(self, on_connection: OnConnection) -> None:
        self._watching.append(on_connection)

    def publish(self, subject: str, payload: bytes) -> None:
        if self.is_connected:
            self._bus.publish(subject, payload)

    async def subscribe(self, subject: str, handler: Handler) -> Unsubscribe:
        def receive(payload: bytes) -> None:
            if self.is_connected:
                handler(payload)

        return await self._bus.subscribe(subject, receive)

    async def request(self, subject: str, payload: bytes, timeout_s: float) -> bytes:
        if not self.is_connected:
            raise BusUnavailable(subject)
        return await self._bus.request(subject, payload, timeout_s)

    async def serve(self, subject: str, answer: OnRequest) -> Unsubscribe:
        return await self._bus.serve(subject, answer)


@pytest.fixture
def buses() -> tuple[CutBus, CutBus]:
    bus = LocalBus()
    return CutBus(bus), CutBus(bus)


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Notice sooner that the bus is lost."""
    for module in (presence, remote_tables):
        monkeypatch.setattr(module, "BEAT_S", 0.05)
    monkeypatch.setattr(table_announcements, "ANNOUNCE_S", 0.05)
    monkeypatch.setattr(remote_tables, "SILENT_S", 1.0)
    monkeypatch.setattr(leases, "BUS_MARGIN_MS", 400)
    monkeypatch.setattr(ownership, "LOOK_S", 0.05)


@asynccontextmanager
async def cluster_on(
    buses: tuple[CutBus, CutBus], ledger: SqlLedger, folder: Path, roles: frozenset[NodeRole]
) -> AsyncIterator[Cluster]:
    here, there = buses
    async with (
        running_cluster(ledger, folder, tables_named(INFINITE), PACE, here, roles, there) as cluster,
        serving_gateways(cluster.there, there, roles),
    ):
        yield cluster


def readiness(server: Server) -> tuple[int, bytes]:
    health = Health(LogCounter(), LatencyHistogram())
    health.mark_ready(server, ConnectionLimiter())
    answer = _answer(health, "GET", "/readyz")
    return answer.status.value, answer.body


@pytest.fixture
def beats(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """Return how often each node has looked for the others."""
    counted = Counter[str]()
    beat = SqlLeases.beat

    def count(self: SqlLeases, name: str, roles: Collection[str], silent_ms: int) -> Future[frozenset[str]]:
        counted[name] += 1
        return beat(self, name, roles, silent_ms)

    monkeypatch.setattr(SqlLeases, "beat", count)
    return counted


async def beaten(beats: Counter[str]) -> None:
    """Wait until each node has looked for the others longer than it takes to give something up."""
    before = beats.copy()
    await until(lambda: all(beats[name] > count + 30 for name, count in before.items()))


READY, CUT_OFF = (200, b"ready\n"), (503, b"cut_off\n")


async def test_an_owner_that_alone_loses_the_bus_gives_its_tables_up_in_time(
    buses: tuple[CutBus, CutBus], ledger: SqlLedger, tmp_path: Path
) -> None:
    """With the times of real nodes: within that of a lease and three seconds."""
    async with cluster_on(buses, ledger, tmp_path, BOTH) as cluster:
        assert await cluster.player.join() == ""
        await cluster.player.until_phase("betting")
        assert await cluster.player.bet(MAIN_BET) == ""
        buses[0].cut()
        began_s = monotonic()
        await until(lambda: INFINITE not in cluster.here.live)
        assert monotonic() - began_s < GIVEN_UP_S
        await until(lambda: INFINITE in cluster.there.live)
        assert cluster.here.ledger.open_rounds() == ()
        assert cluster.here.ledger.balances(cluster.id)["EUR"]["cash"] == START_MINOR
        assert readiness(cluster.here) == CUT_OFF
        assert readiness(cluster.there) == READY
        await cluster.player.until(lambda: cluster.player.mine[INFINITE].stakes == ())
        await cluster.player.until_phase("betting")
        assert await cluster.player.bet(MAIN_BET) == ""


@pytest.mark.usefixtures("quick")
async def test_players_of_the_node_that_is_cut_off_are_told(
    buses: tuple[CutBus, CutBus], ledger: SqlLedger, tmp_path: Path
) -> None:
    """And play again there once the node reaches the new owner."""
    async with cluster_on(buses, ledger, tmp_path, BOTH) as cluster:
        guest = Guest(cluster.here, await cluster.here.sessions.add_guest())
        assert await (await guest.connect()).join() == ""
        buses[0].cut()
        await until(lambda: guest.connection.close_code)
        await until(lambda: INFINITE in cluster.there.live)
        player = await guest.connect(wire.ResumedTable(INFINITE, 0, "EUR"))
        await player.until(lambda: wire.TableAvailability(INFINITE, available=False) in player.messages)
        buses[0].cut(whole=True)
        await player.until(lambda: INFINITE in player.states)
        await until(lambda: readiness(cluster.here) == READY)
        assert cluster.here.live == {}


@pytest.mark.usefixtures("quick")
async def test_without_another_owner_a_node_keeps_its_tables(
    buses: tuple[CutBus, CutBus], ledger: SqlLedger, tmp_path: Path
) -> None:
    async with cluster_on(buses, ledger, tmp_path, GATEWAY) as cluster:
        guest = Guest(cluster.here, await cluster.here.sessions.add_guest())
        player = await guest.connect()
        assert await player.join() == ""
        buses[0].cut()
        await until(lambda: readiness(cluster.here) == CUT_OFF)
        assert list(cluster.here.live) == [INFINITE]
        await player.until_phase("betting")
        assert await player.bet(MAIN_BET) == ""


@pytest.mark.usefixtures("quick")
async def test_if_nobody_has_the_bus_everybody_plays_on(
    buses: tuple[CutBus, CutBus], ledger: SqlLedger, tmp_path: Path, beats: Counter[str]
) -> None:
    async with cluster_on(buses, ledger, tmp_path, BOTH) as cluster:
        await until(lambda: len(beats) == 2)
        for bus in buses:
            bus.cut()
        await beaten(beats)
        assert list(cluster.here.live) == [INFINITE]
        assert {readiness(cluster.here), readiness(cluster.there)} == {READY}


@pytest.mark.usefixtures("quick")
async def test_a_gateway_that_alone_loses_the_bus_is_not_ready(
    buses: tuple[CutBus, CutBus], ledger: SqlLedger, tmp_path: Path
) -> None:
    """If another gateway has it, and until it is back; its players are told."""
    async with cluster_on(buses, ledger, tmp_path, GATEWAY) as cluster:
        assert await cluster.player.join() == ""
        buses[1].cut()
        await until(lambda: readiness(cluster.there) == CUT_OFF)
        assert readiness(cluster.here) == READY
        await cluster.player.until(
            lambda: wire.TableAvailability(INFINITE, available=False) in cluster.player.messages
        )
        buses[1].cut(whole=True)
        await until(lambda: readiness(cluster.there) == READY)


@pytest.mark.usefixtures("quick")
async def test_a_node_that_drains_takes_nothing_over_from_one_without_the_bus(
    buses: tuple[CutBus, CutBus], ledger: SqlLedger, tmp_path: Path, beats: Counter[str]
) -> None:
    async with cluster_on(buses, ledger, tmp_path, BOTH) as cluster:
        await until(lambda: len(beats) == 2)
        await drain_tables(cluster.there, 600)
        buses[0].cut()
        await beaten(beats)
        assert list(cluster.here.live) == [INFINITE]
        assert readiness(cluster.here) == READY
