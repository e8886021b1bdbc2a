"""Recording of the dealers on camera, in pieces. Failures are logged and counted, and disturb no table."""

import asyncio
import logging
import shutil
from collections import Counter
from collections.abc import Collection
from pathlib import Path

from croupier import clock
from croupier.config.media import ConfiguredRecording
from croupier.video.cameras import Cameras
from croupier.video.port import Media, MediaUnavailable
from croupier.video.recorded_pieces import delete_before, piece_name, size_of

log = logging.getLogger(__name__)

PIECE_S = 900.0
CHECK_S = 10.0
"""Time between checks of a piece, and between complete pictures, from which a part can be shown."""
RETRY_S = 30.0
SWEEP_S = 3600.0
FREE_BYTES_MIN = 1 << 30
"""Free space below which nothing is recorded."""
DAY_MS = 24 * 3_600_000


class RecordingFailed(Exception):
    """A piece can't be written."""


class Recorder:
    """Records each table while its dealer is on camera. Without a configured recording it does nothing.

    `errors` counts failures by table; the empty name has those of deleting.
    """

    def __init__(self, cameras: Cameras, media: Media | None, config: ConfiguredRecording | None) -> None:
        self._cameras = cameras
        self._media = media
        self._config = config
        self.errors = Counter[str](dict.fromkeys(self.tables, 0))
        self._recordings: dict[str, asyncio.Task[None]] = {}
        self._sweeping: asyncio.Task[None] | None = None
        self._failed: dict[str, str] = {}
        """The last failure by table, which isn't logged again while it lasts."""

    @property
    def enabled(self) -> bool:
        return self._media is not None and self._config is not None

    @property
    def tables(self) -> Collection[str]:
        """The tables that are recorded while a dealer is on camera."""
        return self._cameras.tables if self.enabled else ()

    @property
    def folder(self) -> Path | None:
        return self._config.folder if self._config else None

    @property
    def recording(self) -> frozenset[str]:
        """The tables that are recorded now, without a failure."""
        return frozenset(self._recordings.keys() - self._failed.keys())

    def start(self) -> None:
        if self.enabled:
            self._cameras.listen(self._changed)
            self._sweeping = asyncio.create_task(self._sweep())

    async def close(self) -> None:
        tasks = [*self._recordings.values(), *([self._sweeping] if self._sweeping else [])]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def _changed(self, table: str) -> None:
        """Begin with a picture, and end with it; the media server itself ends the files."""
        on_camera = self._cameras.state(table) != "off"
        if on_camera and table not in self._recordings:
            self._recordings[table] = asyncio.create_task(self._record(table))
        elif not on_camera and table in self._recordings:
            self._recordings.pop(table).cancel()
            self._failed.pop(table, None)

    async def _record(self, table: str) -> None:
        """Record piece after piece, until cancelled."""
        while True:
            try:
                await self._piece(table)
            except (OSError, MediaUnavailable, RecordingFailed) as error:
                self._fail(table, error)
                await asyncio.sleep(RETRY_S)

    async def _piece(self, table: str) -> None:
        """Record one piece; raise an error as soon as it isn't written."""
        assert self._media is not None
        assert self._config is not None
        folder, began_ms = self._config.folder, clock.now_ms()
        await self._check_space(table, folder)
        name, size = piece_name(table, began_ms), 0
        await self._media.record(table, str(folder / name))
        for _ in range(int(PIECE_S // CHECK_S)):
            await asyncio.sleep(CHECK_S)
            await self._check_space(table, folder)
            before, size = size, await asyncio.to_thread(size_of, folder, name)
            if size <= before and self._cameras.state(table) == "on":
                raise RecordingFailed("the media server writes nothing; may it write into the folder?")
            if self._failed.pop(table, None):
                log.info("recording of %s: it is written again", table)
            await self._media.refresh(table)

    async def _check_space(self, table: str, folder: Path) -> None:
        assert self._media is not None
        usage = await asyncio.to_thread(shutil.disk_usage, folder)
        if usage.free < FREE_BYTES_MIN:
            await self._media.record(table, "")
            raise RecordingFailed("the disk is full")

    async def _sweep(self) -> None:
        """Delete old pieces, once an hour."""
        assert self._config is not None
        while True:
            before_ms = clock.now_ms() - self._config.days * DAY_MS
            try:
                deleted = await asyncio.to_thread(delete_before, self._config.folder, before_ms)
            except OSError as error:
                self._fail("", error)
            else:
                self._failed.pop("", None)
                if deleted:
                    log.info("recordings: %d files older than %d days deleted", deleted, self._config.days)
            await asyncio.sleep(SWEEP_S)

    def _fail(self, table: str, error: Exception) -> None:
        self.errors[table] += 1
        if self._failed.get(table) != str(error):
            log.error("recording%s: %s; it is tried again", f" of {table}" if table else "s", error)
        self._failed[table] = str(error)
