"""Framing, queueing and closing of connections."""

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


class FakeTransport:
    """A transport that records written data and close codes."""

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
def test_a_frame_equals_another_librarys(size: int) -> None:
    payload = b"x" * size
    assert frame_message(payload) == Frame(Opcode.TEXT, payload).serialize(mask=False)


@pytest.mark.anyio
async def test_queued_messages_are_one_write_before_later_ones() -> None:
    fake = FakeTransport()
    fake.line.queue(b"a")
    fake.line.queue(b"b")
    assert fake.written == []
    await asyncio.sleep(0)
    assert fake.written == [b"ab"]
    fake.line.queue(b"c")
    fake.line.send(b"d")
    assert fake.written == [b"ab", b"cd"]
    await asyncio.sleep(0)
    assert fake.written == [b"ab", b"cd"]


@pytest.mark.anyio
async def test_a_slow_client_is_disconnected_and_receives_nothing_more() -> None:
    fake = FakeTransport()
    fake.line.send(b"a")
    fake.owes = SEND_BUFFER_MAX + 1
    fake.line.queue(b"b")
    fake.line.send(b"c")
    assert (fake.written, fake.codes) == ([b"a"], [CLOSE_TRY_LATER])
    fake.owes = 0
    fake.line.queue(b"d")
    await asyncio.sleep(0)
    fake.line.close(CLOSE_POLICY)
    assert (fake.written, fake.codes) == ([b"a"], [CLOSE_TRY_LATER])


@pytest.mark.anyio
async def test_queued_messages_are_written_before_closing() -> None:
    fake = FakeTransport()
    fake.line.queue(b"why")
    fake.line.close(CLOSE_POLICY)
    await asyncio.sleep(0)
    assert (fake.written, fake.codes) == ([b"why"], [CLOSE_POLICY])


@pytest.mark.anyio
async def test_nothing_is_written_to_a_closed_connection() -> None:
    fake = FakeTransport()
    fake.line.closed()
    fake.line.queue(b"a")
    fake.line.send(b"b")
    await asyncio.sleep(0)
    assert fake.written == []
