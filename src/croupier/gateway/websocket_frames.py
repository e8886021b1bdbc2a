"""A client's WebSocket frames and messages (RFC 6455, 5 to 8), without I/O and without extensions."""

import codecs
from collections.abc import Callable
from typing import NamedTuple

try:
    from websockets.speedups import apply_mask
except ImportError:  # its platform has no compiled version
    from websockets.utils import apply_mask

from croupier.protocol.connection import (
    CLOSE_INVALID_TEXT,
    CLOSE_NO_STATUS,
    CLOSE_PROTOCOL_ERROR,
    CLOSE_TOO_BIG,
    CLOSE_UNSUPPORTED,
)

FIN = 0x80
MASKED = 0x80
MASK_BYTES = 4
CONTINUATION, TEXT, BINARY, CLOSE, PING, PONG = 0x0, 0x1, 0x2, 0x8, 0x9, 0xA
"""Opcodes (5.2)."""
CONTROL = 0x08
"""The bit that tells control frames from data."""
WHOLE_TEXT = FIN | TEXT
LENGTH_16, LENGTH_64 = 126, 127
"""Lengths that stand for a longer field; control frames must be shorter than both."""
UNKNOWN_CODES = frozenset({1004, 1005, 1006})
"""Codes below 1015 that no frame may contain (7.4.1)."""
DATA = (CONTINUATION, TEXT, BINARY)
FRAME_STARTS = frozenset((*DATA, *(FIN | opcode for opcode in (*DATA, CLOSE, PING, PONG))))
"""First bytes of valid frames: the reserved bits are 0, and only data may be fragmented."""

_new_decoder = codecs.getincrementaldecoder("utf-8")


class Violation(Exception):
    """A client has broken RFC 6455; `code` is the close code for it."""

    def __init__(self, code: int, why: str) -> None:
        super().__init__(why)
        self.code = code


class ReceivedFrame(NamedTuple):
    """A control frame, a complete text message, or CONTINUATION for a fragment that completes none."""

    opcode: int
    payload: bytes


FRAGMENT = ReceivedFrame(CONTINUATION, b"")


class _FragmentedText:
    """A text message of which some fragments have arrived."""

    __slots__ = ("_decoder", "received")

    def __init__(self) -> None:
        self.received = bytearray()
        self._decoder = _new_decoder()

    def add(self, payload: bytes, *, is_last: bool) -> None:
        """Add a fragment, which may end within a character."""
        self.received += payload
        _check_text(lambda: self._decoder.decode(payload, is_last))


class MessageReader:
    """Reads messages of at most `size_max` bytes. After a violation, it reads no more."""

    __slots__ = ("_buffer", "_fragmented", "_size_max")

    def __init__(self, size_max: int) -> None:
        self._size_max = size_max
        self._buffer = bytearray()
        self._fragmented: _FragmentedText | None = None

    @property
    def is_within_message(self) -> bool:
        """Return whether part of a message has arrived."""
        return bool(self._buffer) or self._fragmented is not None

    def feed(self, data: bytes) -> None:
        self._buffer += data

    def read_frame(self) -> ReceivedFrame | None:
        """Remove the next frame; return None if it is incomplete. Raise Violation, as early as possible."""
        buffer = self._buffer
        if len(buffer) < 2:
            return None
        first, second = buffer[0], buffer[1]
        self._check_start(first, second)
        size = second & ~MASKED
        mask_start = 2
        if size >= LENGTH_16:
            mask_start = 4 if size == LENGTH_16 else 10
            if len(buffer) < mask_start:
                return None
            size = _read_length(buffer[2:mask_start])
        self._check_size(first, size)
        start = mask_start + MASK_BYTES
        end = start + size
        if len(buffer) < end:
            return None
        payload = apply_mask(buffer[start:end], buffer[mask_start:start])
        del buffer[:end]
        return self._take(first, payload)

    def _check_start(self, first: int, second: int) -> None:
        """Check the first two bytes of a frame."""
        if first not in FRAME_STARTS:
            raise Violation(CLOSE_PROTOCOL_ERROR, "a reserved bit or opcode, or a fragmented control frame")
        if not second & MASKED:
            raise Violation(CLOSE_PROTOCOL_ERROR, "a frame isn't masked")
        opcode = first & ~FIN
        if opcode & CONTROL:
            if second & ~MASKED >= LENGTH_16:
                raise Violation(CLOSE_PROTOCOL_ERROR, "a control frame is longer than 125 bytes")
        elif (opcode == CONTINUATION) != (self._fragmented is not None):
            raise Violation(CLOSE_PROTOCOL_ERROR, "a fragment without its start, or a start within a message")
        elif opcode == BINARY:
            raise Violation(CLOSE_UNSUPPORTED, "a binary message")

    def _check_size(self, first: int, size: int) -> None:
        received = len(self._fragmented.received) if self._fragmented and not first & CONTROL else 0
        if received + size > self._size_max:
            raise Violation(CLOSE_TOO_BIG, f"a message is larger than {self._size_max} bytes")

    def _take(self, first: int, payload: bytes) -> ReceivedFrame:
        """Return a frame's message, once it is complete."""
        if first & CONTROL:
            return ReceivedFrame(first & ~FIN, payload)
        if first == WHOLE_TEXT:
            _check_text(payload.decode)
            return ReceivedFrame(TEXT, payload)
        self._fragmented = fragmented = self._fragmented or _FragmentedText()
        fragmented.add(payload, is_last=bool(first & FIN))
        if not first & FIN:
            return FRAGMENT
        self._fragmented = None
        return ReceivedFrame(TEXT, bytes(fragmented.received))


def _read_length(field: bytearray) -> int:
    size = int.from_bytes(field, "big")
    shortest = LENGTH_16 if len(field) == 2 else 1 << 16
    if size < shortest or size >> 63:
        raise Violation(CLOSE_PROTOCOL_ERROR, "a length isn't written in its shortest form")
    return size


def read_close_code(payload: bytes) -> int:
    """Return the code of a close frame, CLOSE_NO_STATUS without one; raise Violation if it isn't valid."""
    if not payload:
        return CLOSE_NO_STATUS
    code = int.from_bytes(payload[:2], "big")
    if len(payload) == 1 or not _may_be_sent(code):
        raise Violation(CLOSE_PROTOCOL_ERROR, "an invalid close code")
    _check_text(payload[2:].decode)
    return code


def _may_be_sent(code: int) -> bool:
    return (1000 <= code < 1015 and code not in UNKNOWN_CODES) or 3000 <= code < 5000


def _check_text(decode: Callable[[], str]) -> None:
    try:
        decode()
    except UnicodeDecodeError as error:
        raise Violation(CLOSE_INVALID_TEXT, str(error)) from None
