"""A message that is never completed, and a flood of frames, harm no other connection."""

import asyncio
import socket
from contextlib import AbstractAsyncContextManager

import pytest
from websockets.asyncio.client import ClientConnection as Peer
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

from croupier.gateway import sockets
from croupier.gateway.sockets import socket_server
from croupier.gateway.websocket_connection import FRAMES_PER_TURN, ConnectionHandler, SocketEndpoint
from croupier.protocol.connection import ClientConnection
from tests.gateway.websocket.frames import PONG, TEXT, close, frame

pytestmark = pytest.mark.anyio
WAIT_S = 20.0
FLOOD = 100 * FRAMES_PER_TURN
HANDSHAKE = (
    "GET /ws HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: MDEyMzQ1Njc4OWFiY2RlZg==\r\n\r\n"
)


class Recorder:
    """Records the messages of all connections."""

    def __init__(self) -> None:
        self.texts: list[bytes] = []
        self.lost = asyncio.Event()

    def connect_client(self, _connection: ClientConnection, _token: str) -> ConnectionHandler:
        return self

    def frame_received(self, text: bytes) -> None:
        self.texts.append(text)

    def connection_lost(self) -> None:
        self.lost.set()


@pytest.fixture
def recorder() -> Recorder:
    return Recorder()


def serve(recorder: Recorder) -> AbstractAsyncContextManager[int]:
    endpoints = {"/ws": SocketEndpoint("session", recorder.connect_client, lambda _: True)}
    return socket_server(endpoints, "127.0.0.1", 0)


def connect_to(port: int) -> connect:
    return connect(f"ws://127.0.0.1:{port}/ws", ping_interval=None)


async def close_code(peer: Peer) -> int:
    with pytest.raises(ConnectionClosed) as closed:
        async with asyncio.timeout(WAIT_S):
            await peer.recv()
    assert closed.value.rcvd is not None
    return closed.value.rcvd.code


@pytest.mark.parametrize(
    ("part", "code"), [(frame(TEXT, b"begun", fin=False), 1008), (frame(TEXT, b"begun", size=9_000), 1001)]
)
async def test_a_message_that_is_never_completed_ends_the_connection(
    recorder: Recorder, part: bytes, code: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Pongs between fragments don't prolong it; part of a frame counts as silence."""
    monkeypatch.setattr(sockets, "IDLE_CHECK_S", 0.01)
    async with serve(recorder) as port, connect_to(port) as peer:
        peer.transport.write(part)
        assert await close_code(peer) == code
    assert recorder.texts == []


async def test_fragments_one_after_the_other_are_reassembled(recorder: Recorder) -> None:
    async with serve(recorder) as port, connect_to(port) as peer:
        await peer.send(["one ", "two ", "three"])
        await (await peer.ping())
    assert recorder.texts == [b"one two three"]


def shake_hands(port: int) -> socket.socket:
    client = socket.create_connection(("127.0.0.1", port))
    client.sendall(HANDSHAKE.encode())
    answer = b""
    while not answer.endswith(b"\r\n\r\n"):
        answer += client.recv(4096)
    return client


async def test_a_client_that_is_gone_after_its_close_frame_is_no_error(
    recorder: Recorder, caplog: pytest.LogCaptureFixture
) -> None:
    async with serve(recorder) as port:
        client = await asyncio.to_thread(shake_hands, port)
        client.sendall(close(1001))
        client.close()  # before the server reads the frame; its answer is answered with a reset
        async with asyncio.timeout(WAIT_S):
            await recorder.lost.wait()
    assert "Traceback" not in caplog.text


async def test_a_flood_of_frames_leaves_turns_to_other_tasks(recorder: Recorder) -> None:
    turns = 0

    async def count_turns() -> None:
        nonlocal turns
        while True:
            turns += 1
            await asyncio.sleep(0)

    async with serve(recorder) as port, connect_to(port) as peer:
        counting = asyncio.create_task(count_turns())
        peer.transport.write(frame(PONG) * FLOOD + frame(TEXT, b"end"))
        async with asyncio.timeout(WAIT_S):
            await (await peer.ping())
        counting.cancel()
    assert recorder.texts == [b"end"]
    assert turns >= FLOOD // FRAMES_PER_TURN
