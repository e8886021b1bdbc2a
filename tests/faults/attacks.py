"""Hostile clients: `python -m tests.faults.attacks NAME PAGES_PORT SOCKET_PORT SECONDS`.

They run in a process of their own, and connect from an address of their own. Each attack keeps a number of
connections open until its time is over, and replaces those that the server closes. At the end it prints one
line of JSON.
"""

import asyncio
import json
import socket
import sys
import time
from collections.abc import Callable, Coroutine
from contextlib import suppress
from typing import NamedTuple

from tests.faults.websocket_frames import frame

REOPEN_DELAY_S = 0.02
ADDRESS = "127.0.0.66"
LONG_HEADER = 40 * 2**20
THEN_EACH_S, THEN_BYTES = 0.1, 19 * 1024
DRIP_S = 0.5
UPGRADE = (
    "GET /ws HTTP/1.1\r\nHost: {host}\r\nOrigin: http://{host}\r\nUpgrade: websocket\r\n"
    "Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
)
PING, EMPTY_TEXT_BEGUN, EMPTY_CONTINUED = frame(0x89), frame(0x01), frame(0x00)

Client = Callable[[socket.socket, str], Coroutine[None, None, None]]


async def _send(connection: socket.socket, data: bytes) -> None:
    await asyncio.get_running_loop().sock_sendall(connection, data)


async def _wait() -> None:
    await asyncio.Event().wait()


async def _drip(connection: socket.socket, data: bytes) -> None:
    """Send byte after byte, without end."""
    while True:
        for each in data:
            await _send(connection, bytes((each,)))
            await asyncio.sleep(DRIP_S)


async def silent(_connection: socket.socket, _host: str) -> None:
    await _wait()


async def endless_header(connection: socket.socket, host: str) -> None:
    await _send(connection, f"GET / HTTP/1.1\r\nHost: {host}\r\nX-Long: ".encode())
    for _ in range(LONG_HEADER // 2**16):
        await _send(connection, b"a" * 2**16)
    while True:
        await _send(connection, b"a" * THEN_BYTES)
        await asyncio.sleep(THEN_EACH_S)


async def endless_headers(connection: socket.socket, host: str) -> None:
    await _send(connection, f"GET / HTTP/1.1\r\nHost: {host}\r\n".encode())
    while True:
        await _send(connection, b"a: b\r\n" * 40_000)


async def dripping_header(connection: socket.socket, host: str) -> None:
    await _send(connection, f"GET / HTTP/1.1\r\nHost: {host}\r\n".encode())
    await _drip(connection, b"a: b\r\n")


async def dripping_body(connection: socket.socket, host: str) -> None:
    await _send(
        connection, f"POST /api/guest HTTP/1.1\r\nHost: {host}\r\nContent-Length: 60000\r\n\r\n".encode()
    )
    await _drip(connection, b"a")


async def endless_body(connection: socket.socket, host: str) -> None:
    await _send(
        connection, f"GET /api/server HTTP/1.1\r\nHost: {host}\r\nContent-Length: {2**40}\r\n\r\n".encode()
    )
    while True:
        await _send(connection, b"a" * 2**16)


async def pipelined(connection: socket.socket, host: str) -> None:
    while True:
        await _send(connection, f"GET /api/server HTTP/1.1\r\nHost: {host}\r\n\r\n".encode() * 5_000)


async def blank_lines(connection: socket.socket, host: str) -> None:
    """Send them after a response, where no request begins."""
    await _send(connection, f"GET /api/server HTTP/1.1\r\nHost: {host}\r\n\r\n".encode())
    await _drip(connection, b"\r\n")


async def garbage(connection: socket.socket, _host: str) -> None:
    await _send(connection, b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n")
    await _wait()


async def unread(connection: socket.socket, host: str) -> None:
    """Request the largest response, and read none."""
    while True:
        await _send(connection, f"GET /api/openapi.json HTTP/1.1\r\nHost: {host}\r\n\r\n".encode() * 4)
        await asyncio.sleep(DRIP_S)


async def _upgraded(connection: socket.socket, host: str) -> None:
    await _send(connection, UPGRADE.format(host=host).encode())
    await asyncio.sleep(0.2)


async def fragments(connection: socket.socket, host: str) -> None:
    await _upgraded(connection, host)
    await _send(connection, EMPTY_TEXT_BEGUN)
    while True:
        await _send(connection, EMPTY_CONTINUED * 10_000)


async def anonymous(connection: socket.socket, host: str) -> None:
    """Keep the connection alive without sending `hello`."""
    await _upgraded(connection, host)
    while True:
        await _send(connection, PING)
        await asyncio.sleep(DRIP_S)


class Attack(NamedTuple):
    client: Client
    connections: int
    on_socket: bool = False
    reads: bool = True


ATTACKS = {
    "silent": Attack(silent, 300),
    "silent_on_socket": Attack(silent, 300, on_socket=True),
    "endless_header": Attack(endless_header, 1),
    "endless_header_on_socket": Attack(endless_header, 1, on_socket=True),
    "endless_headers": Attack(endless_headers, 1),
    "endless_headers_on_socket": Attack(endless_headers, 1, on_socket=True),
    "dripping_header": Attack(dripping_header, 100),
    "dripping_header_on_socket": Attack(dripping_header, 100, on_socket=True),
    "dripping_body": Attack(dripping_body, 100),
    "endless_body": Attack(endless_body, 1),
    "pipelined": Attack(pipelined, 1),
    "blank_lines": Attack(blank_lines, 100),
    "garbage": Attack(garbage, 10),
    "garbage_on_socket": Attack(garbage, 10, on_socket=True),
    "unread": Attack(unread, 20, reads=False),
    "fragments": Attack(fragments, 1, on_socket=True),
    "anonymous": Attack(anonymous, 100, on_socket=True),
}


class AttackReport(NamedTuple):
    """The outcome of an attack.

    `slowest_s`: maximum age of closed connections; `oldest_s`: of open ones.
    """

    closed: int
    refused: int
    slowest_s: float
    oldest_s: float


class Crowd:
    """The connections of one attack."""

    def __init__(self, attack: Attack, port: int, seconds: float) -> None:
        self._attack = attack
        self._port = port
        self._until = time.monotonic() + seconds
        self._lasted: list[float] = []
        self._open: dict[int, float] = {}
        self._refused = 0

    async def run(self) -> AttackReport:
        tasks = [asyncio.create_task(self._one(number)) for number in range(self._attack.connections)]
        await asyncio.sleep(self._until - time.monotonic())
        now = time.monotonic()
        report = AttackReport(
            len(self._lasted),
            self._refused,
            max(self._lasted, default=0.0),
            max((now - begun for begun in self._open.values()), default=0.0),
        )
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        return report

    async def _one(self, number: int) -> None:
        while time.monotonic() < self._until:
            with socket.socket() as connection, suppress(OSError):
                connection.bind((ADDRESS, 0))
                connection.setblocking(False)
                await self._attempt(number, connection)
            await asyncio.sleep(REOPEN_DELAY_S)

    async def _attempt(self, number: int, connection: socket.socket) -> None:
        try:
            await asyncio.get_running_loop().sock_connect(connection, ("127.0.0.1", self._port))
        except OSError:
            self._refused += 1
            return
        begun = self._open[number] = time.monotonic()
        try:
            await self._run_client(connection)
        finally:
            del self._open[number]
        self._lasted.append(time.monotonic() - begun)

    async def _run_client(self, connection: socket.socket) -> None:
        """Attack until the server closes the connection."""
        talking = asyncio.create_task(self._attack.client(connection, f"127.0.0.1:{self._port}"))
        reading = asyncio.create_task(_read(connection) if self._attack.reads else _wait())
        try:
            await asyncio.wait([talking, reading], return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in (talking, reading):
                task.cancel()
            await asyncio.gather(talking, reading, return_exceptions=True)


async def _read(connection: socket.socket) -> None:
    loop = asyncio.get_running_loop()
    while await loop.sock_recv(connection, 2**16):
        pass


def main() -> None:
    name, pages_port, socket_port, seconds = sys.argv[1:]
    attack = ATTACKS[name]
    port = int(socket_port if attack.on_socket else pages_port)
    print(json.dumps(asyncio.run(Crowd(attack, port, float(seconds)).run())._asdict()))


if __name__ == "__main__":
    main()
