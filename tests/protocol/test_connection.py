"""What goes out is framed by us: as the standard wants it."""

import asyncio

import pytest
from websockets.frames import Frame, Opcode

from croupier.protocol.connection import (
    CLOSE_POLICY,
    CLOSE_TRY_LATER,
    SEND_BUFFER_MAX,
    ClientConnection,
    frame_message,
)


class Wire:
    """A transport that keeps what is written, and the codes with which its line says goodbye."""

    def __init__(self) -> None:
        self.written: list[bytes] = []
        self.owes = 0
        self.codes: list[int] = []
        self.line = ClientConnection(self, self.codes.append)

    def write(self, data: bytes) -> None:
        self.written.append(data)

    def get_write_buffer_size(self) -> int:
        return self.owes

    def abort(self) -> None:
        pass


@pytest.mark.parametrize("size", [0, 1, 125, 126, 127, 65_535, 65_536, 100_000])
def test_a_message_is_what_another_library_writes(size: int) -> None:
    payload = b"x" * size
    assert frame_message(payload) == Frame(Opcode.TEXT, payload).serialize(mask=False)


@pytest.mark.anyio
async def test_what_is_gathered_is_one_write_before_what_is_sent_later() -> None:
    wire = Wire()
    wire.line.queue(b"a")
    wire.line.queue(b"b")
    assert wire.written == []
    await asyncio.sleep(0)
    assert wire.written == [b"ab"]
    wire.line.queue(b"c")
    wire.line.send(b"d")
    assert wire.written == [b"ab", b"cd"]
    await asyncio.sleep(0)
    assert wire.written == [b"ab", b"cd"]


@pytest.mark.anyio
async def test_who_owes_too_much_is_cut_off_and_told_nothing_more() -> None:
    wire = Wire()
    wire.line.send(b"a")
    wire.owes = SEND_BUFFER_MAX + 1
    wire.line.queue(b"b")
    wire.line.send(b"c")
    assert (wire.written, wire.codes) == ([b"a"], [CLOSE_TRY_LATER])
    wire.owes = 0
    wire.line.queue(b"d")
    await asyncio.sleep(0)
    wire.line.close(CLOSE_POLICY)
    assert (wire.written, wire.codes) == ([b"a"], [CLOSE_TRY_LATER])


@pytest.mark.anyio
async def test_what_was_said_before_the_end_goes_out() -> None:
    wire = Wire()
    wire.line.queue(b"why")
    wire.line.close(CLOSE_POLICY)
    await asyncio.sleep(0)
    assert (wire.written, wire.codes) == ([b"why"], [CLOSE_POLICY])


@pytest.mark.anyio
async def test_nothing_goes_out_when_the_line_has_ended() -> None:
    wire = Wire()
    wire.line.closed()
    wire.line.queue(b"a")
    wire.line.send(b"b")
    await asyncio.sleep(0)
    assert wire.written == []
