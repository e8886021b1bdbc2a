"""The message bus: within a process, and over a real NATS server that is stopped and frozen."""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AsyncExitStack, asynccontextmanager
from typing import NamedTuple

import pytest

from croupier.cluster import nats_bus
from croupier.cluster.bus import MESSAGE_BYTES_MAX, Bus, BusUnavailable, MessageTooLarge, NoReply
from croupier.cluster.local_bus import LocalBus
from croupier.cluster.message_seal import OVERHEAD, MessageSeal
from croupier.cluster.nats_bus import NatsBus, NatsServers
from croupier.cluster.sealed_bus import SealedBus
from croupier.protocol.signatures import Secret
from tests.support.nats_server import NatsServer, needs_nats

pytestmark = pytest.mark.anyio
SOON_S = 10.0


class Pair(NamedTuple):
    """The bus as two nodes see it."""

    here: Bus
    there: Bus


@pytest.fixture(scope="module")
def nats() -> Iterator[NatsServer]:
    with NatsServer() as server:
        yield server


@pytest.fixture(params=["local", "sealed", pytest.param("nats", marks=needs_nats)])
async def pair(request: pytest.FixtureRequest) -> AsyncIterator[Pair]:
    if request.param == "local":
        bus = LocalBus()
        yield Pair(bus, bus)
        return
    if request.param == "sealed":
        bus, key = LocalBus(), Secret(b"0123456789abcdef0123456789abcdef")
        yield Pair(SealedBus(bus, MessageSeal(key)), SealedBus(bus, MessageSeal(key)))
        return
    async with connected(request.getfixturevalue("nats"), "here", "there") as (here, there):
        yield Pair(here, there)


@asynccontextmanager
async def connected(nats: NatsServer, *names: str) -> AsyncIterator[list[NatsBus]]:
    async with AsyncExitStack() as stack:
        buses = list[NatsBus]()
        for name in names:
            bus = await NatsBus.connect(NatsServers(nats.url), prefix="test", name=name)
            stack.push_async_callback(bus.close)
            buses.append(bus)
        yield buses


async def until(holds: Callable[[], bool]) -> None:
    async with asyncio.timeout(SOON_S):
        while not holds():  # noqa: ASYNC110 - many conditions, none with an event
            await asyncio.sleep(0.005)


async def test_subscribers_get_messages_in_order_until_they_unsubscribe(pair: Pair) -> None:
    received, other = list[bytes](), list[bytes]()
    unsubscribe = await pair.there.subscribe("table.a", received.append)
    await pair.there.subscribe("table.b", other.append)
    for number in range(100):
        pair.here.publish("table.a", b"%d" % number)
    await until(lambda: len(received) == 100)
    assert received == [b"%d" % number for number in range(100)]
    unsubscribe()
    await asyncio.sleep(0.05)
    pair.here.publish("table.a", b"late")
    pair.here.publish("table.b", b"end")
    await until(lambda: other == [b"end"])
    assert len(received) == 100


async def test_a_request_is_answered_by_the_node_that_serves_it(pair: Pair) -> None:
    async def answer(payload: bytes) -> bytes:
        return payload.upper()

    await pair.there.serve("command", answer)
    assert await pair.here.request("command", b"bet", 1) == b"BET"


async def test_requests_are_begun_in_order(pair: Pair) -> None:
    begun, released = list[bytes](), asyncio.Event()

    async def answer(payload: bytes) -> bytes:
        begun.append(payload)
        await released.wait()
        return payload

    await pair.there.serve("command", answer)
    requests = [asyncio.create_task(pair.here.request("command", b"%d" % n, 5)) for n in range(20)]
    await until(lambda: len(begun) == 20)
    released.set()
    assert await asyncio.gather(*requests) == begun == [b"%d" % n for n in range(20)]


async def test_a_request_that_nobody_serves_was_not_carried_out(pair: Pair) -> None:
    with pytest.raises(BusUnavailable, match="nobody serves command"):
        await pair.here.request("command", b"", 1)


async def test_a_request_without_a_reply_may_have_been_carried_out(pair: Pair) -> None:
    carried_out = list[bytes]()

    async def slow(payload: bytes) -> bytes:
        await asyncio.sleep(0.1)
        carried_out.append(payload)
        return b""

    async def failing(_: bytes) -> bytes:
        raise ZeroDivisionError

    await pair.there.serve("slow", slow)
    await pair.there.serve("failing", failing)
    with pytest.raises(NoReply):
        await pair.here.request("slow", b"bet", 0.02)
    with pytest.raises(NoReply):
        await pair.here.request("failing", b"bet", 0.2)
    await until(lambda: carried_out == [b"bet"])


async def test_a_message_that_is_too_large_is_refused(pair: Pair) -> None:
    received = list[bytes]()
    await pair.there.subscribe("table", received.append)
    largest = MESSAGE_BYTES_MAX - (OVERHEAD if isinstance(pair.here, SealedBus) else 0)
    pair.here.publish("table", b"x" * largest)
    with pytest.raises(MessageTooLarge, match="1000001 bytes"):
        pair.here.publish("table", b"x" * (largest + 1))
    with pytest.raises(MessageTooLarge):
        await pair.here.request("table", b"x" * (largest + 1), 1)
    await until(lambda: len(received) == 1)


async def test_a_handler_that_fails_does_not_end_its_subscription(pair: Pair) -> None:
    received = list[bytes]()

    def handle(payload: bytes) -> None:
        received.append(payload)
        raise ZeroDivisionError

    await pair.there.subscribe("table", handle)
    pair.here.publish("table", b"1")
    pair.here.publish("table", b"2")
    await until(lambda: received == [b"1", b"2"])


@needs_nats
async def test_subscriptions_survive_a_restart_of_the_server() -> None:
    received, changes = list[bytes](), list[bool]()
    with NatsServer() as nats:
        async with connected(nats, "here", "there") as (here, there):
            there.watch(changes.append)
            await there.subscribe("table", received.append)
            nats.stop()
            await until(lambda: not (here.is_connected or there.is_connected))
            here.publish("table", b"lost")
            with pytest.raises(BusUnavailable, match="out of reach"):
                await here.request("command", b"bet", 5)
            nats.start()
            await until(lambda: here.is_connected and there.is_connected)
            here.publish("table", b"received")
            await until(lambda: bool(received))
    assert received == [b"received"]
    assert changes[:2] == [False, True]
    assert here.lost == 1


@needs_nats
async def test_a_frozen_server_delays_nobody_and_fills_no_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(nats_bus, "UNSENT_BYTES_MAX", 2_000_000)
    received = list[bytes]()
    with NatsServer() as nats:
        async with connected(nats, "here", "there") as (here, there):
            await there.subscribe("table", received.append)
            nats.freeze()
            published = 0
            while not here.lost:
                here.publish("table", b"x" * 500_000)
                published += 1
                await asyncio.sleep(0)
                assert published < 200
            with pytest.raises((BusUnavailable, NoReply)):
                await here.request("command", b"bet", 0.2)
            nats.thaw()
            received.clear()
            await until(lambda: here.is_connected and there.is_connected)
            await until(lambda: _heard(here, received))


def _heard(bus: NatsBus, received: list[bytes]) -> bool:
    bus.publish("table", b"again")
    return b"again" in received


async def test_an_address_without_a_server_is_named_without_its_password(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(nats_bus, "CONNECT_TIMEOUT_S", 0.3)
    servers = NatsServers("nats://user:secret@127.0.0.1:1")
    with pytest.raises(BusUnavailable) as raised:
        await NatsBus.connect(servers, prefix="test", name="here")
    assert str(raised.value) == "no message server answers at nats://127.0.0.1:1"
