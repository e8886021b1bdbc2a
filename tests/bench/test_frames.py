"""The clients' frames, compared with a complete implementation of RFC 6455."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from websockets.frames import Opcode
from websockets.protocol import Protocol, Side

from croupier.bench.frames import BINARY, PING, TEXT, extent, frame

SIZES = (0, 1, 125, 126, 127, 65_535)


def received(data: bytes) -> list[tuple[Opcode, bytes]]:
    """Return the frames that a server reads from the data."""
    server = Protocol(Side.SERVER)
    server.receive_data(data)
    return [(event.opcode, bytes(event.data)) for event in server.events_received()]  # type: ignore[union-attr]


def sent(payload: bytes) -> bytes:
    """Return a message as a server sends it to a client."""
    server = Protocol(Side.SERVER)
    server.send_binary(payload)
    (data,) = server.data_to_send()
    return data


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize(("first", "opcode"), [(TEXT, Opcode.TEXT), (BINARY, Opcode.BINARY)])
def test_a_server_reads_the_clients_frames(size: int, first: int, opcode: Opcode) -> None:
    assert received(frame(b"x" * size, first)) == [(opcode, b"x" * size)]


def test_a_server_reads_a_ping() -> None:
    assert received(frame(b"?", PING)) == [(Opcode.PING, b"?")]


@pytest.mark.parametrize("size", [*SIZES, 65_536, 70_000])
def test_clients_find_the_payload_of_a_servers_frame(size: int) -> None:
    data = sent(b"y" * size)
    start, end = extent(data + b"more")
    assert data[start:end] == b"y" * size
    assert end == len(data)


@given(st.binary(max_size=200), st.integers(0, 300))
def test_an_incomplete_frame_has_no_extent(payload: bytes, cut: int) -> None:
    data = sent(payload)
    part = data[:cut]
    _, end = extent(part)
    assert end == len(data) if end else len(part) < 4
