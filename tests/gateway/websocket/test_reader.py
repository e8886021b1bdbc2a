"""The reader of frames, compared with a complete implementation of RFC 6455."""

from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st
from websockets.frames import Frame
from websockets.protocol import State
from websockets.server import ServerProtocol

from croupier.gateway.websocket_frames import MessageReader, Violation
from tests.gateway.websocket.frames import CONTINUATION, PING, PONG, TEXT, fragments, frame

SIZE_MAX = 2_000
PAYLOADS = st.integers(0, 130).map(lambda size: b"x" * size)
FRAMES = st.builds(
    frame,
    st.sampled_from((CONTINUATION, TEXT, TEXT, PING, PONG, 3, 11)),
    PAYLOADS,
    fin=st.booleans(),
    rsv=st.sampled_from((0, 0, 0, 0, 1)),
)


class Read(NamedTuple):
    """Frames read, and the close code of a violation, 0 for none."""

    frames: list[tuple[int, bytes]]
    code: int


def read(packets: list[bytes]) -> Read:
    """Read packets; a message's payload is that of its last fragment and those before."""
    reader, frames = MessageReader(SIZE_MAX), list[tuple[int, bytes]]()
    try:
        for packet in packets:
            reader.feed(packet)
            while (message := reader.read_frame()) is not None:
                frames.append((message.opcode, message.payload))
    except Violation as violation:
        return Read(frames, violation.code)
    return Read(frames, 0)


def read_by_library(data: bytes) -> Read:
    """Read as `websockets` does, which leaves the assembly of fragments to its caller."""
    protocol = ServerProtocol(state=State.OPEN, max_size=SIZE_MAX)
    protocol.receive_data(data)
    frames, received, code = list[tuple[int, bytes]](), b"", 0
    if protocol.parser_exc is not None:
        code = 1002
    for event in protocol.events_received():
        assert isinstance(event, Frame)
        if event.opcode in (PING, PONG):
            frames.append((event.opcode, bytes(event.data)))
            continue
        received += event.data
        if not event.fin:
            frames.append((CONTINUATION, b""))
            continue
        frames.append((TEXT, received))
        received = b""
    return Read(frames, code)


@given(st.lists(FRAMES, max_size=6), st.integers(1, 40))
def test_the_reader_agrees_with_the_library(sent: list[bytes], size: int) -> None:
    data = b"".join(sent)
    found = read([data[start : start + size] for start in range(0, len(data), size)])
    expected = read_by_library(data)
    assert found.frames == expected.frames
    assert found.code == expected.code


@pytest.mark.parametrize("count", [1, 2, 17])
def test_a_message_of_any_number_of_fragments_is_whole(count: int) -> None:
    payloads = [b"x" * 10] * count
    assert read([*fragments(TEXT, *payloads)]).frames[-1] == (TEXT, b"x" * 10 * count)


def test_only_a_part_of_a_message_counts_as_within_a_message() -> None:
    reader = MessageReader(SIZE_MAX)
    assert not reader.is_within_message
    start, end = fragments(TEXT, b"a", b"b")
    for packet, is_within in ((start[:3], True), (start[3:], True), (frame(PING), True), (end, False)):
        reader.feed(packet)
        reader.read_frame()
        assert reader.is_within_message == is_within
