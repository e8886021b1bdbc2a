"""Staff sockets end with their session, even if their clients only listen."""

import asyncio
from pathlib import Path
from typing import cast

import msgspec
import pytest
from websockets.exceptions import ConnectionClosed

from croupier.clock import now_ms
from croupier.protocol import staff_wire
from croupier.protocol.connection import ClientConnection
from croupier.staff import sessions
from croupier.staff.client_session import StaffClientSession
from tests.staff.clients import StaffBrowser, add, staff, staff_client
from tests.staff.conftest import Staffed
from tests.staff.office import ADA, office_in

pytestmark = pytest.mark.anyio
ENDS_WITHIN_S = 1.0
HELLO = msgspec.json.encode(staff_wire.Hello(staff_wire.PROTOCOL))


async def last_of(browser: StaffBrowser) -> staff_wire.Message:
    """Return the last message of a connection that the server closes within a second; send nothing."""
    async with asyncio.timeout(ENDS_WITHIN_S):
        try:
            while True:
                await browser.next()
        except ConnectionClosed:
            return browser.received[-1]


async def test_signing_out_ends_the_sockets_of_the_session_and_no_others(shared_server: Staffed) -> None:
    async with (
        staff_client(shared_server.address, "Ada", shared_server.ada) as ada,
        staff_client(shared_server.address, "Ada", shared_server.ada) as elsewhere,
    ):
        await ada.http.post(f"{shared_server.address}/api/staff/sign-out")
        assert isinstance(await last_of(ada), staff_wire.SignedOut)
        assert await elsewhere.ask(staff_wire.OpenTable, "no such table") == "no_such_table"


@pytest.mark.parametrize("word", ["reset", "remove"])
async def test_a_member_who_is_removed_or_reset_is_signed_out(shared_server: Staffed, word: str) -> None:
    name = f"Eve {word}"
    code = add(shared_server.server.data, name, "manager")
    async with staff_client(shared_server.address, name, code) as eve:
        assert staff(shared_server.server.data, word, name).exit_code == 0
        assert isinstance(await last_of(eve), staff_wire.SignedOut)


class Connection:
    """A connection that keeps what is sent, and sets `closed` when the server closes it."""

    def __init__(self) -> None:
        self.sent: list[bytes] = []
        self.closed = asyncio.Event()

    def queue(self, message: bytes) -> None:
        self.sent.append(message)

    def close(self, _code: int) -> None:
        self.closed.set()


async def test_an_expired_session_ends_its_socket_by_itself(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sessions, "IDLE_TIMEOUT_MS", 150)
    async with office_in(tmp_path) as office:
        token = office.staff.sessions.begin(ADA, now_ms())
        connection = Connection()
        client = StaffClientSession(office.staff, cast("ClientConnection", connection), token)
        client.frame_received(HELLO)
        async with asyncio.timeout(ENDS_WITHIN_S):
            await connection.closed.wait()
        assert b"signed_out" in connection.sent[-1]
        assert client.member is None
        client.connection_lost()
