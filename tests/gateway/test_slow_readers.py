"""Clients that don't read cost the server no memory."""

import os
import socket
from contextlib import suppress
from pathlib import Path

import pytest
from websockets.exceptions import ConnectionClosed

from croupier.protocol import wire
from tests.support.browser_connection import Browser, guest_at, new_req
from tests.support.server_process import HouseProcess

pytestmark = [
    pytest.mark.anyio,
    pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="memory is read from /proc"),
]

GROWS_MOST_BYTES = 16 * 2**20
BATCHES = 300
BATCH = 5
PING = b"\x89\xfd" + bytes(4 + 125)
PING_BYTES = 64 * 2**20


@pytest.fixture
def anyio_backend() -> str:
    """Who doesn't read hears in Python's own loop that he was cut off; in the house's only when he reads."""
    return "asyncio"


def resident_bytes(house: HouseProcess) -> int:
    pages = Path(f"/proc/{house.pid}/statm").read_text().split()[1]
    return int(pages) * os.sysconf("SC_PAGE_SIZE")


async def deaf(browser: Browser) -> None:
    """Connect with a small window and stop reading."""
    small = socket.socket()
    small.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    port = (await browser.get("/api/house", wire.ServerInfo)).socket_port
    small.connect(("127.0.0.1", port))
    await browser.guest()
    await browser.dial(sock=small)
    await browser.hello()
    await at_a_full_table(browser)
    browser.socket.transport.pause_reading()


async def ask_on(browser: Browser, other: Browser, batches: int) -> None:
    """Request large responses at the pace at which `other` receives its own."""
    for _ in range(batches):
        for _ in range(BATCH):
            await browser.send(wire.Join(new_req(), "double_exposure", "GC"))
        await other.told()


async def at_a_full_table(browser: Browser) -> None:
    await browser.join("double_exposure")
    await browser.deal("double_exposure", *(wire.Stake(box, "main", 1000) for box in range(5)))


async def test_a_reading_client_receives_everything(house: HouseProcess) -> None:
    async with guest_at(house.address) as browser, guest_at(house.address) as other:
        await at_a_full_table(browser)
        for _ in range(BATCHES // 20):
            await ask_on(browser, other, 20)
            told = await browser.told()
            assert sum(isinstance(one, wire.TableSnapshot) for one in told) == 20 * BATCH


async def test_a_client_that_never_reads_costs_no_memory(house: HouseProcess) -> None:
    """picows disconnects the client; `websockets` stops reading until the client reads."""
    async with Browser(house.address) as browser, guest_at(house.address) as other:
        await deaf(browser)
        before = resident_bytes(house)
        with suppress(ConnectionClosed):
            await ask_on(browser, other, BATCHES)
            assert house.socket == "websockets", "he was not cut off"
        assert resident_bytes(house) - before < GROWS_MOST_BYTES
        browser.socket.transport.abort()


async def test_a_client_that_pings_and_never_reads_costs_no_memory(house: HouseProcess) -> None:
    async with Browser(house.address) as browser, guest_at(house.address) as other:
        await deaf(browser)
        before = resident_bytes(house)
        transport = browser.socket.transport
        with suppress(ConnectionClosed):
            for _ in range(PING_BYTES // 2**20):
                transport.write(PING * (2**20 // len(PING)))
                while transport.get_write_buffer_size() > 2**20 and not transport.is_closing():
                    await other.told()
        assert resident_bytes(house) - before < GROWS_MOST_BYTES
        browser.socket.transport.abort()
