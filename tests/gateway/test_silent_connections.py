"""A line that went dead without a goodbye is noticed: nobody's bet stands because nobody told the house."""

import asyncio

import pytest
from websockets.asyncio.client import ClientConnection as Peer
from websockets.asyncio.client import connect

from croupier.gateway import sockets
from croupier.gateway.sockets import SOCKETS, ConnectionHandler, SocketEndpoint
from croupier.protocol.connection import ClientConnection

pytestmark = pytest.mark.anyio
WAIT_S = 10.0


class Listener:
    def __init__(self) -> None:
        self.is_gone = asyncio.Event()

    def frame_received(self, frame: bytes) -> None:
        pass

    def connection_lost(self) -> None:
        self.is_gone.set()


class Hall:
    """Whoever comes in, in the order of their coming."""

    def __init__(self) -> None:
        self.listeners: list[Listener] = []

    def receive(self, _line: ClientConnection, _token: str) -> ConnectionHandler:
        self.listeners.append(Listener())
        return self.listeners[-1]


def dialled(port: int) -> connect:
    address = f"127.0.0.1:{port}"
    return connect(
        f"ws://{address}/ws", additional_headers={"Origin": f"http://{address}"}, ping_interval=None
    )


def dead(connection: Peer) -> None:
    """As behind a cable that was pulled: what is sent to it arrives, and is answered no more."""
    connection.transport.pause_reading()


@pytest.mark.parametrize("library", SOCKETS)
async def test_a_dead_line_is_noticed_and_a_quiet_one_stays(
    library: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sockets, "IDLE_PING_S", 1.0)
    monkeypatch.setattr(sockets, "PONG_TIMEOUT_S", 1.0)
    hall = Hall()
    entrances = {"/ws": SocketEndpoint("session", hall.receive, lambda _: True)}
    async with SOCKETS[library](entrances, "127.0.0.1", 0) as port, dialled(port):
        cut = await dialled(port)
        quiet, lost = hall.listeners
        dead(cut)
        async with asyncio.timeout(WAIT_S):
            await lost.is_gone.wait()
        assert not quiet.is_gone.is_set()
        cut.transport.abort()
