"""Connections of the library `websockets`, with bounds on the handshake and on messages."""

import asyncio

from websockets.asyncio.server import ServerConnection
from websockets.frames import Frame, Opcode
from websockets.protocol import Event, State

from croupier.gateway.listener import OnClosed
from croupier.protocol.connection import CLOSE_UNSUPPORTED, SEND_BUFFER_MAX

HANDSHAKE_BYTES_MAX = 16 * 1024
"""The same limit as in picows."""
PARSE_BYTES = 2048


class WebsocketsConnection(ServerConnection):
    """A connection whose client is disconnected if it sends pings without reading the answers.

    `closed` is called once the connection is closed.
    """

    closed: OnClosed
    _handshake_bytes = 0

    def write(self, messages: bytes) -> None:
        """Write framed messages, unless the closing handshake has started."""
        if self.state is State.OPEN:
            self.transport.write(messages)

    def get_write_buffer_size(self) -> int:
        return self.transport.get_write_buffer_size()

    def abort(self) -> None:
        self.transport.abort()

    def start_close(self, code: int) -> None:
        self._close_task = asyncio.create_task(self.close(code))

    def data_received(self, data: bytes) -> None:
        """Parse in pieces: one read may contain thousands of frames, and the first may end the connection."""
        for first in range(0, len(data), PARSE_BYTES):
            if self.transport.is_closing():
                return
            super().data_received(data[first : first + PARSE_BYTES])
        if self.get_write_buffer_size() > SEND_BUFFER_MAX or self._handshake_is_too_large(len(data)):
            self.abort()

    def _handshake_is_too_large(self, received: int) -> bool:
        if self.request is None:
            self._handshake_bytes += received
        return self._handshake_bytes > HANDSHAKE_BYTES_MAX

    def process_event(self, event: Event) -> None:
        """Refuse fragmented messages, as picows does; browsers don't fragment commands."""
        if isinstance(event, Frame) and _is_fragment(event):
            self._refuse_fragments()
        elif not self.transport.is_closing():
            super().process_event(event)

    def _refuse_fragments(self) -> None:
        if not self.transport.is_closing():
            self.protocol.fail(CLOSE_UNSUPPORTED)
            self.send_data()
            self.transport.close()

    def connection_lost(self, exc: Exception | None) -> None:
        try:
            super().connection_lost(exc)
        finally:
            self.closed()


def _is_fragment(frame: Frame) -> bool:
    """Return whether a frame is only part of a message."""
    return frame.opcode is Opcode.CONT or (not frame.fin and frame.opcode in (Opcode.TEXT, Opcode.BINARY))
