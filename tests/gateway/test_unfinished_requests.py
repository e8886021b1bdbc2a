"""An unfinished request doesn't keep a server from stopping."""

import socket
from urllib.parse import urlsplit

import pytest

from croupier.app.serve import BOOKS
from croupier.ledger.sqlite.verify import verify
from tests.support.browser_connection import Browser
from tests.support.server_process import HouseProcess

pytestmark = pytest.mark.anyio

LEDGER_BROKEN = 2
HALF = """POST /api/cashier/deposit HTTP/1.1\r
Host: {host}\r
Cookie: {cookie}\r
Content-Length: 100\r
\r
{{"req": "half"""


async def half_asked(house: HouseProcess) -> socket.socket:
    """Send an unfinished request of a guest."""
    async with Browser(house.address) as browser:
        await browser.guest()
        cookie = "; ".join(f"{name}={value}" for name, value in browser.http.cookies.items())
    at = urlsplit(house.address)
    assert at.hostname is not None
    line = socket.create_connection((at.hostname, at.port or 80))
    line.sendall(HALF.format(host=at.netloc, cookie=cookie).encode())
    return line


async def test_a_stopping_server(mortal: HouseProcess) -> None:
    with await half_asked(mortal):
        assert mortal.stop() == 0
    is_quiet(mortal)


async def test_a_server_whose_writer_process_was_killed(mortal: HouseProcess) -> None:
    with await half_asked(mortal):
        assert mortal.kill_writer_process() == LEDGER_BROKEN
    is_quiet(mortal)


def is_quiet(house: HouseProcess) -> None:
    log = house.log.read_text()
    assert "Traceback" not in log
    assert "1 running task" in log, "it was given up"
    assert verify(house.data / BOOKS).bad is None
