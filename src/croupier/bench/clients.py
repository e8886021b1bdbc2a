"""Thousands of WebSocket clients in one thread.

The clients must cost less than the server they measure, so this is a loop around epoll that passes whole
frames on unparsed; handlers parse only what they need.
"""

import gc
import os
import select
import socket
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from time import perf_counter, sleep
from typing import Protocol

from croupier.bench.frames import BINARY, CLOSE, PING, PONG, TEXT, extent, frame
from croupier.bench.process import is_normal, is_real_time

READ_BYTES_MAX = 1 << 16
BATCH_SIZE = 64
"""Number of connections to read, or to open, before other work."""
SLEEP_S = 0.00005
SLEEP_INTERVAL_S = 0.003
"""Interval of sleeps when yielding the processor; with real-time priority, every iteration sleeps."""
WAIT_MS_MAX = 10
"""Longest wait of epoll, so that conditions are checked."""
SOURCES = 8
"""Source addresses (127.0.0.1 and following), because each has its own range of ports."""

_IGNORE_LOST = suppress(ConnectionError)

FrameHandler = Callable[[int, bytes, float], None]
"""Called with the player's number, the payload of a frame, and the time it was read."""


class Work(Protocol):
    """Actions at times of `perf_counter`; when `next` has come, `act` is called with it, and then `step`."""

    @property
    def next(self) -> float: ...
    @property
    def act(self) -> Callable[[float], None]: ...
    def step(self) -> None: ...


@dataclass(slots=True)
class TimedWork:
    """Actions scheduled at times of `perf_counter`, regardless of whether earlier ones were answered."""

    due: Iterator[float]
    act: Callable[[float], None]
    """Called with the scheduled time."""
    next: float = 0.0

    def __post_init__(self) -> None:
        self.step()

    def step(self) -> None:
        self.next = next(self.due, float("inf"))


def evenly_spaced(start: float, rate: float, number: int) -> Iterator[float]:
    """Yield `number` times from `start`, `rate` per second."""
    return (start + step / rate for step in range(number))


class ClientPool:
    """A pool of clients. `lost` counts cut connections; the owner counts `entered` up."""

    def __init__(self, on_frame: FrameHandler, on_open: Callable[[int], None]) -> None:
        gc.freeze()
        gc.disable()
        self.entered = 0
        self.lost = 0
        self._on_frame = on_frame
        self._on_open = on_open
        self._poll = select.epoll()
        self._first = select.epoll()
        self._waiting: set[int] = set()
        """Descriptors that are read first."""
        self._sockets: list[socket.socket] = []
        self._number: dict[int, int] = {}
        self._rest: dict[int, bytes] = {}
        """Incomplete frames, by descriptor."""
        self._opening: set[int] = set()

    def __len__(self) -> int:
        return len(self._sockets)

    def send(self, player: int, framed: bytes) -> None:
        """Send a frame. Errors are ignored: a lost connection is counted when it is read."""
        with _IGNORE_LOST:
            self._sockets[player].send(framed)

    def ask(self, player: int, framed: bytes) -> None:
        """Send a request, and read this client before all others until it is answered.

        Real players read independently; here the answer would otherwise wait behind the messages of
        thousands.
        """
        descriptor = self._sockets[player].fileno()
        if descriptor not in self._waiting:
            self._waiting.add(descriptor)
            self._first.register(descriptor, select.EPOLLIN)
        self.send(player, framed)

    def answered(self, player: int) -> None:
        """Stop giving priority to a client whose request was answered."""
        self._stop_waiting(self._sockets[player].fileno())

    def _stop_waiting(self, descriptor: int) -> None:
        if descriptor in self._waiting:
            self._waiting.discard(descriptor)
            self._first.unregister(descriptor)

    def connect(self, address: tuple[str, int], requests: Iterable[bytes]) -> None:
        """Open a connection for each upgrade request; return when all have entered or been lost."""
        begun = len(self)
        for request in requests:
            self._connect(address, request)
            while len(self) - self.entered - self.lost >= BATCH_SIZE:
                self.turn(0.1)
        self.run(until=lambda: self.entered + self.lost >= len(self), seconds=10 + (len(self) - begun) / 100)

    def _connect(self, address: tuple[str, int], request: bytes) -> None:
        source = f"127.0.0.{1 + len(self) % SOURCES}"
        line = socket.create_connection(address, source_address=(source, 0))
        line.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        line.send(request)
        line.setblocking(False)
        self._number[line.fileno()] = len(self)
        self._opening.add(line.fileno())
        self._rest[line.fileno()] = b""
        self._sockets.append(line)
        self._poll.register(line.fileno(), select.EPOLLIN)

    def run(self, *streams: Work, until: Callable[[], bool], seconds: float) -> None:
        """Read, and do scheduled work, `until` the condition holds or the time is up.

        Raises ConnectionError when every client has been lost.

        With the normal priority the loop blocks, because several servers need the processors. With another
        one it polls, because waking it would cost the measured server time. With real-time priority it sleeps
        briefly in each iteration, so that other processes can run. Otherwise it yields in each iteration;
        since that yields only to its own session, it also sleeps now and then for others, such as the kernel
        thread that syncs the disk.
        """
        end, next_sleep, blocks = perf_counter() + seconds, 0.0, is_normal()
        interval_s = 0.0 if blocks or is_real_time() else SLEEP_INTERVAL_S
        while not until() and (now := perf_counter()) < end:
            if self.lost and self.lost == len(self):
                raise ConnectionError("all clients have been disconnected")
            for stream in streams:
                while stream.next <= now:
                    stream.act(stream.next)
                    stream.step()
            wait_s = _whole_ms(min([end, *(stream.next for stream in streams)]) - now) if blocks else 0.0
            self.turn(wait_s)
            if wait_s:
                continue
            if now < next_sleep:
                os.sched_yield()
            else:
                sleep(SLEEP_S)
                next_sleep = now + interval_s

    def turn(self, wait_s: float = 0.0) -> None:
        """Read once from each client that waits for an answer, and from some of the others."""
        for descriptor, _ in self._first.poll(0):
            self._read(descriptor)
        for descriptor, _ in self._poll.poll(wait_s, BATCH_SIZE):
            self._read(descriptor)

    def _read(self, descriptor: int) -> None:
        try:
            data = os.read(descriptor, READ_BYTES_MAX)
        except ConnectionResetError:
            data = b""
        if not data:
            self._disconnect(descriptor)
        elif descriptor in self._rest:
            self._split(descriptor, self._rest.pop(descriptor) + data)
        else:
            self._split(descriptor, data)

    def _split(self, descriptor: int, data: bytes) -> None:
        now, player = perf_counter(), self._number[descriptor]
        if descriptor in self._opening:
            data = self._upgraded(descriptor, data)
        while data:
            start, end = extent(data)
            if not end or end > len(data):
                self._rest[descriptor] = data
                return
            if data[0] in (TEXT, BINARY):
                self._on_frame(player, data[start:end], now)
            elif data[0] == PING:
                self.send(player, frame(data[start:end], PONG))
            elif data[0] == CLOSE:
                self._disconnect(descriptor)
                return
            data = data[end:]

    def _upgraded(self, descriptor: int, data: bytes) -> bytes:
        head, end, rest = data.partition(b"\r\n\r\n")
        if not end:
            self._rest[descriptor] = data
            return b""
        if b" 101 " not in head[:16]:
            raise ConnectionError(f"no upgrade: {head.decode(errors='replace')}")
        self._opening.discard(descriptor)
        self._on_open(self._number[descriptor])
        return rest

    def _disconnect(self, descriptor: int) -> None:
        self.lost += 1
        self._poll.unregister(descriptor)
        self._stop_waiting(descriptor)


def _whole_ms(seconds: float) -> float:
    """Round down to what epoll can wait without being late."""
    return min(WAIT_MS_MAX, max(0, int(seconds * 1000))) / 1000


def upgrade(host: str, path: str, *headers: str) -> bytes:
    """Return the request that opens a WebSocket; `host` includes the port."""
    lines = [
        f"GET {path} HTTP/1.1",
        f"Host: {host}",
        "Upgrade: websocket",
        "Connection: Upgrade",
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
        "Sec-WebSocket-Version: 13",
        *headers,
    ]
    return "\r\n".join([*lines, "", ""]).encode()
