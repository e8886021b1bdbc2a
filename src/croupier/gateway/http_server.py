"""The HTTP server, with limits on the size and duration of requests.

uvicorn limits neither the size of a header nor the time of a request, and httptools copies an incomplete
header with each piece that arrives.
"""

import asyncio
import math
import socket
from collections.abc import Callable
from typing import Any

import uvicorn
from litestar.types import ASGIApp
from uvicorn.protocols.http.httptools_impl import RequestResponseCycle
from uvicorn.server import ServerState

from croupier.gateway.connection_limits import ConnectionLimiter
from croupier.gateway.http_protocol import HttpProtocol
from croupier.gateway.listener import OnClosed, TcpListener

SHUTDOWN_TIMEOUT_S = 5
"""Time for requests in progress to finish when the server stops."""
KEEP_ALIVE_S = 5
CONFIG: Any = {
    "http": "httptools",
    "proxy_headers": False,
    "ws": "none",
    "lifespan": "off",
    "timeout_graceful_shutdown": SHUTDOWN_TIMEOUT_S,
    "timeout_keep_alive": KEEP_ALIVE_S,
    "log_config": None,
    "log_level": "warning",
    "server_header": False,
}
HEADER_BYTES_MAX = 16 * 1024
"""Always accepted; a request is rejected at the latest at twice this size."""
HEADERS_MAX = 100
BODY_BYTES_MAX = 64 * 1024
"""A larger body is refused, but read to its end so that the client reads the response."""
DISCARDED_BYTES_MAX = 16 * 2**20
PIPELINED_MAX = 8
HEADER_TIMEOUT_S, BODY_TIMEOUT_S, WRITE_TIMEOUT_S = 5.0, 10.0, 60.0
"""Time limits for sending a header, sending the body, and reading the response."""
DEADLINE_CHECK_S = 0.5
TOO_LARGE = "The headers of a request are too large."


class RequestTooLarge(Exception):
    """A request exceeds a limit."""


class BoundedHttpProtocol(HttpProtocol):
    """A connection with limits; `closed` is called once it is closed.

    `check_deadlines` enforces the time limits, so that requests need no timers of their own.
    """

    def __init__(self, config: uvicorn.Config, state: ServerState, closed: Callable[[], None]) -> None:
        super().__init__(config, state, {})
        self._closed = closed
        self._in_headers = True
        """Also true between requests, since the next data belongs to a header."""
        self._header_bytes = self._body_bytes = 0
        self._unanswered: list[RequestResponseCycle] = []
        self._due_within(HEADER_TIMEOUT_S)
        self._write_due = self.loop.time() + WRITE_TIMEOUT_S

    def connection_lost(self, exc: Exception | None) -> None:
        try:
            self._stop_answering()
            super().connection_lost(exc)
        finally:
            self._closed()

    def _stop_answering(self) -> None:
        """End the handlers of all unanswered requests; uvicorn ends only the last."""
        for cycle in self._unanswered:
            cycle.disconnected = True
            cycle.message_event.set()

    # --- size

    def data_received(self, data: bytes) -> None:
        """Parse in pieces, so that one read can't exceed the limit on headers."""
        for first in range(0, len(data), HEADER_BYTES_MAX):
            if self.transport.is_closing():
                return
            piece = data[first : first + HEADER_BYTES_MAX]
            super().data_received(piece)
            if self._in_headers:
                self._count_header(len(piece))

    def _count_header(self, received: int) -> None:
        self._header_bytes += received
        if self._header_bytes > HEADER_BYTES_MAX and not self.transport.is_closing():
            self.send_400_response(TOO_LARGE)

    def send_400_response(self, msg: str) -> None:
        """Respond, unless other responses are pending, and close the connection."""
        if not self._unanswered:
            super().send_400_response(msg)
        self._stop_answering()
        self.transport.close()

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self._header_bytes = self._body_bytes = 0
        self._due_within(HEADER_TIMEOUT_S)

    def on_header(self, name: bytes, value: bytes) -> None:
        super().on_header(name, value)
        if len(self.headers) > HEADERS_MAX:
            raise RequestTooLarge("headers")

    def on_headers_complete(self) -> None:
        if len(self.pipeline) >= PIPELINED_MAX:
            raise RequestTooLarge("requests at once")
        super().on_headers_complete()
        self._unanswered.append(self.cycle)
        self._in_headers = False
        self._due_within(BODY_TIMEOUT_S)

    def on_body(self, body: bytes) -> None:
        """Reject an endless body even if nothing reads it."""
        self._body_bytes += len(body)
        if self._body_bytes > DISCARDED_BYTES_MAX:
            raise RequestTooLarge("bytes of a body")
        super().on_body(body)

    def on_message_complete(self) -> None:
        super().on_message_complete()
        self._in_headers = True
        self._header_bytes = 0
        self._due_within(KEEP_ALIVE_S if self.cycle.response_complete else math.inf)

    def on_response_complete(self) -> None:
        self._unanswered = [each for each in self._unanswered if not each.response_complete]
        super().on_response_complete()
        if self._due == math.inf and self.cycle.response_complete:
            self._due_within(KEEP_ALIVE_S)

    # --- time

    def _due_within(self, seconds: float) -> None:
        """Set the deadline for the next part of a request."""
        self._due = self.loop.time() + seconds

    def check_deadline(self, now: float) -> None:
        """Drop the connection if its client is too slow."""
        if now > self._due or self._is_write_overdue(now):
            self._stop_answering()
            self.transport.abort()

    def _is_write_overdue(self, now: float) -> bool:
        """Return whether the client has left a response unread for too long."""
        if not self.transport.get_write_buffer_size():
            self._write_due = now + WRITE_TIMEOUT_S
        return now > self._write_due


async def check_deadlines(state: ServerState) -> None:
    """Drop the slow clients of a server, until cancelled."""
    while True:
        await asyncio.sleep(DEADLINE_CHECK_S)
        now = asyncio.get_running_loop().time()
        for connection in tuple(state.connections):
            if isinstance(connection, BoundedHttpProtocol):
                connection.check_deadline(now)


class HttpServer(uvicorn.Server):
    """A server of an ASGI application on a listening socket."""

    def __init__(self, site: ASGIApp, listening: socket.socket, limiter: ConnectionLimiter) -> None:
        super().__init__(uvicorn.Config(site, **CONFIG))
        self._listening = listening
        self._limiter = limiter

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets or [])
        self._listener = TcpListener(self._listening, self._limiter, self._connect)
        self._checking = asyncio.create_task(check_deadlines(self.server_state))

    async def _connect(self, accepted: socket.socket, closed: OnClosed) -> None:
        loop = asyncio.get_running_loop()
        await loop.connect_accepted_socket(
            lambda: BoundedHttpProtocol(self.config, self.server_state, closed), accepted
        )

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self._listener.close()
        await super().shutdown(sockets)
        self._checking.cancel()
