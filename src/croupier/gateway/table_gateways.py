"""The gateways whose players are at live tables of this node."""

import asyncio
import logging
from collections.abc import Coroutine, Iterable
from functools import partial
from time import monotonic
from typing import Any

import msgspec

from croupier.cluster.bus import Bus, Unsubscribe
from croupier.dealing.nodes.seat_messages import (
    GONE_WRONG,
    GatewayMessage,
    JoinSeat,
    LeaveSeat,
    OwnerMessage,
    SeatBatch,
    SeatCommand,
    decode_of_gateway,
    encode_seats,
    gateway_subject,
    owner_subject,
)
from croupier.dealing.nodes.seat_sender import SeatSender
from croupier.gateway.owner_seat import OwnerSeat
from croupier.gateway.server import Server
from croupier.gateway.table_announcements import TableAnnouncements

BEAT_S = 1.0
SILENT_S = 5.0
"""The players of a gateway that isn't heard for so long count as disconnected."""
REJOIN_S = 3.0
"""Time for a gateway to join its players again after a loss, before they count as disconnected."""

log = logging.getLogger(__name__)


class GatewayLink:
    """The seats of one gateway's players, from one loss of messages to the next."""

    def __init__(self, server: Server, bus: Bus, node: str, gateway: str, link: str) -> None:
        self.link = link
        self.heard_s = monotonic()
        self.sender = SeatSender(bus, gateway_subject(gateway), node, link)
        self.seats: dict[int, OwnerSeat] = {}
        self._server = server
        self._expected = 0
        self._tasks: set[asyncio.Task[None]] = set()

    def receive(self, batch: SeatBatch[GatewayMessage]) -> bool:
        """Carry out messages; return False after a loss."""
        if batch.number != self._expected:
            return False
        self._expected += 1
        self.heard_s = monotonic()
        for message in batch.messages:
            match message:
                case SeatCommand(seat, command):
                    if found := self.seats.get(seat):
                        found.do(command)
                case JoinSeat():
                    self._join(message)
                case LeaveSeat(seat, lost):
                    if found := self.seats.get(seat):
                        found.leave(lost=lost)
        return True

    def _join(self, join: JoinSeat) -> None:
        seat = self.seats.get(join.seat)
        if seat is None:
            seat = OwnerSeat(self._server, self.sender, join, partial(self._left, join.seat))
            self.seats[join.seat] = seat
        self._start(seat.join(join.currency))

    def _left(self, seat: int) -> None:
        self.seats.pop(seat, None)

    def _start(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def lose(self, after_s: float) -> None:
        """Send nothing more; the players count as disconnected if they aren't joined again meanwhile."""
        self.sender.close()
        seats, self.seats = tuple(self.seats.values()), {}
        asyncio.get_running_loop().call_later(after_s, _leave, seats)


def _leave(seats: Iterable[OwnerSeat]) -> None:
    for seat in seats:
        seat.leave(lost=True)


class TableGateways:
    """Announces the live tables of this node, and serves the gateways."""

    def __init__(self, server: Server, bus: Bus) -> None:
        self._server = server
        self._bus = bus
        self._node = server.remote_tables.node
        self._links: dict[str, GatewayLink] = {}
        self._unsubscribe: list[Unsubscribe] = []
        self._announcements = TableAnnouncements(server, bus)
        self._task: asyncio.Task[None] | None = None

    async def start(self) -> None:
        self._unsubscribe = [
            await self._bus.subscribe(owner_subject(self._node), self._received),
            await self._server.pictures.serve(),
        ]
        await self._announcements.start()
        self._task = asyncio.create_task(self._beating())

    def stop(self) -> None:
        """Serve no more."""
        self._announcements.stop()
        for unsubscribe in self._unsubscribe:
            unsubscribe()
        if self._task:
            self._task.cancel()

    async def _beating(self) -> None:
        while True:
            await asyncio.sleep(BEAT_S)
            self._beat()

    # --- gateways

    def _received(self, payload: bytes) -> None:
        try:
            batch = decode_of_gateway(payload)
        except msgspec.MsgspecError as error:
            log.warning("a message of a gateway is malformed: %s", error)
            return
        link = self._links.get(batch.sender)
        if link is None or link.link != batch.link:
            link = self._new_link(batch)
        if link is None or not link.receive(batch):
            self._lost(batch)

    def _new_link(self, batch: SeatBatch[GatewayMessage]) -> GatewayLink | None:
        """Begin a link with its first batch, in place of the gateway's last one."""
        if batch.number:
            return None
        if former := self._links.pop(batch.sender, None):
            former.lose(REJOIN_S)
        link = GatewayLink(self._server, self._bus, self._node, batch.sender, batch.link)
        self._links[batch.sender] = link
        return link

    def _lost(self, batch: SeatBatch[GatewayMessage]) -> None:
        """Tell a gateway to begin its link anew."""
        link = self._links.get(batch.sender)
        if link and link.link == batch.link:
            del self._links[batch.sender]
            link.lose(REJOIN_S)
        answer = SeatBatch[OwnerMessage](self._node, batch.link, GONE_WRONG, [])
        self._bus.publish(gateway_subject(batch.sender), encode_seats(answer))

    def _beat(self) -> None:
        for gateway, link in tuple(self._links.items()):
            if monotonic() - link.heard_s > SILENT_S:
                log.warning("gateway %s isn't heard; %d seats are lost", gateway, len(link.seats))
                del self._links[gateway]
                link.lose(0)
            else:
                link.sender.beat()
