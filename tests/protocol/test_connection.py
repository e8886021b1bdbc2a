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
        self.buffered = 0
        self.codes: list[int] = []
        self.connection = ClientConnection(self, self.codes.append)

    def write(self, data: bytes) -> None:
        self.written.append(data)

    def get_write_buffer_size(self) -> int:
        return self.buffered

    def abort(self) -> None:
        pass


@pytest.mark.parametrize("size", [0, 1, 125, 126, 127, 65_535, 65_536, 100_000])
def test_a_frame_equals_that_of_another_library(size: int) -> None:
    payload = b"x" * size
    assert frame_message(payload) == Frame(Opcode.TEXT, payload).serialize(mask=False)


@pytest.mark.anyio
async def test_queued_messages_are_sent_in_one_write_and_in_order() -> None:
    transport = FakeTransport()
    transport.connection.queue(b"a")
    transport.connection.queue(b"b")
    assert transport.written == []
    await asyncio.sleep(0)
    assert transport.written == [b"ab"]
    transport.connection.queue(b"c")
    transport.connection.send(b"d")
    assert transport.written == [b"ab", b"cd"]
    await asyncio.sleep(0)
    assert transport.written == [b"ab", b"cd"]


@pytest.mark.anyio
async def test_a_slow_client_is_disconnected_and_receives_nothing_more() -> None:
    transport = FakeTransport()
    transport.connection.send(b"a")
    transport.buffered = SEND_BUFFER_MAX + 1
    transport.connection.queue(b"b")
    transport.connection.send(b"c")
    assert (transport.written, transport.codes) == ([b"a"], [CLOSE_TRY_LATER])
    transport.buffered = 0
    transport.connection.queue(b"d")
    await asyncio.sleep(0)
    transport.connection.close(CLOSE_POLICY)
    assert (transport.written, transport.codes) == ([b"a"], [CLOSE_TRY_LATER])


@pytest.mark.anyio
async def test_queued_messages_are_written_before_closing() -> None:
    transport = FakeTransport()
    transport.connection.queue(b"why")
    transport.connection.close(CLOSE_POLICY)
    await asyncio.sleep(0)
    assert (transport.written, transport.codes) == ([b"why"], [CLOSE_POLICY])


@pytest.mark.anyio
async def test_nothing_is_written_to_a_closed_connection() -> None:
    transport = FakeTransport()
    transport.connection.closed()
    transport.connection.queue(b"a")
    transport.connection.send(b"b")
    await asyncio.sleep(0)
    assert transport.written == []
