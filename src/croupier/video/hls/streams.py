"""The streams by HLS: one ffmpeg for each table while its dealer is on camera, and who may watch.

Failures are logged and counted, tried again, and disturb no table.
"""

import asyncio
import logging
import re
import secrets
import shutil
import time
from collections import Counter
from collections.abc import Collection
from pathlib import Path

from croupier.config.hls import ConfiguredHls
from croupier.protocol import wire
from croupier.protocol.wire import PictureLayer
from croupier.refusal import Refused
from croupier.video.cameras import Cameras, Viewer
from croupier.video.hls.ladder import MASTER, ffmpeg_command, free_ports, playlists
from croupier.video.hls.packager import Packager, PackagerFailed
from croupier.video.hls.signed_paths import signed_path
from croupier.video.port import ForwardPorts, Media, MediaUnavailable

log = logging.getLogger(__name__)

OWN_PATH = "/api/streams"
"""Path of the streams on this server, if nothing else serves them."""
VALID_MS = 30_000
"""Time for which an address is valid, and after which a viewer who no longer asks isn't counted."""
STEP_S = 0.5
SETTLED_S, SETTLED_WITHIN_S = 2.0, 10.0
"""Time without a change of layers after which ffmpeg starts, and the longest wait for it."""
MORE_S = 20.0
"""Time after which a further layer is packaged as well, by another ffmpeg."""
KEEP_S = 15.0
"""Time for which players may load the rest of a stream that another has replaced."""
RETRIES_S = (1.0, 2.0, 5.0, 15.0, 30.0)
LASTED_S = 60.0
"""Time after which a failure counts as the first one."""

_is_stream = re.compile(r"[0-9a-f]{32}").fullmatch
_is_file = re.compile(r"[a-z]+(-(init|[0-9]+))?\.(m3u8|mp4|m4s)").fullmatch


class Streams:
    """Without configured HLS it does nothing. `errors` counts failures by table."""

    def __init__(
        self, cameras: Cameras, media: Media | None, config: ConfiguredHls | None, program: str = "ffmpeg"
    ) -> None:
        self._cameras = cameras
        self._media = media if config else None
        self._config = config
        self._program = program
        self._running: dict[str, asyncio.Task[None]] = {}
        self._streams: dict[str, str] = {}
        """The folders' names by table, once they can be played."""
        self._ending: set[asyncio.Task[None]] = set()
        self._removing: set[asyncio.Task[None]] = set()
        self._viewers: dict[Viewer, float] = {}
        self.errors = Counter[str](dict.fromkeys(self.tables, 0))

    @property
    def tables(self) -> Collection[str]:
        """The tables that have a stream while a dealer is on camera."""
        return self._cameras.tables if self._media else ()

    @property
    def are_served_elsewhere(self) -> bool:
        """True if a web server or CDN has the files, which players of other nodes reach as well."""
        return self._config is not None and self._config.secret is not None

    @property
    def playable(self) -> Collection[str]:
        """The tables that have a stream now."""
        return self._streams.keys()

    def start(self) -> None:
        if self._media:
            self._cameras.listen(self._changed)
            self._remove_left_over()

    async def close(self) -> None:
        tasks = [*self._running.values(), *self._removing]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, *self._ending, return_exceptions=True)
        if self._media:
            self._remove_left_over()

    # --- viewers

    def address(self, viewer: Viewer) -> wire.StreamAddress:
        """Return the address of the stream for a session that has the table open."""
        self._cameras.check_open(viewer)
        stream = self._streams.get(viewer.table)
        if not self._config or not stream:
            raise Refused("no_picture", table=viewer.table)
        self._viewers[viewer] = time.monotonic()
        if not self._config.secret:
            return wire.StreamAddress(f"{OWN_PATH}/{stream}/{MASTER}", VALID_MS)
        path = signed_path(self._config.secret, stream, int(time.time()) + VALID_MS // 1000)
        return wire.StreamAddress(f"{self._config.config.url.rstrip('/')}/{path}/{MASTER}", VALID_MS)

    def file(self, player: str, session: str, stream: str, name: str) -> Path:
        """Return a file of a stream for a session that has its table open."""
        tables = [table for table, each in self._streams.items() if each == stream]
        if not self._config or not tables or not _is_file(name):
            raise Refused("no_such_picture")
        self._cameras.check_open(Viewer(player, session, tables[0]))
        return self._config.folder / stream / name

    def viewers(self) -> Counter[str]:
        """Return the number of viewers by table: the sessions that have asked for an address lately."""
        since = time.monotonic() - VALID_MS / 1000
        self._viewers = {viewer: asked for viewer, asked in self._viewers.items() if asked > since}
        return Counter(viewer.table for viewer in self._viewers)

    # --- packaging

    def _changed(self, table: str) -> None:
        on_camera = self._cameras.state(table) != "off"
        if on_camera and table not in self._running:
            self._running[table] = asyncio.create_task(self._run(table))
        elif not on_camera and table in self._running:
            self._end_later(self._running.pop(table))
            self._streams.pop(table, None)

    def _end_later(self, running: asyncio.Task[None]) -> None:
        """Stop packaging; ffmpeg may take a moment, which `close` waits for."""
        running.cancel()
        self._ending.add(running)
        running.add_done_callback(self._ending.discard)

    async def _run(self, table: str) -> None:
        """Package the picture of a table until cancelled; after a failure try again, later each time."""
        ports: ForwardPorts | None = None
        failures = 0
        while True:
            began_s = time.monotonic()
            try:
                ports = ports or await self._forwarded(table)
                await self._package(table, ports, await self._settled_layers(table))
                failures = 0
            except (OSError, MediaUnavailable, PackagerFailed) as error:
                failures = 1 if time.monotonic() - began_s > LASTED_S else failures + 1
                self._fail(table, error)
                await asyncio.sleep(RETRIES_S[min(failures, len(RETRIES_S)) - 1])

    async def _forwarded(self, table: str) -> ForwardPorts:
        """Have the picture forwarded to ports, which stay the same for all runs of ffmpeg."""
        assert self._media is not None
        ports = free_ports()
        await self._media.forward(table, ports)
        return ports

    async def _settled_layers(self, table: str) -> frozenset[PictureLayer]:
        """Return the layers that arrive, once they are the same for some time: a browser begins with few."""
        assert self._media is not None
        layers, same_s, waited_s = self._media.sent_layers(table), 0.0, 0.0
        while not layers or (same_s < SETTLED_S and waited_s < SETTLED_WITHIN_S):
            await asyncio.sleep(STEP_S)
            before, layers = layers, self._media.sent_layers(table)
            same_s, waited_s = (same_s + STEP_S if layers == before else 0.0), waited_s + STEP_S
        return layers

    async def _package(self, table: str, ports: ForwardPorts, layers: frozenset[PictureLayer]) -> None:
        """Run one ffmpeg in a folder of its own, whose names no cache has seen."""
        assert self._media is not None
        assert self._config is not None
        stream, media = secrets.token_hex(16), self._media
        folder = self._config.folder / stream
        await asyncio.to_thread(_make_readable, folder)
        more_since = time.monotonic()

        def outdated() -> bool:
            nonlocal more_since
            if media.sent_layers(table) <= layers:
                more_since = time.monotonic()
            return time.monotonic() - more_since > MORE_S

        packager = Packager(
            folder / MASTER,
            [folder / name for name in playlists(layers)],
            ready=lambda: self._begin(table, stream),
            sends=lambda: bool(media.sent_layers(table) & layers),
            outdated=outdated,
        )
        try:
            await packager.run(ffmpeg_command(self._program, folder, ports, layers))
        finally:
            self._remove_later(table, stream)

    def _begin(self, table: str, stream: str) -> None:
        log.info("stream of %s: it can be played", table)
        self._streams[table] = stream
        self._cameras.begin_stream(table)

    def _fail(self, table: str, error: Exception) -> None:
        self.errors[table] += 1
        log.error("stream of %s: %s; it is tried again", table, error)
        self._streams.pop(table, None)
        self._cameras.end_stream(table)

    # --- folders

    def _remove_later(self, table: str, stream: str) -> None:
        task = asyncio.create_task(self._remove(table, stream))
        self._removing.add(task)
        task.add_done_callback(self._removing.discard)

    async def _remove(self, table: str, stream: str) -> None:
        assert self._config is not None
        await asyncio.sleep(KEEP_S)
        if self._streams.get(table) == stream:
            del self._streams[table]
        await asyncio.to_thread(shutil.rmtree, self._config.folder / stream, ignore_errors=True)

    def _remove_left_over(self) -> None:
        """Remove the streams of an earlier run; other files in the folder are left alone."""
        assert self._config is not None
        try:
            folders = [path for path in self._config.folder.iterdir() if _is_stream(path.name)]
        except OSError as error:
            log.error("streams: %s; is the folder there?", error)  # noqa: TRY400 - no traceback
            return
        for folder in folders:
            shutil.rmtree(folder, ignore_errors=True)


def _make_readable(folder: Path) -> None:
    """Make a folder that another server may read, whatever this process's umask."""
    folder.mkdir()
    folder.chmod(0o755)
