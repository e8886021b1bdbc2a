"""The server's side of a WebSocket connection: frames messages and writes them to the transport.

A message for several clients is framed once. Everything queued for one client during one turn of the event
loop is one write, because the write is most of a message's cost.
"""

import asyncio
from collections.abc import Callable
from typing import Any, Protocol

from croupier.protocol.encoding import encode

SEND_BUFFER_MAX = 256 * 1024
"""Unsent bytes at which a slow client is disconnected; it reconnects and resumes by version."""
CLOSE_TIMEOUT_S = 2.0
CLOSE_NORMAL, CLOSE_GOING_AWAY, CLOSE_PROTOCOL_ERROR, CLOSE_UNSUPPORTED = 1000, 1001, 1002, 1003
CLOSE_NO_STATUS = 1005
"""Stands for a close frame without a code (RFC 6455, 7.1.5)."""
CLOSE_INVALID_TEXT, CLOSE_POLICY, CLOSE_TOO_BIG = 1007, 1008, 1009
CLOSE_INTERNAL_ERROR, CLOSE_TRY_LATER = 1011, 1013
TEXT_FRAME, CLOSE_FRAME, PING_FRAME, PONG_FRAME = 0x81, 0x88, 0x89, 0x8A
"""First bytes of unfragmented messages (RFC 6455, 5.2)."""


def frame_message(payload: bytes, first: int = TEXT_FRAME) -> bytes:
    """Return an unfragmented, unmasked WebSocket message."""
    size = len(payload)
    if size < 126:
        return bytes((first, size)) + payload
    if size < 1 << 16:
        return bytes((first, 126)) + size.to_bytes(2, "big") + payload
    return bytes((first, 127)) + size.to_bytes(8, "big") + payload


def encode_message(message: Any) -> bytes:
    """Return a message of the protocol as a WebSocket text message."""
    return frame_message(encode(message))


def frame_close(code: int) -> bytes:
    """Return a close frame; without a code for CLOSE_NO_STATUS."""
    return frame_message(b"" if code == CLOSE_NO_STATUS else code.to_bytes(2, "big"), CLOSE_FRAME)


class Transport(Protocol):
    def write(self, data: bytes, /) -> None: ...
    def get_write_buffer_size(self) -> int: ...
    def abort(self) -> None: ...


def _ignore(_code: int) -> None:
    pass


class ClientConnection:
    """A connection to one client. Its methods take framed messages and never block.

    `start_close` begins the closing handshake with a code. Nothing is written once the connection is
    closing or closed.
    """

    __slots__ = ("_closing", "_queued", "_start_close", "_transport")

    def __init__(self, transport: Transport, start_close: Callable[[int], None]) -> None:
        self._transport = transport
        self._start_close = start_close
        self._queued = b""
        self._closing = False

    def send(self, messages: bytes) -> None:
        """Write queued messages and then these; disconnect a client that reads too slowly."""
        if self._queued:
            messages, self._queued = self._queued + messages, b""
        if self._closing:
            return
        if self._transport.get_write_buffer_size() > SEND_BUFFER_MAX:
            self.close(CLOSE_TRY_LATER)
        elif messages:
            self._transport.write(messages)

    def queue(self, messages: bytes) -> None:
        """Write at the end of this turn of the event loop, together with everything else queued."""
        if not self._queued:
            asyncio.get_running_loop().call_soon(self.send, b"")
        self._queued += messages

    def close(self, code: int) -> None:
        """Start the closing handshake; abort after a timeout, since the client may not be reading."""
        if self._closing:
            return
        self._closing = True
        if self._queued:
            self._transport.write(self._queued)
        self._start_close(code)
        asyncio.get_running_loop().call_later(CLOSE_TIMEOUT_S, self._transport.abort)

    def closed(self) -> None:
        """Record that the connection is closed, so that no closing handshake follows."""
        self._closing = True
        self._start_close = _ignore
