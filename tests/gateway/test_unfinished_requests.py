"""An unfinished request doesn't keep a server from stopping."""

import socket
import sys
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from croupier.app.serve import DATABASE
from croupier.ledger.sql.verify import verify
from tests.support.browser_connection import Browser
from tests.support.server_process import ServerProcess

pytestmark = pytest.mark.anyio

LEDGER_BROKEN = 2
STOPS_SOON = """
from croupier.gateway import http_server
http_server.CONFIG["timeout_graceful_shutdown"] = 1
from croupier.cli.main import main
main()
"""
HALF = """POST /api/cashier/deposit HTTP/1.1\r
Host: {host}\r
Cookie: {cookie}\r
Content-Length: 100\r
\r
{{"req": "half"""


@pytest.fixture
def stopping_soon(tmp_path: Path) -> ServerProcess:
    """A server that waits a second for requests when it stops."""
    return ServerProcess(tmp_path / "data", program=(sys.executable, "-c", STOPS_SOON)).start()


async def send_half_a_request(server: ServerProcess) -> socket.socket:
    """Send an unfinished request of a guest."""
    async with Browser(server.address) as browser:
        await browser.guest()
        cookie = "; ".join(f"{name}={value}" for name, value in browser.http.cookies.items())
    at = urlsplit(server.address)
    assert at.hostname is not None
    connection = socket.create_connection((at.hostname, at.port or 80))
    connection.sendall(HALF.format(host=at.netloc, cookie=cookie).encode())
    return connection


async def test_a_stopping_server_drops_it(stopping_soon: ServerProcess) -> None:
    with await send_half_a_request(stopping_soon):
        assert stopping_soon.stop() == 0
    check_log_and_ledger(stopping_soon)


async def test_a_server_whose_writer_process_was_killed_drops_it(stopping_soon: ServerProcess) -> None:
    with await send_half_a_request(stopping_soon):
        assert stopping_soon.kill_writer_process() == LEDGER_BROKEN
    check_log_and_ledger(stopping_soon)


def check_log_and_ledger(server: ServerProcess) -> None:
    log = server.log.read_text()
    assert "Traceback" not in log
    assert "1 running task" in log, "the request wasn't dropped"
    assert verify(server.data / DATABASE).bad is None
