"""The media port on Janus: a room for each table with a picture, a handle for each browser."""

import asyncio
import logging
import re
from collections import defaultdict
from collections.abc import Callable
from contextlib import suppress
from itertools import count
from typing import Any

from croupier.config.media import ConfiguredMedia
from croupier.protocol.wire import PictureLayer
from croupier.video.janus.messages import JanusMessage
from croupier.video.janus.session import JanusSession, RoomRefused, open_session
from croupier.video.port import (
    H264,
    OPUS,
    ForwardPorts,
    MediaUnavailable,
    Offer,
    OnChange,
    picture_view,
)

log = logging.getLogger(__name__)

RETRY_S = 0.5
ROOM_EXISTS = 427
BITRATE_MAX = 3_000_000
"""Maximum for all layers of a dealer together, in bits per second."""
ROOM: dict[str, Any] = {
    "is_private": True,
    "publishers": 2,  # an earlier one may not have left yet
    "bitrate": BITRATE_MAX,
    "videocodec": "vp8",
    "audiocodec": "opus",
    "notify_joining": False,
}
HLS_ROOM: dict[str, Any] = {"videocodec": "h264", "h264_profile": "42e01f", "fir_freq": 1}
"""A room whose picture is packaged as well: H.264 can be copied, and each second begins with a key frame."""
LOOPBACK = "127.0.0.1"
SUBSTREAMS: dict[PictureLayer, int] = {"high": 2, "medium": 1, "low": 0}
"""Janus counts the simulcast layers from the lowest."""


class Publisher:
    """A dealer's browser, with its id in the room. `receiving` are the video layers that arrive."""

    def __init__(self, handle: int, feed: int) -> None:
        self.handle = handle
        self.feed = feed
        self.connected = False
        self.recording = False
        self.receiving = set[tuple[str, int]]()
        self.mids: dict[str, str] = {}
        """Names of its streams in the session description, by kind."""


class JanusMedia:
    """Keeps one session at Janus. When it is lost, all pictures are off, and dealers publish anew."""

    def __init__(self, config: ConfiguredMedia) -> None:
        self._config = config
        self._changed: OnChange = lambda _table, _state: None
        self._available_changed: Callable[[], None] = lambda: None
        self._task: asyncio.Task[None] | None = None
        self._session: JanusSession | None = None
        self._control = 0
        """The handle that creates and destroys rooms."""
        self._rooms = set[str]()
        self._publishers: dict[str, Publisher] = {}
        self._feeds = count(1)
        self._watchers: dict[int, str] = {}
        """The video stream's `mid` by handle; empty: there is no video."""
        self._publishing: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)
        self._detaching: set[asyncio.Task[None]] = set()

    @property
    def available(self) -> bool:
        return self._session is not None

    def start(self, changed: OnChange, available_changed: Callable[[], None]) -> None:
        self._changed = changed
        self._available_changed = available_changed
        self._task = asyncio.create_task(self._run())

    async def close(self) -> None:
        with suppress(MediaUnavailable):
            for table in tuple(self._rooms):
                await self._ask(self._control, self._room_request("destroy", table))
        if self._task:
            self._task.cancel()
            with suppress(asyncio.CancelledError):
                await self._task

    # --- the port

    async def publish(self, table: str, offer: str) -> str:
        async with self._publishing[table]:
            await self._unpublish(table)
            await self._open_room(table)
            handle = await self._current.attach()
            publisher = self._publishers[table] = Publisher(handle, next(self._feeds))
            room, feed = self._room(table), publisher.feed
            request = {"request": "joinandconfigure", "ptype": "publisher", "room": room, "id": feed}
            try:
                answer = await self._ask(handle, request, {"type": "offer", "sdp": offer})
            except MediaUnavailable:
                self._end_publisher(table)
                raise
            sdp = _description(answer)
            publisher.mids = dict(_find_mids(sdp))
            return sdp

    async def unpublish(self, table: str) -> None:
        async with self._publishing[table]:
            await self._unpublish(table)

    async def record(self, table: str, file: str) -> None:
        publisher = self._publisher(table)
        if publisher.recording:
            await self._ask(publisher.handle, {"request": "configure", "record": False})
            publisher.recording = False
        if file:
            await self._ask(publisher.handle, {"request": "configure", "record": True, "filename": file})
            publisher.recording = True

    async def refresh(self, table: str) -> None:
        await self._ask(self._publisher(table).handle, {"request": "configure", "keyframe": True})

    async def forward(self, table: str, ports: ForwardPorts) -> None:
        publisher = self._publisher(table)
        low, medium, high = (ports.layers[layer] for layer in ("low", "medium", "high"))
        video = {"port": low, "pt": H264, "port_2": medium, "pt_2": H264, "port_3": high, "pt_3": H264}
        streams = [{"mid": publisher.mids.get("video", ""), **video}]
        if mid := publisher.mids.get("audio"):
            streams.append({"mid": mid, "port": ports.voice, "pt": OPUS})
        request = {
            **self._room_request("rtp_forward", table),
            "admin_key": self._config.secret.revealed(),
            "publisher_id": publisher.feed,
            "host": LOOPBACK,
            "streams": streams,
        }
        await self._ask(self._control, request)

    def sent_layers(self, table: str) -> frozenset[PictureLayer]:
        publisher = self._publishers.get(table)
        numbers = {number for _, number in publisher.receiving} if publisher else ()
        return frozenset(layer for layer, number in SUBSTREAMS.items() if number in numbers)

    async def watch(self, table: str) -> Offer:
        feed = self._publisher(table).feed
        handle = await self._current.attach()
        streams = [{"feed": feed}]
        request = {"request": "join", "ptype": "subscriber", "room": self._room(table), "streams": streams}
        try:
            answer = await self._ask(handle, request)
            sdp = _description(answer)
        except MediaUnavailable:
            self._detach(handle)
            raise
        mids = [stream.mid for stream in answer.room.streams if stream.type == "video"]
        self._watchers[handle] = mids[0] if mids else ""
        return Offer(handle, sdp)

    async def answer(self, watcher: int, sdp: str, layer: PictureLayer) -> None:
        await self.choose(watcher, layer)
        await self._ask(watcher, {"request": "start"}, {"type": "answer", "sdp": sdp})

    async def choose(self, watcher: int, layer: PictureLayer) -> None:
        if not (mid := self._watchers.get(watcher)):
            return
        sent = {"substream": SUBSTREAMS[layer]} if layer in SUBSTREAMS else {}
        stream = {"mid": mid, "send": layer in SUBSTREAMS, **sent}
        await self._ask(watcher, {"request": "configure", "streams": [stream]})

    async def stop(self, watcher: int) -> None:
        if self._watchers.pop(watcher, None) is not None:
            await self._current.detach(watcher)

    # --- rooms

    def _room(self, table: str) -> int:
        """Return the id of a table's room, the same after each restart, and hard to guess."""
        return int.from_bytes(self._config.secret.derived(b"room " + table.encode())[:6])

    def _room_request(self, request: str, table: str) -> dict[str, Any]:
        secret = self._config.secret.derived(b"room secret " + table.encode()).hex()
        return {"request": request, "room": self._room(table), "secret": secret}

    async def _open_room(self, table: str) -> None:
        """Create a table's room, unless this session has done so.

        One that an earlier session left is replaced.
        """
        if table in self._rooms:
            return
        codec = HLS_ROOM if self._config.hls and picture_view(table)[1] == "dealer" else {}
        key = {"admin_key": self._config.secret.revealed()}
        create = {**self._room_request("create", table), **ROOM, **codec, **key}
        try:
            await self._ask(self._control, create)
        except RoomRefused as refused:
            if refused.code != ROOM_EXISTS:
                raise
            await self._ask(self._control, self._room_request("destroy", table))
            await self._ask(self._control, create)
        self._rooms.add(table)

    def _publisher(self, table: str) -> Publisher:
        if table not in self._publishers:
            raise MediaUnavailable("nobody publishes at this table")
        return self._publishers[table]

    async def _unpublish(self, table: str) -> None:
        publisher = self._publishers.pop(table, None)
        if publisher is None:
            return
        self._changed(table, "off")
        await self._current.detach(publisher.handle)

    # --- events

    def _event(self, message: JanusMessage) -> None:
        if message.janus == "hangup" and self._watchers.pop(message.sender, None) is not None:
            self._detach(message.sender)
            return
        found = [table for table, each in self._publishers.items() if each.handle == message.sender]
        for table in found:
            self._publisher_event(table, message)

    def _publisher_event(self, table: str, message: JanusMessage) -> None:
        publisher = self._publishers[table]
        match message.janus:
            case "webrtcup":
                publisher.connected = True
                self._changed(table, "on")
            case "media" if message.type == "video":
                self._receiving(table, publisher, message)
            case "hangup" | "detached":
                self._end_publisher(table)

    def _receiving(self, table: str, publisher: Publisher, message: JanusMessage) -> None:
        """Note that a layer arrives, or no longer does; a browser may drop layers, but never all."""
        layer, before = (message.mid, message.substream), bool(publisher.receiving)
        if message.receiving:
            publisher.receiving.add(layer)
        else:
            publisher.receiving.discard(layer)
        if publisher.connected and before != bool(publisher.receiving):
            self._changed(table, "on" if publisher.receiving else "interrupted")

    def _end_publisher(self, table: str) -> None:
        if publisher := self._publishers.pop(table, None):
            self._changed(table, "off")
            self._detach(publisher.handle)

    def _detach(self, handle: int) -> None:
        """Give a handle back in the background."""
        task = asyncio.create_task(self._detach_quietly(handle))
        self._detaching.add(task)
        task.add_done_callback(self._detaching.discard)

    async def _detach_quietly(self, handle: int) -> None:
        with suppress(MediaUnavailable):
            await self._current.detach(handle)

    # --- the session

    @property
    def _current(self) -> JanusSession:
        if self._session is None:
            raise MediaUnavailable("not connected")
        return self._session

    async def _ask(
        self, handle: int, body: dict[str, Any], description: dict[str, str] | None = None
    ) -> JanusMessage:
        return await self._current.ask(handle, body, description)

    async def _run(self) -> None:
        """Connect again whenever the connection is lost; log only the first of several failures."""
        failed = ""
        while True:
            try:
                await self._connected()
                failed = ""
            except MediaUnavailable as error:
                if str(error) != failed:
                    log.warning("media server at port %d: %s; it is tried again", self._config.port, error)
                failed = str(error)
            await asyncio.sleep(RETRY_S)

    async def _connected(self) -> None:
        """Use one connection, until it ends."""
        host, port, secret = self._config.host, self._config.port, self._config.secret
        async with open_session(host, port, secret, self._event) as session:
            running = asyncio.create_task(session.run())
            keeping = asyncio.create_task(session.keep_alive())
            try:
                await session.create()
                self._control = await session.attach()
                self._session = session
                self._available_changed()
                log.info("media server at port %d: connected", port)
                await running
                log.warning("media server at port %d: the connection is lost", port)
            finally:
                self._lose()
                for task in (running, keeping):
                    task.cancel()
                await asyncio.gather(running, keeping, return_exceptions=True)

    def _lose(self) -> None:
        """Forget what was in the session: Janus ends all of it with the connection."""
        self._session = None
        self._rooms.clear()
        self._watchers.clear()
        published, self._publishers = self._publishers, {}
        for table in published:
            self._changed(table, "off")
        self._available_changed()


_find_mids = re.compile(r"^m=(audio|video) .*?^a=mid:(\S+)", re.MULTILINE | re.DOTALL).findall
"""Kinds and names of the streams of a session description."""


def _description(answer: JanusMessage) -> str:
    """Return the session description of an answer."""
    if answer.jsep is None:
        raise MediaUnavailable("an answer without a session description")
    return answer.jsep.sdp
