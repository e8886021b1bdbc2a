"""Both WebSockets meet RFC 6455: every case of the Autobahn test suite for a server without extensions."""

import socket
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple

import httpx
import pytest
from msgspec.json import decode

from tests.gateway.websocket.cases import CASES, MALFORMED, ROUND_TRIPS, TEXT_PONG, Answer, Case, command
from tests.gateway.websocket.frames import CLOSE, PING, PONG, TEXT, close, frame, pieces, received_frames
from tests.support.server_process import ServerProcess

TIMEOUT_S = 10.0
NO_PEER = (BrokenPipeError, ConnectionResetError)
PATHS = ("/ws", "/ws/staff")
ROUND_TRIP_COUNT = 1000


class Client:
    """A client that sends bytes and reads frames, until the server's close frame."""

    def __init__(self, connection: socket.socket) -> None:
        self._connection = connection
        self._data = b""
        self.answers: list[Answer] = []
        self.close_payload: bytes | None = None

    def send(self, data: bytes, chop: int = 0) -> None:
        """Send packets; a server that has closed the connection may refuse the rest."""
        try:
            for packet in pieces(data, chop) if chop else (data,):
                self._connection.sendall(packet)
        except NO_PEER:
            pass

    def receive(self) -> bool:
        """Read once; return False at the end."""
        try:
            data = self._connection.recv(1 << 16)
        except NO_PEER:
            data = b""
        frames, self._data = received_frames(self._data + data)
        for opcode, payload in frames:
            self._take(opcode, payload)
        return bool(data)

    def receive_until(self, answers: int) -> None:
        """Read until so many answers, the close frame or the end."""
        while len(self.answers) < answers and self.close_payload is None and self.receive():
            pass

    def _take(self, opcode: int, payload: bytes) -> None:
        assert self.close_payload is None, "a frame follows the close frame"
        if opcode == CLOSE:
            self.close_payload = payload
        elif opcode == PONG:
            self.answers.append(payload)
        elif opcode != PING:
            assert opcode == TEXT
            message = decode(payload)
            self.answers.append(TEXT_PONG if message["t"] == "pong" else message["code"])


class Served(NamedTuple):
    origin: str
    port: int


@pytest.fixture(scope="module")
def served(server: ServerProcess) -> Served:
    return Served(server.address, httpx.get(f"{server.address}/api/server").json()["socket_port"])


@contextmanager
def connected(served: Served, path: str) -> Iterator[Client]:
    origin, port = served
    with socket.create_connection(("127.0.0.1", port), TIMEOUT_S) as connection:
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        connection.sendall(
            f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nOrigin: {origin}\r\n"
            "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
            "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n".encode()
        )
        response = b""
        while b"\r\n\r\n" not in response:
            response += connection.recv(1)
        assert response.startswith(b"HTTP/1.1 101 "), response
        assert b"s3pPLMBiTxaQ9kYGzzhZRbK+xOo=" in response
        yield Client(connection)


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])
def test_a_case_of_the_websocket_protocol(served: Served, path: str, case: Case) -> None:
    with connected(served, path) as client:
        client.send(b"".join(case.sent), case.chop)
        client.receive_until(len(case.answers))
        if client.close_payload is None and len(client.answers) == len(case.answers):
            client.send(close(1000))
        while client.receive():
            pass
    cut = case.may_be_cut and client.answers == []
    assert cut or tuple(client.answers) == case.answers
    assert client.close_payload == (b"" if case.code is None else case.code.to_bytes(2, "big"))


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("size", ROUND_TRIPS.values(), ids=ROUND_TRIPS)
def test_many_texts_are_answered_one_after_the_other(served: Served, path: str, size: int) -> None:
    with connected(served, path) as client:
        for number in range(ROUND_TRIP_COUNT):
            client.send(frame(TEXT, command(size)))
            client.receive_until(number + 1)
    assert client.answers == [TEXT_PONG if size else MALFORMED] * ROUND_TRIP_COUNT
