"""The dealers' pictures at all live tables for players of this node, and at its own for those of others.

The owner of a table carries out what is asked. A remote player is a connected player there, so their picture
ends with their seat. Session descriptions travel over the bus; media come from the owner's media server.
"""

from collections.abc import Container

import msgspec

from croupier.cluster.bus import Bus, BusUnavailable, NoReply, Unsubscribe
from croupier.dealing.nodes.remote_tables import RemoteTables
from croupier.dealing.nodes.seat_messages import SeatRefusal, seat_refusal
from croupier.protocol import wire
from croupier.refusal import Refused
from croupier.video.cameras import Cameras, Viewer
from croupier.video.hls.streams import Streams
from croupier.video.picture_messages import (
    AnswerPicture,
    ChoosePictureLayer,
    FindStream,
    PictureReply,
    PictureRequest,
    ReportPicture,
    StopPicture,
    WatchPicture,
    WatchRequest,
    decode_reply,
    decode_request,
    pictures_subject,
)

REPLY_S = 8.0
"""Janus has five seconds for an answer."""

_encode = msgspec.msgpack.Encoder().encode


class Pictures:
    """Connects players with the cameras of tables, on this node or others.

    `live`: the tables of this node.
    """

    def __init__(
        self, cameras: Cameras, streams: Streams, bus: Bus | None, remote: RemoteTables, live: Container[str]
    ) -> None:
        self._cameras = cameras
        self._streams = streams
        self._bus = bus
        self._remote = remote
        self._live = live

    # --- for players of this node

    async def watch(self, viewer: Viewer) -> wire.CameraOffer:
        """Begin to watch a table that the viewer has open; return the media server's offer."""
        reply = await self._ask(self._owner(viewer.table), WatchPicture(viewer))
        assert reply.offer is not None
        return reply.offer

    async def stream(self, viewer: Viewer) -> wire.StreamAddress:
        """Return the address by HLS of a table that the viewer has open."""
        reply = await self._ask(self._owner(viewer.table), FindStream(viewer))
        assert reply.address is not None
        return reply.address

    async def change(self, request: WatchRequest) -> None:
        """Carry out a request about a picture, at the node that the id of the watch names."""
        await self._ask(request.order.watch.partition(".")[0], request)

    def _owner(self, table: str) -> str:
        """Return the node that runs a table; this one if no other is known to."""
        return self._remote.node if table in self._live else self._remote.owner_of(table) or self._remote.node

    async def _ask(self, node: str, request: PictureRequest) -> PictureReply:
        if node == self._remote.node:
            return await self._carry_out(request)
        if self._bus is None or not self._remote.hears(node):
            raise Refused("no_such_picture")
        try:
            reply = await self._bus.request(pictures_subject(node), _encode(request), REPLY_S)
        except (BusUnavailable, NoReply):
            raise Refused("camera_unavailable") from None
        decoded = decode_reply(reply)
        if refused := decoded.outcome.refused:
            raise refused
        return decoded

    # --- for players of other nodes

    async def serve(self) -> Unsubscribe:
        """Answer other nodes' requests."""
        assert self._bus is not None
        return await self._bus.serve(pictures_subject(self._remote.node), self._answer)

    async def _answer(self, payload: bytes) -> bytes:
        request: PictureRequest = decode_request(payload)
        if isinstance(request, FindStream) and not self._streams.are_served_elsewhere:
            return _encode(PictureReply(SeatRefusal("no_picture", {"table": request.viewer.table})))
        try:
            return _encode(await self._carry_out(request))
        except Refused as refused:
            return _encode(PictureReply(seat_refusal(refused)))

    def update_for_others(self, update: wire.CameraUpdate) -> wire.CameraUpdate:
        """Return the state of a camera as players of other nodes have it.

        They reach no stream that this node serves itself.
        """
        return update if self._streams.are_served_elsewhere else msgspec.structs.replace(update, stream=0)

    # --- for both

    async def _carry_out(self, request: PictureRequest) -> PictureReply:
        cameras = self._cameras
        match request:
            case WatchPicture(viewer):
                return PictureReply(offer=await cameras.watch(viewer))
            case FindStream(viewer):
                return PictureReply(address=self._streams.address(viewer))
            case AnswerPicture(player, order):
                await cameras.answer(player, order.watch, order.sdp, order.layer)
            case ChoosePictureLayer(player, order):
                await cameras.choose(player, order.watch, order.layer)
            case ReportPicture(player, order):
                cameras.shown(player, order.watch, order.waited_ms)
            case StopPicture(player, order):
                await cameras.stop(player, order.watch)
        return PictureReply()
