"""The cameras of the live tables: who may publish and watch, and what players hear of them."""

import asyncio
import secrets
from collections import Counter, defaultdict
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Container
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from typing import TypeVar

from croupier import clock
from croupier.config.hls import ConfiguredHls
from croupier.players.connected_player import ConnectedPlayer
from croupier.players.connected_players import ConnectedPlayers
from croupier.protocol import wire
from croupier.protocol.wire import CameraState, CameraView, PictureLayer
from croupier.refusal import Refused
from croupier.video.ice import IceServers
from croupier.video.measurements import CameraMeasurements
from croupier.video.port import Media, MediaUnavailable, picture_name, picture_view

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Viewer:
    """A session of a player that watches a table: its dealer, or its equipment."""

    player: str
    session: str
    table: str
    view: CameraView = "dealer"


@dataclass(slots=True)
class Watch:
    """A picture that a viewer watches; `watcher` is its number at the media server.

    `layer` None: it hasn't started. `shown`: its browser has reported the first picture.
    """

    viewer: Viewer
    watcher: int
    layer: PictureLayer | None = None
    shown: bool = False


@dataclass(slots=True)
class Camera:
    """A camera of a table, with the number of its picture; `stream` is that by HLS, 0: none."""

    state: CameraState = "off"
    picture: int = 0
    stream: int = 0


class Cameras:
    """Without a media server no table has a camera, and nothing is done.

    `tables` may have a camera; this node, whose id is `node`, runs those in `live`. A player's picture stops
    as soon as no browser of the session that watches has the table open.
    """

    def __init__(
        self,
        media: Media | None,
        tables: Collection[str],
        live: Container[str],
        players: ConnectedPlayers,
        ice: IceServers,
        hls: ConfiguredHls | None = None,
        node: str = "",
    ) -> None:
        self._media = media
        self._live = live
        self._node = node
        self.ice = ice
        """The ICE servers of browsers that publish or watch."""
        self._hls = hls.config if hls else None
        self._cameras = {table: Camera() for table in tables} if media else {}
        self._equipment = {table: Camera() for table in self._cameras}
        self._players = players
        self._watches: defaultdict[str, dict[str, Watch]] = defaultdict(dict)
        """Watches by player, and by the id that the player's browser has."""
        self._listeners: list[Callable[[str], None]] = []
        self._tasks: set[asyncio.Task[None]] = set()
        self._ending = set[str]()
        """Pictures that are being ended or replaced."""
        self.measured = CameraMeasurements(self._cameras)

    def start(self) -> None:
        if self._media:
            self._players.watch(self._tables_changed)
            self._media.start(self._changed, self._available_changed)

    async def close(self) -> None:
        if self._media:
            await self._media.close()

    def listen(self, call: Callable[[str], None]) -> None:
        """`call` with a table whenever its camera has changed, or whether it can be used."""
        self._listeners.append(call)

    @property
    def tables(self) -> Collection[str]:
        """The tables that may have a camera."""
        return self._cameras.keys()

    def __contains__(self, table: object) -> bool:
        """Return whether a table may have a camera."""
        return table in self._cameras

    @property
    def available(self) -> bool:
        return self._media is not None and self._media.available

    def state(self, table: str, view: CameraView = "dealer") -> CameraState:
        """Return the state of a camera of a table; `off` if it has none."""
        return self._camera(table, view).state if table in self._cameras else "off"

    def update(self, table: str) -> wire.CameraUpdate | None:
        """Return the message about a table's cameras; None if it has none, or another node runs it."""
        if table not in self._cameras or table not in self._live:
            return None
        camera, second = self._cameras[table], self._equipment[table]
        equipment = wire.EquipmentCamera(second.state, second.picture) if second.state != "off" else None
        delay_ms = self._hls.video_delay_ms if self._hls else 0
        return wire.CameraUpdate(table, camera.state, camera.picture, equipment, camera.stream, delay_ms)

    def _camera(self, table: str, view: CameraView) -> Camera:
        return (self._cameras if view == "dealer" else self._equipment)[table]

    # --- staff

    async def publish(self, table: str, offer: str, view: CameraView = "dealer") -> str:
        """Take a picture, instead of any earlier one of the view; return the answer to the offer."""
        async with self._ended_by_us(picture_name(table, view)) as picture:
            return await _done(self._media_of(table).publish(picture, offer))

    async def unpublish(self, table: str, view: CameraView = "dealer") -> None:
        async with self._ended_by_us(picture_name(table, view)) as picture:
            await _done(self._media_of(table).unpublish(picture))

    @asynccontextmanager
    async def _ended_by_us(self, picture: str) -> AsyncIterator[str]:
        """Don't count the picture as lost if it ends meanwhile."""
        self._ending.add(picture)
        try:
            yield picture
        finally:
            self._ending.discard(picture)

    # --- players

    async def watch(self, viewer: Viewer) -> wire.CameraOffer:
        """Return the offer of a picture; it replaces the viewer's earlier one of this view."""
        media = self._media_of(viewer.table)
        self.check_open(viewer)
        if self.state(viewer.table, viewer.view) == "off":
            raise Refused("no_picture", table=viewer.table)
        self._check_room()
        await self._stop(viewer.player, lambda earlier: earlier == viewer)
        offer = await _done(media.watch(picture_name(viewer.table, viewer.view)))
        watch = f"{self._node}.{secrets.token_urlsafe(12)}"
        self._watches[viewer.player][watch] = Watch(viewer, offer.watcher)
        if not self.is_open(viewer):  # closed meanwhile
            await self._stop_departed(viewer.player)
        self.check_open(viewer)
        return wire.CameraOffer(watch, offer.sdp, self.ice.of(viewer.player))

    async def answer(self, player: str, watch: str, sdp: str, layer: PictureLayer) -> None:
        """Start the picture."""
        media, watched = self._watched(player, watch)
        await _done(media.answer(watched.watcher, sdp, layer))
        watched.layer = layer

    async def choose(self, player: str, watch: str, layer: PictureLayer) -> None:
        media, watched = self._watched(player, watch)
        await _done(media.choose(watched.watcher, layer))
        watched.layer = layer

    async def stop(self, player: str, watch: str) -> None:
        _, stopped = self._watched(player, watch)
        await self._stop(player, lambda viewer: viewer == stopped.viewer)

    def shown(self, player: str, watch: str, waited_ms: int) -> None:
        """Note how long a player's browser waited for the first picture, once for each watch."""
        _, watched = self._watched(player, watch)
        if not watched.shown:
            watched.shown = True
            self.measured.first_pictures.observe(waited_ms / 1000)

    def viewers(self) -> Counter[tuple[str, PictureLayer]]:
        """Return the number of watches that have started, by table and layer."""
        watches = (watch for each in self._watches.values() for watch in each.values())
        return Counter((watch.viewer.table, watch.layer) for watch in watches if watch.layer)

    def _media_of(self, table: str) -> Media:
        if not self._media or table not in self._cameras:
            raise Refused("no_picture", table=table)
        return self._media

    def _watched(self, player: str, watch: str) -> tuple[Media, Watch]:
        """Return the media server and a player's picture; refuse one that is over or another's."""
        found = self._watches[player].get(watch) if player in self._watches else None
        if not self._media or not found:
            raise Refused("no_such_picture")
        return self._media, found

    def _check_room(self) -> None:
        """Refuse a further picture beyond what the media server is to carry, if there is HLS instead."""
        if self._hls and sum(map(len, self._watches.values())) >= self._hls.webrtc_viewers_max:
            raise Refused("camera_unavailable")

    def check_open(self, viewer: Viewer) -> None:
        if not self.is_open(viewer):
            raise Refused("not_joined", table=viewer.table)

    def is_open(self, viewer: Viewer) -> bool:
        """Return whether the viewer's session has the table open."""
        player = self._players.get(viewer.player)
        browsers = player.browsers if player else ()
        return any(
            browser.session == viewer.session and viewer.table in browser.tables for browser in browsers
        )

    # --- departures and changes

    def begin_stream(self, table: str) -> None:
        """Tell the players of a table that its picture can be watched by HLS, at a new address."""
        camera = self._cameras[table]
        camera.stream = _number_after(camera.stream)
        self._tell(table)

    def end_stream(self, table: str) -> None:
        """Tell the players of a table that its picture can't be watched by HLS."""
        camera = self._cameras[table]
        if camera.stream:
            camera.stream = 0
            self._tell(table)

    def _tables_changed(self, player: ConnectedPlayer) -> None:
        if player.id in self._watches:
            self._run(self._stop_departed(player.id))

    async def _stop_departed(self, player: str) -> None:
        await self._stop(player, lambda viewer: not self.is_open(viewer))

    async def _stop(self, player: str, ended: Callable[[Viewer], bool]) -> None:
        """End pictures of a player; a media server that doesn't answer has ended them itself."""
        assert self._media is not None
        watches = self._watches.get(player, {})
        over = {watch: watches.pop(watch) for watch, each in tuple(watches.items()) if ended(each.viewer)}
        if not watches:
            self._watches.pop(player, None)
        for each in over.values():
            with suppress(MediaUnavailable):
                await self._media.stop(each.watcher)

    def _changed(self, name: str, state: CameraState) -> None:
        table, view = picture_view(name)
        camera = self._camera(table, view)
        if camera.state == "off" and state != "off":
            camera.picture = _number_after(camera.picture)
        self._measure(name, camera.state, state)
        camera.state = state
        if state == "off":
            camera.stream = 0
            for player_id in self._watches:
                self._run(self._stop(player_id, lambda each: (each.table, each.view) == (table, view)))
        self._tell(table)
        self._notify(table)

    def _tell(self, table: str) -> None:
        """Send the state of the cameras to the players of a table."""
        update = self.update(table)
        if update is None:
            return
        for player in self._players:
            for browser in player.browsers:
                if table in browser.tables:
                    browser.send(update)

    def _measure(self, picture: str, before: CameraState, state: CameraState) -> None:
        table, _ = picture_view(picture)
        if before == "off" and state != "off":
            self.measured.pictures[table] += 1
        elif state == "interrupted" and before == "on":
            self.measured.interruptions[table] += 1
        elif before != "off" and state == "off" and picture not in self._ending:
            self.measured.lost[table] += 1

    def _available_changed(self) -> None:
        for table in self._cameras:
            self._notify(table)

    def _notify(self, table: str) -> None:
        for call in self._listeners:
            call(table)

    def _run(self, work: Awaitable[None]) -> None:
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


def _number_after(number: int) -> int:
    """Return a later number: the time, so that another owner of the table doesn't repeat it."""
    return max(number + 1, clock.now_ms())


async def _done(work: Awaitable[T]) -> T:
    """Return what the media server returns, or refuse `camera_unavailable`."""
    try:
        return await work
    except MediaUnavailable:
        raise Refused("camera_unavailable") from None
