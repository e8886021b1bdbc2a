"""Several messages go out in one write: their headers are those that the standard wants."""

import pytest
from websockets.frames import Frame, Opcode

from croupier.server.sockets import text_header


@pytest.mark.parametrize("size", [0, 1, 125, 126, 127, 65_535, 65_536, 100_000])
def test_a_header_is_what_another_library_writes(size: int) -> None:
    message = b"x" * size
    assert text_header(size) + message == Frame(Opcode.TEXT, message).serialize(mask=False)
