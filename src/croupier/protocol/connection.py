"""A browser's line: what it is told goes out as whole WebSocket messages, straight to the transport.

A message is framed once for all who are told it. What one browser is told in one turn of the event loop is
one write, which is most of what a message costs.
"""

import asyncio
from collections.abc import Callable
from typing import Any, Protocol

from croupier.protocol.encoding import encode

SEND_BUFFER_MAX = 256 * 1024
"""Bytes a slow reader may owe before he is disconnected, to resume by version."""
CLOSE_TIMEOUT_S = 2.0
CLOSE_NORMAL, CLOSE_GOING_AWAY, CLOSE_UNSUPPORTED = 1000, 1001, 1003
CLOSE_POLICY, CLOSE_TRY_LATER = 1008, 1013
TEXT_FRAME, PING_FRAME, PONG_FRAME = 0x81, 0x89, 0x8A
"""First bytes of whole messages (RFC 6455, 5.2)."""


def frame_message(payload: bytes, first: int = TEXT_FRAME) -> bytes:
    """A whole message from a server, as it goes over the line."""
    size = len(payload)
    if size < 126:
        return bytes((first, size)) + payload
    if size < 1 << 16:
        return bytes((first, 126)) + size.to_bytes(2, "big") + payload
    return bytes((first, 127)) + size.to_bytes(8, "big") + payload


def encode_message(message: Any) -> bytes:
    """A record of the wire, as it goes over the line."""
    return frame_message(encode(message))


class Transport(Protocol):
    def write(self, data: bytes, /) -> None: ...
    def get_write_buffer_size(self) -> int: ...
    def abort(self) -> None: ...


def _nothing(_code: int) -> None:
    pass


class ClientConnection:
    """What is sent is framed already, and nothing waits. `goodbye` begins the end with a code.

    Nothing goes out any more once the line closes or has ended.
    """

    __slots__ = ("_closing", "_gathered", "_goodbye", "_owes", "_transport", "_write")

    def __init__(self, transport: Transport, goodbye: Callable[[int], None]) -> None:
        self._transport = transport
        self._write = transport.write
        self._owes = transport.get_write_buffer_size
        self._goodbye = goodbye
        self._gathered = b""
        self._closing = False

    def send(self, messages: bytes) -> None:
        """Now, behind what was gathered. Who reads too slowly is cut off."""
        if self._gathered:
            messages, self._gathered = self._gathered + messages, b""
        if self._closing:
            return
        owes, write = self._owes, self._write  # Python calls these faster than what it looks for in a class
        if owes() > SEND_BUFFER_MAX:
            self.close(CLOSE_TRY_LATER)
        elif messages:
            write(messages)

    def gather(self, messages: bytes) -> None:
        """Soon, in one write with all that is gathered in this turn of the event loop."""
        if not self._gathered:
            asyncio.get_running_loop().call_soon(self.send, b"")
        self._gathered += messages

    def close(self, code: int) -> None:
        """Soon: who doesn't read would never take what comes before the end."""
        if self._closing:
            return
        self._closing = True
        if self._gathered:
            self._write(self._gathered)
        self._goodbye(code)
        asyncio.get_running_loop().call_later(CLOSE_TIMEOUT_S, self._transport.abort)

    def ended(self) -> None:
        """Nobody is at the other end, to whom a goodbye could be said."""
        self._closing = True
        self._goodbye = _nothing
