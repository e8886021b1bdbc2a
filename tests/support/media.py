"""A media server without media: it records who publishes and watches, and fails on request."""

import asyncio
from collections.abc import Callable
from itertools import count
from pathlib import Path

from croupier.protocol.wire import CameraState, PictureLayer
from croupier.video.port import ForwardPorts, MediaUnavailable, Offer, OnChange

ANSWER, OFFER = "v=0 answer", "v=0 offer"


class FakeMedia:
    """A media server without media.

    `layers` has the watchers with their layers, `published` the last offer of each table.

    `unwatched` is set while nobody watches. `recorded` has the recordings that were asked for, which are
    written if `writes`. `forwarded` has the ports by table, `sent` the layers that dealers send.
    """

    def __init__(self) -> None:
        self.available = True
        self.published: dict[str, str] = {}
        self.layers: dict[int, PictureLayer | None] = {}
        self.unwatched = asyncio.Event()
        self.recorded: list[tuple[str, str]] = []
        self.refreshed: list[str] = []
        self.writes = True
        self.forwarded: dict[str, list[ForwardPorts]] = {}
        self.sent = frozenset[PictureLayer]({"high", "medium", "low"})
        self._changed: OnChange = lambda _table, _state: None
        self._watchers = count(1)

    def start(self, changed: OnChange, available_changed: Callable[[], None]) -> None:  # noqa: ARG002
        self._changed = changed

    async def close(self) -> None:
        self.published.clear()

    def set_state(self, table: str, state: CameraState) -> None:
        """Report a change, as a media server does by itself."""
        self._changed(table, state)

    async def publish(self, table: str, offer: str) -> str:
        await self.unpublish(table)
        self.published[table] = offer
        self._changed(table, "on")
        return ANSWER

    async def unpublish(self, table: str) -> None:
        self._check()
        if self.published.pop(table, None):
            self._changed(table, "off")

    async def record(self, table: str, file: str) -> None:
        self._check()
        self.recorded.append((table, file))
        self._write(table)

    async def refresh(self, table: str) -> None:
        self._check()
        self.refreshed.append(table)
        self._write(table)

    def _write(self, table: str) -> None:
        """Write to the recording, as a media server does all the time."""
        files = [file for recorded, file in self.recorded if recorded == table]
        if self.writes and files and files[-1]:
            with Path(f"{files[-1]}-video-1.mjr").open("ab") as file:
                file.write(b"MJR00002")

    async def forward(self, table: str, ports: ForwardPorts) -> None:
        self._check()
        self.forwarded.setdefault(table, []).append(ports)

    def sent_layers(self, table: str) -> frozenset[PictureLayer]:
        return self.sent if table in self.published else frozenset()

    async def watch(self, table: str) -> Offer:
        self._check()
        assert table in self.published
        watcher = next(self._watchers)
        self.layers[watcher] = None
        self.unwatched.clear()
        return Offer(watcher, OFFER)

    async def answer(self, watcher: int, sdp: str, layer: PictureLayer) -> None:
        assert sdp == ANSWER
        await self.choose(watcher, layer)

    async def choose(self, watcher: int, layer: PictureLayer) -> None:
        self._check()
        self.layers[watcher] = layer

    async def stop(self, watcher: int) -> None:
        self._check()
        self.layers.pop(watcher, None)
        if not self.layers:
            self.unwatched.set()

    def _check(self) -> None:
        if not self.available:
            raise MediaUnavailable("switched off by the test")
