"""One device of a player: a WebSocket over a blocking socket, whose frames are hardly parsed.

A client that costs little leaves the processor to the server, and sends many commands before the first reply.
"""

import selectors
import socket
from collections import Counter, deque
from collections.abc import Callable, Iterable
from typing import Self, TypeVar

import msgspec

from croupier.bench.clients import upgrade
from croupier.bench.frames import PING, PONG, TEXT, extent, frame
from croupier.protocol import wire
from tests.support.browser_connection import new_req

T = TypeVar("T")

REPLY_TIMEOUT_S = 60.0
OK, NO = b'{"t":"ok"', b'{"t":"no"'
NEGATIVE = b'"balance_minor":-'
decode = msgspec.json.Decoder(wire.Message).decode


class Devices:
    """All devices: whoever waits for one reads all of them, so that each answers pings in time."""

    def __init__(self) -> None:
        self._selector = selectors.DefaultSelector()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        for key in list(self._selector.get_map().values()):
            key.data.close()
        self._selector.close()

    def connect(self, port: int, cookie: str, origin: str) -> "Device":
        """Connect a device and say hello."""
        device = Device(port, cookie, origin, self.read)
        self._selector.register(device.socket, selectors.EVENT_READ, device)
        return device

    def read(self) -> None:
        """Wait until a device has received something, and read all that have."""
        assert self.poll(REPLY_TIMEOUT_S), "the server doesn't answer"

    def poll(self, timeout_s: float = 0) -> bool:
        """Read all devices that have received something; return whether any has."""
        ready = self._selector.select(timeout_s)
        for key, _ in ready:
            key.data.receive()
        return bool(ready)


class Device:
    """A connection. `last` has the last frame of each kind, by the message's tag."""

    def __init__(self, port: int, cookie: str, origin: str, wait: Callable[[], None]) -> None:
        self.last: dict[bytes, bytes] = {}
        self._wait = wait
        self._messages = deque[bytes]()
        self._rest = b""
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=REPLY_TIMEOUT_S)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        headers = f"Cookie: {cookie}", f"Origin: {origin}"
        self.socket.sendall(upgrade(f"127.0.0.1:{port}", "/ws", *headers))
        head, _, self._rest = self._received(b"\r\n\r\n").partition(b"\r\n\r\n")
        assert b" 101 " in head, head
        self.send([wire.Hello(wire.PROTOCOL)])

    def close(self) -> None:
        self.socket.close()

    def send(self, commands: Iterable[msgspec.Struct]) -> None:
        """Send commands in one write."""
        self.socket.sendall(b"".join(frame(msgspec.json.encode(command)) for command in commands))

    def replies(self, number: int) -> Counter[str]:
        """Read until so many commands are answered; count the answers by code, empty for `ok`."""
        codes = Counter[str]()
        while codes.total() < number:
            payload = self._next()
            if payload.startswith(OK):
                codes[""] += 1
            elif payload.startswith(NO):
                codes[msgspec.json.decode(payload, type=wire.No).code] += 1
        return codes

    def ask(self, command: msgspec.Struct) -> None:
        """Send a command, which must be accepted."""
        self.send([command])
        codes = self.replies(1)
        assert codes == {"": 1}, codes

    def join(self, table: str) -> None:
        self.ask(wire.Join(new_req(), table, "EUR"))

    def until(self, kind: type[T]) -> T:
        """Read until a message of this kind comes, and return it."""
        while not isinstance(message := decode(self._next()), kind):
            pass
        return message

    def _next(self) -> bytes:
        """Return the next message; no balance that the server sends is negative."""
        while not self._messages:
            self._wait()
        payload = self._messages.popleft()
        assert NEGATIVE not in payload, payload
        self.last[payload[: payload.find(b",")]] = payload
        return payload

    def receive(self) -> None:
        """Read what has arrived; keep messages, and answer pings."""
        data = self._rest + self._read()
        start, end = extent(data)
        while 0 < end <= len(data):
            if data[0] == TEXT:
                self._messages.append(data[start:end])
            elif data[0] == PING:
                self.socket.sendall(frame(data[start:end], PONG))
            data = data[end:]
            start, end = extent(data)
        self._rest = data

    def _received(self, end: bytes) -> bytes:
        data = b""
        while end not in data:
            data += self._read()
        return data

    def _read(self) -> bytes:
        data = self.socket.recv(1 << 16)
        if not data:
            raise ConnectionError("the server closed the connection")
        return data
