"""Sends the messages of one link between a gateway and an owner, in numbered batches."""

import asyncio

from croupier.cluster.bus import Bus
from croupier.dealing.nodes.seat_messages import (
    GatewayMessage,
    OwnerMessage,
    SeatBatch,
    SeatFrames,
    encode_seats,
)

BATCH_BYTES = 256_000
"""Approximate size at which a batch is sent before the end of the turn."""
MESSAGE_BYTES, SEAT_BYTES = 200, 5
"""Approximate sizes of a message without its frames, and of a seat's number."""


class SeatSender:
    """The messages of one turn of the event loop go out together at its end, in order."""

    def __init__(self, bus: Bus, subject: str, sender: str, link: str) -> None:
        self._bus = bus
        self._subject = subject
        self._sender = sender
        self._link = link
        self._number = 0
        self._messages: list[GatewayMessage | OwnerMessage] = []
        self._bytes = 0
        self._flush: asyncio.Handle | None = None
        self._closed = False

    def send(self, message: GatewayMessage | OwnerMessage) -> None:
        self._messages.append(message)
        self._grown(MESSAGE_BYTES)

    def send_frames(self, seat: int, frames: bytes) -> None:
        """Send framed messages; those that are the same for seats one after the other are sent once."""
        last = self._messages[-1] if self._messages else None
        if isinstance(last, SeatFrames) and last.frames == frames:
            last.seats.append(seat)
            self._grown(SEAT_BYTES)
        else:
            self._messages.append(SeatFrames([seat], frames))
            self._grown(len(frames) + SEAT_BYTES)

    def beat(self) -> None:
        """Show that this side is there."""
        self._publish()

    def close(self) -> None:
        """Send nothing more."""
        self._closed = True
        self._messages = []
        if self._flush:
            self._flush.cancel()

    def _grown(self, size: int) -> None:
        self._bytes += size
        if self._bytes >= BATCH_BYTES:
            self._publish()
        elif self._flush is None:
            self._flush = asyncio.get_running_loop().call_soon(self._publish)

    def _publish(self) -> None:
        if self._flush:
            self._flush.cancel()
            self._flush = None
        messages, self._messages, self._bytes = self._messages, [], 0
        if not self._closed:
            batch = SeatBatch(self._sender, self._link, self._number, messages)
            self._number += 1
            self._bus.publish(self._subject, encode_seats(batch))
