"""Connections that fail silently are detected."""

import asyncio

import pytest
from websockets.asyncio.client import ClientConnection as Peer
from websockets.asyncio.client import connect

from croupier.gateway import sockets, websocket_connection
from croupier.gateway.sockets import socket_server
from croupier.gateway.websocket_connection import ConnectionHandler, SocketEndpoint
from croupier.protocol.connection import ClientConnection

pytestmark = pytest.mark.anyio
WAIT_S = 10.0


class RecordingHandler:
    def __init__(self) -> None:
        self.is_gone = asyncio.Event()

    def frame_received(self, frame: bytes) -> None:
        pass

    def connection_lost(self) -> None:
        self.is_gone.set()


class Handlers:
    """Connection handlers in order of arrival."""

    def __init__(self) -> None:
        self.created: list[RecordingHandler] = []

    def connect_client(self, _line: ClientConnection, _token: str) -> ConnectionHandler:
        self.created.append(RecordingHandler())
        return self.created[-1]


def connect_to(port: int) -> connect:
    address = f"127.0.0.1:{port}"
    return connect(
        f"ws://{address}/ws", additional_headers={"Origin": f"http://{address}"}, ping_interval=None
    )


def dead(connection: Peer) -> None:
    """Simulate a network failure: data arrives but isn't answered."""
    connection.transport.pause_reading()


async def test_a_dead_connection_is_closed_and_a_quiet_one_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(websocket_connection, "IDLE_PING_S", 0.4)
    monkeypatch.setattr(websocket_connection, "PONG_TIMEOUT_S", 0.8)
    for module in (websocket_connection, sockets):
        monkeypatch.setattr(module, "IDLE_CHECK_S", 0.2)
    handlers = Handlers()
    endpoints = {"/ws": SocketEndpoint("session", handlers.connect_client, lambda _: True)}
    async with socket_server(endpoints, "127.0.0.1", 0) as port, connect_to(port):
        cut = await connect_to(port)
        quiet, lost = handlers.created
        dead(cut)
        async with asyncio.timeout(WAIT_S):
            await lost.is_gone.wait()
        assert not quiet.is_gone.is_set()
        cut.transport.abort()
