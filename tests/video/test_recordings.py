"""Recording in pieces: what the media server is told, failures that disturb nothing, deletion, and clips."""

import asyncio
import struct
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from croupier import clock
from croupier.admission.balances import BalanceCache
from croupier.config.ice import ConfiguredIce
from croupier.config.media import ConfiguredRecording
from croupier.players.connected_players import ConnectedPlayers
from croupier.video import recorder
from croupier.video.cameras import Cameras
from croupier.video.clips import ClipFailed, Clips, NoRecording
from croupier.video.ice import IceServers
from croupier.video.recorded_pieces import piece_name, pieces_between
from croupier.video.recorder import DAY_MS, Recorder
from tests.support.media import FakeMedia

pytestmark = pytest.mark.anyio

TABLE = "live-table"
WAIT_S = 5.0


@asynccontextmanager
async def recording(folder: Path) -> AsyncIterator[tuple[Recorder, FakeMedia]]:
    media = FakeMedia()
    players = ConnectedPlayers(BalanceCache())
    cameras = Cameras(media, [TABLE], [TABLE], players, IceServers(ConfiguredIce()))
    recorded = Recorder(cameras, media, ConfiguredRecording(folder, 3))
    cameras.start()
    recorded.start()
    try:
        yield recorded, media
    finally:
        await recorded.close()
        await cameras.close()


async def becomes(true: Callable[[], object]) -> None:
    async with asyncio.timeout(WAIT_S):
        while not true():  # noqa: ASYNC110 - nothing tells of it
            await asyncio.sleep(0.005)


@pytest.fixture(autouse=True)
def fast(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, seconds in (("CHECK_S", 0.02), ("PIECE_S", 0.04), ("RETRY_S", 0.01)):
        monkeypatch.setattr(recorder, name, seconds)


async def test_a_picture_is_recorded_in_pieces_until_it_ends(tmp_path: Path) -> None:
    async with recording(tmp_path) as (recorded, media):
        await media.publish(TABLE, "v=0")
        await becomes(lambda: bool(media.refreshed))
        grown = Path(f"{media.recorded[0][1]}-video-1.mjr")
        assert grown.name.startswith(piece_name(TABLE, 0)[:11])
        await becomes(lambda: len({file for _, file in media.recorded if file}) > 2)
        await media.unpublish(TABLE)
        assert recorded.recording == frozenset()
        count = len(media.recorded)
        await asyncio.sleep(0.1)
        assert len(media.recorded) == count


async def test_failures_are_counted_logged_once_and_tried_again(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with recording(tmp_path) as (recorded, media):
        media.writes = False
        await media.publish(TABLE, "v=0")
        await becomes(lambda: recorded.errors[TABLE] > 2)
        assert recorded.recording == frozenset()
        media.available = False
        await becomes(lambda: "switched off" in caplog.text)
        media.available = media.writes = True
        await becomes(lambda: recorded.recording == {TABLE})
        monkeypatch.setattr(recorder, "FREE_BYTES_MIN", 1 << 62)
        await becomes(lambda: media.recorded[-1] == (TABLE, ""))
        await becomes(lambda: "the disk is full" in caplog.text)
    for text in ("writes nothing", "switched off", "the disk is full"):
        assert sum(text in record.message for record in caplog.records) == 1, text


async def test_old_pieces_are_deleted_and_other_files_kept(tmp_path: Path) -> None:
    now_ms = clock.now_ms()
    old, new = (piece_name(TABLE, now_ms - days * DAY_MS) for days in (4, 2))
    for name in (f"{old}-video-1.mjr", f"{old}-audio-0.mjr", f"{new}-video-1.mjr", "notes.txt"):
        (tmp_path / name).touch()
    async with recording(tmp_path):
        await becomes(lambda: len(list(tmp_path.iterdir())) == 2)
    assert {path.name for path in tmp_path.iterdir()} == {f"{new}-video-1.mjr", "notes.txt"}  # noqa: ASYNC240


async def test_a_clip_needs_the_tables_piece_of_that_time_and_working_tools(tmp_path: Path) -> None:
    now_ms = clock.now_ms()
    file = tmp_path / f"{piece_name(TABLE, now_ms)}-video-1.mjr"
    header = f'{{"t":"v","c":"vp8","u":{now_ms * 1000}}}'.encode()
    file.write_bytes(b"MJR00002" + struct.pack(">H", len(header)) + header)
    assert [each.began_ms for each in pieces_between(tmp_path, TABLE, now_ms - 1, now_ms + 1)] == [now_ms]
    for table, from_ms in (("live", now_ms), (TABLE, now_ms + DAY_MS), (TABLE, now_ms - DAY_MS)):
        with pytest.raises(NoRecording):
            await Clips(tmp_path).make(table, from_ms, from_ms + 1)
    with pytest.raises(ClipFailed, match="janus-pp-rec"):  # missing here, or there is no packet in the file
        await Clips(tmp_path).make(TABLE, now_ms, now_ms + 1)
    with pytest.raises(ClipFailed, match="No such file"):
        await Clips(tmp_path / "nowhere").make(TABLE, now_ms, now_ms)
