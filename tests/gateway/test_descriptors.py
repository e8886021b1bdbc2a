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
from tests.support.server_process import ServerProcess

pytestmark = [
    pytest.mark.anyio,
    pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="limits are read from /proc"),
]

FEW, SOFT, HARD = 128, 256, 512
ATTACK_S, CONNECTS_AFTER_S = 2.5, 0.8
P99_MS_MAX = 1_000.0
LOG_BYTES_MAX = 20_000
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
    folder: Path, soft: int = FEW, hard: int = FEW, words: tuple[str, ...] = ()
) -> Iterator[ServerProcess]:
    """Return a server with a limit on open files."""
    program = (sys.executable, "-c", LIMITED.format(soft=soft, hard=hard))
    server = ServerProcess(folder / "data", program=program, options=words).start()
    try:
        yield server
    finally:
        assert server.stop() == 0
    assert "Traceback" not in server.log.read_text()


@pytest.mark.parametrize("attack", ["silent", "silent_on_socket"])
async def test_more_connections_than_fit(tmp_path: Path, attack: str) -> None:
    with limited(tmp_path) as server:
        assert ATTACKS[attack].connections > FEW
        found = await run_attack(server, attack, ATTACK_S, before_s=0)
    assert found.p99_ms < P99_MS_MAX
    assert found.log_bytes < LOG_BYTES_MAX
    assert server.log.read_text().count("which is the limit") == 1
    assert found.enters_s < WAIT_S


async def test_one_address_leaves_room_for_others(tmp_path: Path) -> None:
    config_file = tmp_path / "croupier.toml"
    config_file.write_text(CAP)
    with limited(tmp_path, words=("--config", str(config_file))) as server:
        attacking = await start(server, "silent", ATTACK_S)
        await asyncio.sleep(CONNECTS_AFTER_S)
        assert await connecting_s(server.address) < ATTACK_S - CONNECTS_AFTER_S
        await attacking.wait()


async def test_the_soft_limit_is_raised_at_start(tmp_path: Path) -> None:
    with limited(tmp_path, soft=SOFT, hard=HARD) as server:
        assert resource.prlimit(server.pid, resource.RLIMIT_NOFILE) == (HARD, HARD)


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


def connect_to(listener: TcpListener) -> socket.socket:
    connection = socket.create_connection(("127.0.0.1", listener.port))
    connection.setblocking(False)
    return connection


async def is_served(connection: socket.socket, within_s: float = WAIT_S) -> bool:
    try:
        async with asyncio.timeout(within_s):
            return await asyncio.get_running_loop().sock_recv(connection, 5) == b"hello"
    except TimeoutError:
        return False


async def test_a_connection_waits_until_another_is_closed() -> None:
    limiter = ConnectionLimiter(ConnectionLimits(total=2))
    async with listening(limiter) as listener:
        with ExitStack() as stack:
            first, second, third = (stack.enter_context(connect_to(listener)) for _ in range(3))
            assert await is_served(first)
            assert await is_served(second)
            assert not await is_served(third, within_s=0.2)
            first.close()
            assert await is_served(third)
    assert limiter.open == 0


async def test_no_descriptor_is_left_for_accepting(caplog: pytest.LogCaptureFixture) -> None:
    async with listening(ConnectionLimiter()) as listener:
        with ExitStack() as stack:
            assert await is_served(stack.enter_context(connect_to(listener)))
            connection = stack.enter_context(socket.socket())
            connection.setblocking(False)
            with no_descriptor_left():
                await asyncio.get_running_loop().sock_connect(connection, ("127.0.0.1", listener.port))
                assert not await is_served(connection, within_s=1.0)
            assert 1 <= len(caplog.records) <= 3
            assert await is_served(connection)


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
