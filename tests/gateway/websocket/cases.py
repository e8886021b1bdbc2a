"""Cases of RFC 6455 for a server without extensions, with the numbers of the Autobahn test suite.

The suite expects echoes. This server answers commands instead: TEXT_PONG to `ping`, MALFORMED to any other
text. Texts may have up to SIZE_MAX bytes; a larger one is too big. Binary messages aren't supported.
"""

from collections.abc import Iterator
from typing import NamedTuple

from tests.gateway.websocket.frames import (
    BINARY,
    CONTINUATION,
    PING,
    PONG,
    TEXT,
    close,
    fragments,
    frame,
    pieces,
)
from tests.gateway.websocket.utf8 import PREFIX_OF_INVALID, UTF8_GROUPS

SIZE_MAX = 16 * 1024
COMMAND = b'{"t":"ping"}'
TEXT_PONG, MALFORMED = "pong of the protocol", "malformed"
NORMAL, PROTOCOL_ERROR, UNSUPPORTED, INVALID_TEXT, TOO_BIG = 1000, 1002, 1003, 1007, 1009
KIB, MIB = 1024, 1024 * 1024
Answer = str | bytes
"""A text as TEXT_PONG or MALFORMED, or the payload of a PONG frame."""


class Case(NamedTuple):
    """Frames that a client sends, and the answers. The client closes the connection if the server doesn't.

    `chop`: number of bytes per packet, 0 for all at once. `code`: None for a close frame without a code.
    `may_be_cut`: answers may be lost, since the connection fails right after their commands.
    """

    name: str
    sent: tuple[bytes, ...]
    answers: tuple[Answer, ...] = ()
    code: int | None = NORMAL
    chop: int = 0
    may_be_cut: bool = False


def command(size: int) -> bytes:
    """Return a command of that size, which is filled with spaces; an empty text if it is 0."""
    return COMMAND.ljust(size) if size else b""


def _answer(size: int) -> str:
    return TEXT_PONG if size else MALFORMED


def framing() -> Iterator[Case]:
    """Group 1: texts and binary messages of all forms of length."""
    for number, (size, chop) in enumerate(
        [(0, 0), (125, 0), (126, 0), (127, 0), (128, 0), (65_535, 0), (65_536, 0), (65_536, 997)], start=1
    ):
        if size <= SIZE_MAX:
            yield Case(f"1.1.{number}", (frame(TEXT, command(size)),), (_answer(size),))
        else:
            yield Case(f"1.1.{number}", (frame(TEXT, command(size)),), code=TOO_BIG, chop=chop)
        yield Case(f"1.2.{number}", (frame(BINARY, b"\xfe" * size),), code=UNSUPPORTED, chop=chop)
    yield Case("1.1 at the limit", (frame(TEXT, command(SIZE_MAX)),), (TEXT_PONG,))
    yield Case("1.1 above the limit", (frame(TEXT, command(SIZE_MAX + 1)),), code=TOO_BIG)


def pings() -> Iterator[Case]:
    """Group 2."""
    for number, payload in enumerate((b"", b"Hello", b"\x00\xff\xfe\xfd\xfc\xfb\x00\xff", b"\xfe" * 125), 1):
        yield Case(f"2.{number}", (frame(PING, payload),), (payload,))
    yield Case("2.5", (frame(PING, b"\xfe" * 126),), code=PROTOCOL_ERROR)
    yield Case("2.6", (frame(PING, b"\xfe" * 125),), (b"\xfe" * 125,), chop=1)
    yield Case("2.7", (frame(PONG),))
    yield Case("2.8", (frame(PONG, b"not asked for"),))
    yield Case("2.9", (frame(PONG, b"not asked for"), frame(PING, b"ping")), (b"ping",))
    ten = tuple(b"ping %d" % number for number in range(10))
    yield Case("2.10", tuple(frame(PING, payload) for payload in ten), ten)
    yield Case("2.11", tuple(frame(PING, payload) for payload in ten), ten, chop=1)


def reserved_bits() -> Iterator[Case]:
    """Group 3."""
    text = frame(TEXT, COMMAND)
    yield Case("3.1", (frame(TEXT, COMMAND, rsv=1),), code=PROTOCOL_ERROR)
    for number, rsv, chop in ((2, 2, 0), (3, 3, len(text)), (4, 4, 1)):
        sent = (text, frame(TEXT, COMMAND, rsv=rsv), frame(PING))
        yield Case(f"3.{number}", sent, (TEXT_PONG,), PROTOCOL_ERROR, chop, may_be_cut=True)
    yield Case("3.5", (frame(BINARY, b"\x00\xff", rsv=5),), code=PROTOCOL_ERROR)
    yield Case("3.6", (frame(PING, b"ping", rsv=6),), code=PROTOCOL_ERROR)
    yield Case("3.7", (frame(8, rsv=7),), code=PROTOCOL_ERROR)


def opcodes() -> Iterator[Case]:
    """Group 4: reserved opcodes, alone and after a text."""
    for group, first in ((1, 3), (2, 11)):
        for number in range(5):
            payload = b"payload" if number % 2 else b""
            reserved = frame(first + number, payload)
            name = f"4.{group}.{number + 1}"
            if number < 2:
                yield Case(name, (reserved,), code=PROTOCOL_ERROR)
            else:
                sent = (frame(TEXT, COMMAND), reserved, frame(PING))
                chop = 1 if number == 4 else 0
                yield Case(name, sent, (TEXT_PONG,), PROTOCOL_ERROR, chop, may_be_cut=True)


def fragmentation() -> Iterator[Case]:
    """Group 5."""
    sent: tuple[bytes, ...]
    two = fragments(TEXT, COMMAND[:5], COMMAND[5:])
    with_ping = (two[0], frame(PING, b"between"), two[1])
    yield Case("5.1", fragments(PING, b"one", b"two"), code=PROTOCOL_ERROR)
    yield Case("5.2", fragments(PONG, b"one", b"two"), code=PROTOCOL_ERROR)
    for number, chop in ((3, 0), (4, len(two[0])), (5, 1)):
        yield Case(f"5.{number}", two, (TEXT_PONG,), chop=chop)
        yield Case(f"5.{number + 3}", with_ping, (b"between", TEXT_PONG), chop=chop)
    for number, chop in ((9, 0), (10, 19), (11, 1)):
        for further, fin in ((0, True), (3, False)):
            sent = (frame(CONTINUATION, b"no start", fin=fin), frame(TEXT, COMMAND))
            yield Case(f"5.{number + further}", sent, code=PROTOCOL_ERROR, chop=chop)
    more = (frame(CONTINUATION, b"no start", fin=False), frame(TEXT, COMMAND))
    yield Case("5.15", (*two, *more), (TEXT_PONG,), PROTOCOL_ERROR, may_be_cut=True)
    for number, fin in ((16, False), (17, True)):
        sent = (frame(CONTINUATION, b"no start", fin=fin), *two) * 2
        yield Case(f"5.{number}", sent, code=PROTOCOL_ERROR)
    yield Case("5.18", (frame(TEXT, b"one", fin=False), frame(TEXT, b"two")), code=PROTOCOL_ERROR)
    five = fragments(TEXT, *pieces(COMMAND, 3), b"")
    sent = (*five[:2], frame(PING, b"first"), *five[2:4], frame(PING, b"second"), five[4])
    for number, chop in ((19, 0), (20, 1)):
        yield Case(f"5.{number}", sent, (b"first", b"second", TEXT_PONG), chop=chop)
    yield Case("5 at the limit", fragments(TEXT, *pieces(command(SIZE_MAX), 100)), (TEXT_PONG,))
    yield Case("5 above the limit", fragments(TEXT, *pieces(command(SIZE_MAX + 1), 100)), code=TOO_BIG)


def utf8() -> Iterator[Case]:
    """Group 6: texts in UTF-8, also where fragments end within a character."""
    yield Case("6.1.1", (frame(TEXT),), (MALFORMED,))
    yield Case("6.1.2", fragments(TEXT, b"", b"", b""), (MALFORMED,))
    yield Case("6.1.3", fragments(TEXT, b"", COMMAND, b""), (TEXT_PONG,))
    text, greek = "Hé-µ@ßöä\N{EURO SIGN}".encode(), "κόσμε".encode()
    yield Case("6.2.1", (frame(TEXT, text),), (MALFORMED,))
    yield Case("6.2.2", fragments(TEXT, text[:3], text[3:]), (MALFORMED,))
    yield Case("6.2.3", fragments(TEXT, *pieces(text, 1)), (MALFORMED,))
    yield Case("6.2.4", fragments(TEXT, *pieces(greek, 1)), (MALFORMED,))
    surrogate = greek + b"\xed\xa0\x80edited"
    yield Case("6.3.1", (frame(TEXT, surrogate),), code=INVALID_TEXT)
    yield Case("6.3.2", fragments(TEXT, *pieces(surrogate, 1)), code=INVALID_TEXT)
    start, wrong = PREFIX_OF_INVALID
    first = frame(TEXT, start, fin=False)
    yield Case("6.4.1", (first, frame(CONTINUATION, wrong, fin=False)), code=INVALID_TEXT)
    yield Case("6.4.2", (first, frame(CONTINUATION, wrong[:2], fin=False)), code=INVALID_TEXT)
    for number, chop in ((3, len(start) + 6), (4, len(start) + 7)):
        yield Case(f"6.4.{number}", (frame(TEXT, start + wrong + b"edited"),), code=INVALID_TEXT, chop=chop)
    for group, is_valid, texts in UTF8_GROUPS:
        for number, payload in texts:
            name, sent = f"6.{group}.{number}", (frame(TEXT, payload),)
            yield Case(name, sent, (MALFORMED,)) if is_valid else Case(name, sent, code=INVALID_TEXT)


def closing() -> Iterator[Case]:
    """Group 7."""
    text, ends = frame(TEXT, COMMAND), close(NORMAL)
    yield Case("7.1.1", (text,), (TEXT_PONG,))
    yield Case("7.1.2", (ends, close()))
    yield Case("7.1.3", (ends, frame(PING)))
    yield Case("7.1.4", (ends, text))
    begun = fragments(TEXT, COMMAND[:5], COMMAND[5:])
    yield Case("7.1.5", (begun[0], ends, begun[1]))
    sent = (frame(TEXT, command(256 * KIB)), text, ends, frame(PING))
    yield Case("7.1.6", sent, code=TOO_BIG)
    yield Case("7.3.1", (close(),), code=None)
    yield Case("7.3.2", (close(None, b"a"),), code=PROTOCOL_ERROR)
    yield Case("7.3.3", (ends,))
    yield Case("7.3.4", (close(NORMAL, b"Goodbye"),))
    yield Case("7.3.5", (close(NORMAL, b"*" * 123),))
    yield Case("7.3.6", (close(NORMAL, b"*" * 124),), code=PROTOCOL_ERROR)
    yield Case("7.5.1", (close(NORMAL, b"\xce\xba\xed\xa0\x80"),), code=INVALID_TEXT)
    valid = (1000, 1001, 1002, 1003, 1007, 1008, 1009, 1010, 1011, 3000, 3999, 4000, 4999)
    for number, code in enumerate(valid, start=1):
        yield Case(f"7.7.{number}", (close(code),), code=code)
    for number, code in enumerate((0, 999, 1004, 1005, 1006, 1016, 1100, 2000, 2999), start=1):
        yield Case(f"7.9.{number}", (close(code),), code=PROTOCOL_ERROR)
    yield Case("7.13.1", (close(5000),), code=PROTOCOL_ERROR)
    yield Case("7.13.2", (close(65_535),), code=PROTOCOL_ERROR)


def limits() -> Iterator[Case]:
    """Groups 9 and 10: large messages, which are above the limit, and round trips."""
    for number, size in enumerate((64 * KIB, 256 * KIB, MIB, 4 * MIB, 8 * MIB, 16 * MIB), start=1):
        part = command(64 * KIB)  # the server answers the length alone
        yield Case(f"9.1.{number}", (frame(TEXT, part, size=size),), code=TOO_BIG)
        yield Case(f"9.2.{number}", (frame(BINARY, part, size=size),), code=UNSUPPORTED)
    for number, exponent in enumerate(range(6, 23, 2), start=1):
        size = 1 << exponent
        count = SIZE_MAX // size + 2
        parts = pieces(command(4 * MIB), size)[: count + 1]
        sent = fragments(TEXT, *parts)[:count]
        yield Case(f"9.3.{number}", sent, code=TOO_BIG)
        sent = fragments(BINARY, *parts)[:count]
        yield Case(f"9.4.{number}", sent, code=UNSUPPORTED)
    for number, chop in enumerate((64, 128, 256, 512, 1024, 2048), start=1):
        part = command(32 * KIB)
        yield Case(f"9.5.{number}", (frame(TEXT, part, size=MIB),), code=TOO_BIG, chop=chop)
        yield Case(f"9.6.{number}", (frame(BINARY, part, size=MIB),), code=UNSUPPORTED, chop=chop)
    for number, size in enumerate((0, 16, 64, 256, 1024, 4096), start=1):
        yield Case(f"9.8.{number}", (frame(BINARY, command(size)),), code=UNSUPPORTED)
    yield Case("10.1.1", fragments(TEXT, *pieces(command(65_536), 1300)), code=TOO_BIG)
    yield Case("10.1 within the limit", fragments(TEXT, *pieces(command(SIZE_MAX), 1300)), (TEXT_PONG,))


def lengths() -> Iterator[Case]:
    """Lengths that aren't in the suite: RFC 6455, 5.1 and 5.2."""
    masked = frame(TEXT, COMMAND)
    long_form = bytes((0x81, 0x80 | 126, 0, len(COMMAND))) + masked[2:]
    longer_form = bytes((0x81, 0x80 | 127)) + len(COMMAND).to_bytes(8, "big") + masked[2:]
    yield Case("a length in 16 bits that fits in 7", (long_form,), code=PROTOCOL_ERROR)
    yield Case("a length in 64 bits that fits in 7", (longer_form,), code=PROTOCOL_ERROR)
    yield Case("a negative length", (frame(TEXT, COMMAND, size=1 << 63),), code=PROTOCOL_ERROR)
    yield Case("no mask", (bytes((0x81, len(COMMAND))) + COMMAND,), code=PROTOCOL_ERROR)


CASES = (
    *framing(),
    *pings(),
    *reserved_bits(),
    *opcodes(),
    *fragmentation(),
    *utf8(),
    *closing(),
    *limits(),
    *lengths(),
)
ROUND_TRIPS = {f"9.7.{number}": size for number, size in enumerate((0, 16, 64, 256, 1024, 4096), start=1)}
"""Sizes of texts that are sent one after the other."""
