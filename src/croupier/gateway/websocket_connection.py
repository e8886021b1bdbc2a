"""A WebSocket connection on a transport: its handshake, frames and closing."""

import asyncio
import logging
from collections.abc import Callable, Mapping
from http import HTTPStatus
from typing import NamedTuple, Protocol, cast

from croupier.gateway.client_session import FRAME_BYTES_MAX
from croupier.gateway.cookies import session_token
from croupier.gateway.listener import HANDSHAKE_TIMEOUT_S, OnClosed
from croupier.gateway.origins import HeaderLookup
from croupier.gateway.websocket_frames import (
    CLOSE,
    PING,
    TEXT,
    MessageReader,
    ReceivedFrame,
    Violation,
    read_close_code,
)
from croupier.gateway.websocket_handshake import Handshake
from croupier.protocol.connection import (
    CLOSE_GOING_AWAY,
    CLOSE_INTERNAL_ERROR,
    CLOSE_POLICY,
    CLOSE_TIMEOUT_S,
    PING_FRAME,
    PONG_FRAME,
    ClientConnection,
    frame_close,
    frame_message,
)

HANDSHAKE_HEADERS = ("Upgrade", "Connection", "Sec-WebSocket-Version", "Sec-WebSocket-Key")
IDLE_PING_S, PONG_TIMEOUT_S = 6.0, 4.0
"""A silent connection is pinged after the first time, and closed if no answer arrives within the second, as a
network failure gives no notice. Browsers send at least one message every five seconds."""
IDLE_CHECK_S = 1.0
MESSAGE_TIMEOUT_S = 10.0
"""Time limit for a message, however it is fragmented."""
FRAMES_PER_TURN = 256
"""Number of frames of one connection that are read before other tasks run; about a millisecond."""

_PING_MESSAGE = frame_message(b"", PING_FRAME)

log = logging.getLogger(__name__)


class ConnectionHandler(Protocol):
    """Receives the messages of a connection, and its end."""

    def frame_received(self, frame: bytes) -> None: ...

    def connection_lost(self) -> None: ...


class SocketEndpoint(NamedTuple):
    """An endpoint: `connect` creates the handler of a connection from the token in `cookie`.

    `accepts` returns whether a request comes from a page of this server.
    """

    cookie: str
    connect: Callable[[ClientConnection, str], ConnectionHandler]
    accepts: Callable[[HeaderLookup], bool]


SocketEndpoints = Mapping[str, SocketEndpoint]
"""Endpoints by path."""


class WebSocketConnection(asyncio.Protocol):
    """A connection, which is in `connections` from the handshake to its end; `closed` is called at the end.

    Once a close frame is sent, everything received is discarded until the client closes the connection: to
    close it with data unread would reset it, and the client might lose the close frame.
    """

    __slots__ = (
        *("_closed", "_connection", "_connections", "_endpoints", "_handler", "_handshake"),
        *("_handshake_timeout", "_reader", "_silent_s", "_transport", "_within_message_s"),
    )

    def __init__(
        self, endpoints: SocketEndpoints, connections: "set[WebSocketConnection]", closed: OnClosed
    ) -> None:
        self._endpoints = endpoints
        self._connections = connections
        self._closed = closed
        self._handshake: Handshake | None = Handshake(self._check_request)
        self._handshake_timeout: asyncio.TimerHandle | None = None
        self._reader: MessageReader | None = None
        """None before the handshake and once a close frame is sent."""
        self._connection: ClientConnection | None = None
        self._handler: ConnectionHandler | None = None
        self._silent_s = 0.0
        self._within_message_s = 0.0

    # --- calls from the transport

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.Transport", transport)
        loop = asyncio.get_running_loop()
        self._handshake_timeout = loop.call_later(HANDSHAKE_TIMEOUT_S, self._transport.abort)

    def data_received(self, data: bytes) -> None:
        if self._reader is not None:
            self._reader.feed(data)
            self._read_frames()
        elif self._handshake is not None:
            self._continue_handshake(self._handshake, data)

    def connection_lost(self, _error: Exception | None) -> None:
        try:
            self._stop_reading()
            self._end_handshake()
            if self._connection is not None and self._handler is not None:
                self._connections.discard(self)
                self._connection.closed()
                self._handler.connection_lost()
        finally:
            self._closed()

    # --- handshake

    def _check_request(self, path: str, header: HeaderLookup) -> HTTPStatus:
        endpoint = self._endpoints.get(path)
        if endpoint is None:
            return HTTPStatus.NOT_FOUND
        if not all((header(name) or "").isascii() for name in HANDSHAKE_HEADERS):
            return HTTPStatus.BAD_REQUEST
        return HTTPStatus.SWITCHING_PROTOCOLS if endpoint.accepts(header) else HTTPStatus.FORBIDDEN

    def _continue_handshake(self, handshake: Handshake, data: bytes) -> None:
        handshake.feed(data)
        if not handshake.status:
            return
        self._end_handshake()
        self._transport.write(handshake.response)
        if handshake.status == HTTPStatus.SWITCHING_PROTOCOLS:
            self._open(handshake)
        else:
            self._finish_writing()
            asyncio.get_running_loop().call_later(CLOSE_TIMEOUT_S, self._transport.abort)

    def _end_handshake(self) -> None:
        self._handshake = None
        if self._handshake_timeout is not None:
            self._handshake_timeout.cancel()
            self._handshake_timeout = None

    def _open(self, handshake: Handshake) -> None:
        endpoint = self._endpoints[handshake.path]
        self._reader = MessageReader(FRAME_BYTES_MAX)
        self._connection = ClientConnection(self._transport, self._start_close)
        self._connections.add(self)
        self._handler = endpoint.connect(self._connection, session_token(handshake.header, endpoint.cookie))
        if handshake.tail:
            self.data_received(handshake.tail)

    # --- frames

    def _read_frames(self) -> None:
        """Read frames; after FRAMES_PER_TURN, let other tasks run first."""
        try:
            for _ in range(FRAMES_PER_TURN):
                message = self._reader.read_frame() if self._reader is not None else None
                if message is None:
                    return
                self._handle(message)
        except Violation as violation:
            self.close(violation.code)
        except Exception:
            log.exception("a message failed")
            self.close(CLOSE_INTERNAL_ERROR)
        else:
            self._transport.pause_reading()
            asyncio.get_running_loop().call_soon(self._resume_reading)

    def _resume_reading(self) -> None:
        if not self._transport.is_closing():
            self._transport.resume_reading()
            self._read_frames()

    def _handle(self, message: ReceivedFrame) -> None:
        assert self._connection is not None
        assert self._handler is not None
        self._silent_s = 0.0
        if message.opcode == TEXT:
            self._within_message_s = 0.0
            self._handler.frame_received(message.payload)
        elif message.opcode == PING:
            self._connection.send(frame_message(message.payload, PONG_FRAME))
        elif message.opcode == CLOSE:
            self.close(read_close_code(message.payload))

    # --- deadlines

    def check_idle(self) -> None:
        """Count the time since the last frame and within a message; called every IDLE_CHECK_S."""
        self._silent_s += IDLE_CHECK_S
        if self._silent_s > IDLE_PING_S + PONG_TIMEOUT_S:
            self.close(CLOSE_GOING_AWAY)
        elif self._silent_s > IDLE_PING_S and self._connection is not None:
            self._connection.send(_PING_MESSAGE)
        if self._reader is not None and self._reader.is_within_message:
            self._within_message_s += IDLE_CHECK_S
        else:
            self._within_message_s = 0.0
        if self._within_message_s > MESSAGE_TIMEOUT_S:
            self.close(CLOSE_POLICY)

    # --- closing

    def close(self, code: int) -> None:
        if self._connection is not None:
            self._connection.close(code)

    def _start_close(self, code: int) -> None:
        self._transport.write(frame_close(code))
        self._stop_reading()
        self._finish_writing()

    def _stop_reading(self) -> None:
        self._reader = None

    def _finish_writing(self) -> None:
        """Close this side of the connection; the client closes the other."""
        if self._transport.is_closing():
            return
        try:
            self._transport.write_eof()
        except OSError:  # the client is gone, and has answered what was just written with a reset
            self._transport.abort()
