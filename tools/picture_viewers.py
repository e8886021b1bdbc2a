"""Light viewers of a dealer's picture: guests at the table, who receive it by WebRTC and decode nothing."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from typing import NamedTuple

import msgspec

from croupier.protocol import wire
from tests.dealing.live.socket_client import PlayerClient, connected_guest
from tools.webrtc_peer import Peer

READ_S = 0.05
"""Interval between readings; the sockets' buffers hold ten times as much."""
NOT_FOUND = 404


class Arrived(NamedTuple):
    """Rates of all viewers together, in a second."""

    packets: float
    megabits: float


class Viewers:
    """Guests at a table, whose pictures can be switched on and off."""

    def __init__(self, table: str, guests: list[PlayerClient]) -> None:
        self._table = table
        self._guests = guests
        self._watching: list[tuple[PlayerClient, str, Peer]] = []

    def __len__(self) -> int:
        return len(self._guests)

    @asynccontextmanager
    async def watching(self, layer: wire.PictureLayer = "high") -> AsyncIterator[None]:
        """Let all watch."""
        reading = asyncio.create_task(self._read())
        try:
            for guest in self._guests:
                await self._watch(guest, layer)
            yield
        finally:
            reading.cancel()
            for guest, watch, peer in self._watching:
                await _post(guest, "stop", wire.StopCamera(watch), gone=True)
                peer.close()
            self._watching = []

    async def arriving(self, seconds: float) -> Arrived:
        """Measure what arrives."""
        before = self._arrived()
        await asyncio.sleep(seconds)
        packets, bits = (now - then for now, then in zip(self._arrived(), before, strict=True))
        return Arrived(packets / seconds, bits / seconds / 1e6)

    def _arrived(self) -> tuple[int, int]:
        peers = [peer for _, _, peer in self._watching]
        return sum(peer.packets for peer in peers), sum(peer.bytes for peer in peers) * 8

    async def _watch(self, guest: PlayerClient, layer: wire.PictureLayer) -> None:
        offered = await _post(guest, "watch", wire.WatchCamera(self._table))
        offer, peer = msgspec.json.decode(offered, type=wire.CameraOffer), Peer()
        self._watching.append((guest, offer.watch, peer))
        await _post(guest, "answer", wire.AnswerCamera(offer.watch, peer.answer(offer.sdp), layer))
        await peer.connect(offer.sdp)

    async def _read(self) -> None:
        while True:
            for _, _, peer in self._watching:
                peer.read()
            await asyncio.sleep(READ_S)


@asynccontextmanager
async def seated_viewers(address: str, table: str, number: int) -> AsyncIterator[Viewers]:
    """Seat guests at a table."""
    async with AsyncExitStack() as stack:
        guests = [await stack.enter_async_context(connected_guest(address)) for _ in range(number)]
        for guest in guests:
            assert await guest.player.join(table) == ""
        yield Viewers(table, guests)


async def _post(guest: PlayerClient, path: str, body: msgspec.Struct, *, gone: bool = False) -> bytes:
    """Post a request about a picture, which may have ended if it may be `gone`."""
    browser = guest.browser
    answer = await browser.http.post(
        f"{browser.address}/api/camera/{path}",
        content=msgspec.json.encode(body),
        headers={"Origin": browser.address},
    )
    if not (gone and answer.status_code == NOT_FOUND):
        answer.raise_for_status()
    return answer.content
