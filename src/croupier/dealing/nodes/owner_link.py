"""A gateway's link to one owner of live tables: the seats of its players there."""

import logging
import secrets
from collections.abc import Callable, Sequence
from itertools import count
from time import monotonic
from typing import Protocol

from croupier.cluster.bus import Bus
from croupier.dealing.nodes.seat_messages import (
    GatewayMessage,
    JoinSeat,
    LeaveSeat,
    LiveCommand,
    OwnerMessage,
    SeatAnswer,
    SeatBatch,
    SeatCommand,
    SeatEnded,
    SeatFrames,
    SeatJoined,
    owner_subject,
)
from croupier.dealing.nodes.seat_sender import SeatSender
from croupier.refusal import Refused

SILENT_S = 3.0
"""An owner that isn't heard for so long is out of reach."""
GIVE_UP_S = 2 * SILENT_S
"""The answers of a table that was left are awaited so long."""

log = logging.getLogger(__name__)


class Seated(Protocol):
    """A player's connection that has a seat."""

    @property
    def table(self) -> str: ...

    def joined(self, refused: Refused | None) -> None: ...

    def send(self, frames: bytes, /) -> None:
        """Send framed messages to the browser now."""

    def queue(self, frames: bytes, /) -> None:
        """Send framed messages to the browser in one write with what follows."""

    def answered(self, req: str, refused: Refused | None) -> None: ...

    def seat_ended(self, *, taken_over: bool) -> None: ...

    def link_lost(self) -> None:
        """Take a new seat: messages are lost."""

    def owner_silent(self) -> None:
        """Note that the owner has been out of reach for long."""


class OwnerLink:
    """Both directions are numbered. After a loss, the link begins anew, and its players join again."""

    def __init__(self, bus: Bus, gateway: str, owner: str, on_loss: Callable[[], None]) -> None:
        self.owner = owner
        self._on_loss = on_loss
        self._bus = bus
        self._gateway = gateway
        self._numbers = count(1)
        self._seats: dict[int, Seated] = {}
        self._begin()

    def _begin(self) -> None:
        self._link = secrets.token_hex(4)
        self._sender = SeatSender(self._bus, owner_subject(self.owner), self._gateway, self._link)
        self._expected = 0
        self._heard_s = monotonic()

    def __len__(self) -> int:
        return len(self._seats)

    # --- seats

    def sit(self, seated: Seated) -> int:
        """Return the number of a new seat, which is to be joined."""
        number = next(self._numbers)
        self._seats[number] = seated
        return number

    def join(self, seat: int, table: str, session: str, player: str, currency: str) -> None:
        self._send(JoinSeat(seat, table, session, player, currency))

    def command(self, seat: int, command: LiveCommand) -> None:
        self._send(SeatCommand(seat, command))

    def leave(self, seat: int, *, lost: bool) -> None:
        """Leave a seat. Commands that were sent before are still answered, until it is released."""
        self._send(LeaveSeat(seat, lost))

    def release(self, seat: int) -> None:
        """Forget a seat."""
        self._seats.pop(seat, None)

    def beat(self) -> None:
        """Show the owner that this gateway is there; give up an owner that hasn't been heard for long."""
        self._sender.beat()
        if monotonic() - self._heard_s > GIVE_UP_S:
            for seated in tuple(self._seats.values()):
                seated.owner_silent()

    def _send(self, message: GatewayMessage) -> None:
        self._sender.send(message)

    # --- received

    def receive(self, batch: SeatBatch[OwnerMessage]) -> None:
        if batch.link != self._link:
            return
        if batch.number != self._expected:
            self._reset()
            return
        self._expected += 1
        self._heard_s = monotonic()
        for message in batch.messages:
            self._deliver(message)

    def _reset(self) -> None:
        """Begin anew after a loss."""
        log.info("messages of or to node %s were lost; %d seats are joined again", self.owner, len(self))
        self._on_loss()
        seats, self._seats = tuple(self._seats.values()), {}
        self._sender.close()
        self._begin()
        for seated in seats:
            seated.link_lost()

    def _deliver(self, message: OwnerMessage) -> None:
        if isinstance(message, SeatFrames):
            self._deliver_frames(message.seats, message.frames)
        elif seated := self._seats.get(message.seat):
            match message:
                case SeatAnswer():
                    seated.answered(message.req, message.outcome.refused)
                case SeatJoined():
                    seated.joined(message.outcome.refused)
                case SeatEnded():
                    del self._seats[message.seat]
                    seated.seat_ended(taken_over=message.taken_over)

    def _deliver_frames(self, seats: Sequence[int], frames: bytes) -> None:
        for seat in seats:
            if seated := self._seats.get(seat):
                if len(seats) > 1:
                    seated.send(frames)
                else:  # an answer may follow
                    seated.queue(frames)
