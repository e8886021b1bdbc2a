"""A server at its limit on open files: connected players are unaffected, new ones wait."""

import asyncio
import resource
import socket
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import ExitStack, asynccontextmanager, contextmanager, suppress
from pathlib import Path
from typing import cast

import pytest

from croupier.gateway.connection_limits import ConnectionLimiter, ConnectionLimits
from croupier.gateway.descriptors import RESERVE, connections_that_fit
from croupier.gateway.listener import OnClosed, TcpListener
from tests.faults.attacks import ATTACKS
from tests.faults.edge_campaign import connecting_s, run_attack, start
from tests.support.server_process import HouseProcess
from tests.support.servers import SOCKETS

pytestmark = [
    pytest.mark.anyio,
    pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="limits are read from /proc"),
]

FEW, SOFT, HARD = 128, 256, 512
LASTS_S = 4.0
P99_MOST_MS = 1_000.0
LOG_MOST_BYTES = 20_000
WAIT_S = 10.0
LIMITED = """
import resource
resource.setrlimit(resource.RLIMIT_NOFILE, ({soft}, {hard}))
from croupier.cli.main import main
main()
"""
CAP = """
[connections]
per_address = 20
exempt = []
"""


@contextmanager
def limited(
    folder: Path, library: str = "picows", soft: int = FEW, hard: int = FEW, words: tuple[str, ...] = ()
) -> Iterator[HouseProcess]:
    """Return a server with a limit on open files."""
    program = (sys.executable, "-c", LIMITED.format(soft=soft, hard=hard))
    house = HouseProcess(folder / "data", socket=library, program=program, words=words).start()
    try:
        yield house
    finally:
        assert house.stop() == 0
    assert "Traceback" not in house.log.read_text()


@pytest.mark.parametrize("attack", ["silent", "silent_on_socket"])
@pytest.mark.parametrize("library", SOCKETS)
async def test_more_connections_than_fit(tmp_path: Path, library: str, attack: str) -> None:
    with limited(tmp_path, library) as house:
        assert ATTACKS[attack].connections > FEW
        found = await run_attack(house, attack, LASTS_S)
    assert found.p99_ms < P99_MOST_MS
    assert found.log_bytes < LOG_MOST_BYTES
    assert found.enters_s < WAIT_S


async def test_one_address_leaves_room_for_others(tmp_path: Path) -> None:
    floor = tmp_path / "floor.toml"
    floor.write_text(CAP)
    with limited(tmp_path, words=("--floor", str(floor))) as house:
        attacking = await start(house, "silent", LASTS_S)
        await asyncio.sleep(LASTS_S / 2)
        assert await connecting_s(house.address) < LASTS_S / 4
        await attacking.wait()


async def test_the_soft_limit_is_raised_at_start(tmp_path: Path) -> None:
    with limited(tmp_path, soft=SOFT, hard=HARD) as house:
        assert resource.prlimit(house.pid, resource.RLIMIT_NOFILE) == (HARD, HARD)


def test_the_connections_that_fit_leave_a_reserve() -> None:
    open_now = sum(1 for _ in Path("/proc/self/fd").iterdir())
    assert connections_that_fit(20_000) == pytest.approx(20_000 - RESERVE - open_now, abs=2)
    assert connections_that_fit(1) == 1


# --- the listener


class Echo(asyncio.Protocol):
    def __init__(self, closed: OnClosed) -> None:
        self._closed = closed

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        cast("asyncio.Transport", transport).write(b"hello")

    def connection_lost(self, _error: Exception | None) -> None:
        self._closed()


async def serve_echo(accepted: socket.socket, closed: OnClosed) -> None:
    await asyncio.get_running_loop().connect_accepted_socket(lambda: Echo(closed), accepted)


def dialled(listener: TcpListener) -> socket.socket:
    line = socket.create_connection(("127.0.0.1", listener.port))
    line.setblocking(False)
    return line


async def is_served(line: socket.socket, within_s: float = WAIT_S) -> bool:
    try:
        async with asyncio.timeout(within_s):
            return await asyncio.get_running_loop().sock_recv(line, 5) == b"hello"
    except TimeoutError:
        return False


async def test_a_connection_waits_until_another_is_closed() -> None:
    limiter = ConnectionLimiter(ConnectionLimits(total=2))
    async with listening(limiter) as listener:
        with ExitStack() as lines:
            first, second, third = (lines.enter_context(dialled(listener)) for _ in range(3))
            assert await is_served(first)
            assert await is_served(second)
            assert not await is_served(third, within_s=0.2)
            first.close()
            assert await is_served(third)
    assert limiter.open == 0


async def test_no_descriptor_is_left_for_accepting(caplog: pytest.LogCaptureFixture) -> None:
    async with listening(ConnectionLimiter()) as listener:
        with ExitStack() as lines:
            assert await is_served(lines.enter_context(dialled(listener)))
            line = lines.enter_context(socket.socket())
            line.setblocking(False)
            with no_descriptor_left():
                await asyncio.get_running_loop().sock_connect(line, ("127.0.0.1", listener.port))
                assert not await is_served(line, within_s=1.0)
            assert 1 <= len(caplog.records) <= 3
            assert await is_served(line)


@asynccontextmanager
async def listening(limiter: ConnectionLimiter) -> AsyncIterator[TcpListener]:
    with socket.create_server(("127.0.0.1", 0)) as on:
        async with TcpListener(on, limiter, serve_echo) as listener:
            yield listener


@contextmanager
def no_descriptor_left() -> Iterator[None]:
    """Keep this process from opening files until the context exits."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    fillers = [socket.socket()]
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (fillers[0].fileno() + 64, hard))
        with suppress(OSError):
            while True:
                fillers.append(socket.socket())
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
        for filler in fillers:
            filler.close()
