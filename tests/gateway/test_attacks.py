"""Hostile clients without a session can't exhaust the processor, the memory or the log."""

import asyncio
import sys
from pathlib import Path

import pytest

from croupier.gateway import client_session, http_server, listener
from tests.faults.attacks import ATTACKS
from tests.faults.edge_campaign import resident_mib, run_attack
from tests.support.server_process import ServerProcess
from tests.support.servers import assert_clean_stop

pytestmark = pytest.mark.anyio

ATTACK_S = 1.0
P99_MS_MAX = 1_000.0
"""Maximum delay on a busy machine; without limits it is several seconds."""
LOG_BYTES_MAX = 20_000
MEMORY_MIB_MAX = 100.0
CONNECT_TIMEOUT_S = 10.0
LONG_PAUSE_S = 0.1
"""Time between the player's rounds in attacks of many seconds: a hundred rounds are enough for the p99."""
CLOSED_AT_ONCE = ("endless_header", "endless_headers", "endless_body", "pipelined", "garbage")
CLOSED_AT_ONCE_ON_SOCKET = (
    "endless_header_on_socket",
    "endless_headers_on_socket",
    "garbage_on_socket",
    "fragments",
)
TIMES = {"silent": 4.0, "anonymous": 5.0}
"""The time within which each is cut off with the timeouts of `SOON`."""
SOON = """
from croupier.gateway import client_session, http_server
http_server.HEADER_TIMEOUT_S = 1.0
client_session.HELLO_TIMEOUT_S = 2.0
from croupier.cli.main import main
main()
"""
OTHERS_CLOSED_IN_TIME = {
    "silent_on_socket": 7.0,
    "dripping_header": 7.0,
    "dripping_header_on_socket": 7.0,
    "blank_lines": 7.0,
    "dripping_body": 12.0,
    "unread": 70.0,
}


@pytest.mark.parametrize("attack", CLOSED_AT_ONCE)
async def test_a_client_that_sends_without_end_is_cut_off(http_server: ServerProcess, attack: str) -> None:
    await check_cut_off(http_server, attack)


@pytest.mark.parametrize("attack", CLOSED_AT_ONCE_ON_SOCKET)
async def test_a_client_that_sends_to_the_socket_without_end_is_cut_off(
    server: ServerProcess, attack: str
) -> None:
    await check_cut_off(server, attack)


async def check_cut_off(server: ServerProcess, attack: str) -> None:
    before_mib = resident_mib(server)
    found = await run_attack(server, attack, ATTACK_S, before_s=0)
    assert found.p99_ms < P99_MS_MAX
    assert found.log_bytes < LOG_BYTES_MAX
    assert found.memory_mib - before_mib < MEMORY_MIB_MAX
    assert found.enters_s < CONNECT_TIMEOUT_S
    assert found.report.closed > 0
    assert found.report.slowest_s < ATTACK_S


async def test_silent_clients_and_clients_without_a_session_are_cut_off(tmp_path: Path) -> None:
    """Each is cut off in time while the other attacks too."""
    server = ServerProcess(tmp_path / "data", program=(sys.executable, "-c", SOON)).start()
    async with asyncio.TaskGroup() as attacks:
        for attack, in_time in TIMES.items():
            attacks.create_task(check_closed_in_time(server, attack, in_time))
    assert_clean_stop(server)


def test_clients_have_a_few_seconds() -> None:
    assert http_server.HEADER_TIMEOUT_S == listener.HANDSHAKE_TIMEOUT_S == 5.0
    assert client_session.HELLO_TIMEOUT_S == 10.0


@pytest.mark.parametrize("attack", OTHERS_CLOSED_IN_TIME)
@pytest.mark.campaign
async def test_every_unfinished_request_is_cut_off(server: ServerProcess, attack: str) -> None:
    await check_closed_in_time(server, attack, OTHERS_CLOSED_IN_TIME[attack])


async def check_closed_in_time(server: ServerProcess, attack: str, in_time: float) -> None:
    found = await run_attack(server, attack, in_time + 1, before_s=0, pause_s=LONG_PAUSE_S)
    assert found.p99_ms < P99_MS_MAX
    assert found.log_bytes < LOG_BYTES_MAX
    assert found.report.closed >= ATTACKS[attack].connections
    assert found.report.slowest_s < in_time
    assert found.report.oldest_s < in_time
