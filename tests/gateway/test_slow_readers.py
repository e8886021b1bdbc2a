"""Clients that don't read don't use the server's memory."""

import os
import socket
from contextlib import suppress
from pathlib import Path

import pytest
from websockets.exceptions import ConnectionClosed

from croupier.protocol import wire
from tests.support.browser_connection import Browser, connect_guest, new_req
from tests.support.server_process import ServerProcess

pytestmark = [
    pytest.mark.anyio,
    pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="memory is read from /proc"),
]

GROWTH_BYTES_MAX = 16 * 2**20
BATCHES = 6_000
"""The server disconnects a client some time after the kernel's own buffers, 4 MB, are full."""
BATCH = 5
PING = b"\x89\xfd" + bytes(4 + 125)
PING_BYTES = 64 * 2**20


@pytest.fixture
def anyio_backend() -> str:
    """Use Python's own event loop, which notices a disconnection without reading; uvloop doesn't."""
    return "asyncio"


def resident_bytes(server: ServerProcess) -> int:
    pages = Path(f"/proc/{server.pid}/statm").read_text().split()[1]
    return int(pages) * os.sysconf("SC_PAGE_SIZE")


async def connect_without_reading(browser: Browser) -> None:
    """Connect with a small window and stop reading."""
    small = socket.socket()
    small.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    port = (await browser.get("/api/server", wire.ServerInfo)).socket_port
    small.connect(("127.0.0.1", port))
    await browser.guest()
    await browser.connect(sock=small)
    await browser.hello()
    await deal_a_full_table(browser)
    browser.socket.transport.pause_reading()


async def request_snapshots(browser: Browser, other: Browser, batches: int) -> None:
    """Request large responses at the pace at which `other` receives its own."""
    for _ in range(batches):
        for _ in range(BATCH):
            await browser.send(wire.Join(new_req(), "double_exposure", "GC"))
            await other.ask(wire.Join(new_req(), "double_exposure", "GC"))


async def deal_a_full_table(browser: Browser) -> None:
    await browser.join("double_exposure")
    await browser.deal("double_exposure", *(wire.Stake(box, "main", 1000) for box in range(5)))


async def test_a_reading_client_receives_everything(server: ServerProcess) -> None:
    async with connect_guest(server.address) as browser, connect_guest(server.address) as other:
        await deal_a_full_table(browser)
        for _ in range(20):
            await request_snapshots(browser, other, 20)
            messages = await browser.drain()
            assert sum(isinstance(one, wire.TableSnapshot) for one in messages) == 20 * BATCH


async def test_a_client_that_never_reads_uses_no_memory(server: ServerProcess) -> None:
    async with Browser(server.address) as browser, connect_guest(server.address) as other:
        await connect_without_reading(browser)
        before = resident_bytes(server)
        with pytest.raises(ConnectionClosed):
            await request_snapshots(browser, other, BATCHES)
        assert resident_bytes(server) - before < GROWTH_BYTES_MAX
        browser.socket.transport.abort()


async def test_a_client_that_pings_and_never_reads_uses_no_memory(server: ServerProcess) -> None:
    async with Browser(server.address) as browser, connect_guest(server.address) as other:
        await connect_without_reading(browser)
        before = resident_bytes(server)
        transport = browser.socket.transport
        with suppress(ConnectionClosed):
            for _ in range(PING_BYTES // 2**20):
                transport.write(PING * (2**20 // len(PING)))
                while transport.get_write_buffer_size() > 2**20 and not transport.is_closing():
                    await other.drain()
        assert resident_bytes(server) - before < GROWTH_BYTES_MAX
        browser.socket.transport.abort()
