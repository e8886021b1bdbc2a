"""The streams by HLS: runs of ffmpeg, which may fail, and what is left of them."""

import asyncio
import subprocess
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import NamedTuple

import pytest

from croupier.admission.balances import BalanceCache
from croupier.config.hls import ConfiguredHls, HlsConfig
from croupier.config.ice import ConfiguredIce
from croupier.players.connected_players import ConnectedPlayers
from croupier.video.cameras import Cameras
from croupier.video.hls import packager, streams
from croupier.video.hls.ladder import ffmpeg_command, free_ports, session_description
from croupier.video.hls.streams import Streams
from croupier.video.ice import IceServers
from tests.support.fake_ffmpeg import FakeFfmpeg
from tests.support.media import FakeMedia
from tests.video.test_recordings import becomes

pytestmark = pytest.mark.anyio

TABLE = "live-table"


class Streaming(NamedTuple):
    streams: Streams
    cameras: Cameras
    media: FakeMedia
    ffmpeg: FakeFfmpeg
    folder: Path

    def number(self) -> int:
        """Return the number that players are told."""
        update = self.cameras.update(TABLE)
        assert update is not None
        return update.stream


@pytest.fixture(autouse=True)
def fast(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, seconds in (("CHECK_S", 0.02), ("START_S", 1.0), ("STALE_S", 0.3)):
        monkeypatch.setattr(packager, name, seconds)
    for name, seconds in (("STEP_S", 0.01), ("SETTLED_S", 0.03), ("MORE_S", 0.1), ("KEEP_S", 0.1)):
        monkeypatch.setattr(streams, name, seconds)
    monkeypatch.setattr(streams, "RETRIES_S", (0.01, 0.05))


@asynccontextmanager
async def streaming(tmp_path: Path) -> AsyncIterator[Streaming]:
    media, ffmpeg, folder = FakeMedia(), FakeFfmpeg(tmp_path / "bin"), tmp_path / "hls"
    folder.mkdir(exist_ok=True)
    config = ConfiguredHls(HlsConfig(str(folder)))
    players = ConnectedPlayers(BalanceCache())
    cameras = Cameras(media, [TABLE], [TABLE], players, IceServers(ConfiguredIce()), config)
    packaged = Streams(cameras, media, config, str(ffmpeg.program))
    cameras.start()
    packaged.start()
    try:
        yield Streaming(packaged, cameras, media, ffmpeg, folder)
    finally:
        await packaged.close()
        await cameras.close()
    assert not list(folder.glob("?" * 32)), "nothing is left"


async def test_a_picture_has_a_stream_until_it_ends(tmp_path: Path) -> None:
    async with streaming(tmp_path) as at:
        await at.media.publish(TABLE, "v=0")
        assert at.number() == 0, "it can't be played yet"
        await becomes(at.number)
        first = at.number()
        assert list(at.streams.playable) == [TABLE]
        (folder,) = at.ffmpeg.runs
        assert folder.parent == at.folder
        modes = [path.stat().st_mode & 0o777 for path in (folder, folder / "high.m3u8")]
        assert modes == [0o755, 0o644], "another server may read them"
        await at.media.unpublish(TABLE)
        assert (at.number(), list(at.streams.playable)) == (0, [])
        await becomes(lambda: not folder.exists())
        await at.media.publish(TABLE, "v=0")
        await becomes(lambda: at.number() > first)
        assert at.ffmpeg.runs[1] != folder, "no cache has seen its names"
        assert len(at.media.forwarded[TABLE]) == 2


async def test_ffmpeg_that_ends_or_hangs_is_run_again(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async with streaming(tmp_path) as at:
        await at.media.publish(TABLE, "v=0")
        await becomes(at.number)
        first = at.number()
        at.ffmpeg.does("fails")
        await becomes(lambda: at.streams.errors[TABLE] > 2)
        assert at.number() == 0
        assert "ffmpeg has ended with status 3. Its last words: Invalid data found" in caplog.text
        at.ffmpeg.does("writes")
        await becomes(lambda: at.number() > first)
        second = at.number()
        at.ffmpeg.does("stalls")
        await becomes(lambda: "nothing is written any more" in caplog.text)
        at.ffmpeg.does("writes")
        await becomes(lambda: at.number() > second)
        assert len(at.media.forwarded[TABLE]) == 1, "the ports stay the same"


async def test_a_stream_that_never_begins_is_given_up_and_a_frozen_dealer_is_waited_for(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async with streaming(tmp_path) as at:
        at.ffmpeg.does("stalls")
        await at.media.publish(TABLE, "v=0")
        await becomes(lambda: "no playlists after 1 s" in caplog.text)
        at.ffmpeg.does("writes")
        await becomes(at.number)
        number, errors = at.number(), at.streams.errors[TABLE]
        at.ffmpeg.does("stalls")
        at.media.sent = frozenset()
        await asyncio.sleep(0.6)
        assert (at.streams.errors[TABLE], at.number()) == (errors, number)


async def test_layers_that_a_browser_adds_later_are_packaged_by_another_run(tmp_path: Path) -> None:
    async with streaming(tmp_path) as at:
        at.media.sent = frozenset({"low"})
        await at.media.publish(TABLE, "v=0")
        await becomes(at.number)
        first = at.number()
        at.media.sent = frozenset({"low", "medium", "high"})
        await becomes(lambda: at.number() > first)
        assert at.streams.errors[TABLE] == 0


async def test_a_media_server_that_does_not_forward_is_asked_again(tmp_path: Path) -> None:
    async with streaming(tmp_path) as at:
        await at.media.publish(TABLE, "v=0")
        at.media.available = False
        await becomes(lambda: at.streams.errors[TABLE] > 1)
        at.media.available = True
        await becomes(at.number)


async def test_what_an_earlier_run_left_is_removed_and_nothing_else(tmp_path: Path) -> None:
    (left := tmp_path / "hls" / ("0" * 32)).mkdir(parents=True)
    (other := tmp_path / "hls" / "other").mkdir()
    async with streaming(tmp_path):
        assert (left.exists(), other.exists()) == (False, True)


async def test_without_a_folder_or_a_program_the_table_goes_on(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async with streaming(tmp_path) as at:
        at.ffmpeg.program.unlink()
        await at.media.publish(TABLE, "v=0")
        await becomes(lambda: at.streams.errors[TABLE] > 0)
        at.folder.rename(tmp_path / "elsewhere")
        await becomes(lambda: "No such file or directory" in caplog.text)
        assert at.cameras.state(TABLE) == "on"
        (tmp_path / "elsewhere").rename(at.folder)


def test_the_ladder_is_described_best_first() -> None:
    ports = free_ports()
    assert all(port % 2 == 0 for port in (ports.voice, *ports.layers.values()))
    assert len({ports.voice, *ports.layers.values()}) == 4
    described = session_description(ports, {"low", "high"})
    video = [line.split()[1] for line in described.splitlines() if line.startswith("m=video")]
    assert video == [str(ports.layers["high"]), str(ports.layers["low"])]
    command = ffmpeg_command("ffmpeg", Path("/run/s"), ports, {"low", "high"})
    assert (
        command[command.index("-var_stream_map") + 1] == "v:0,a:0,name:high v:1,a:1,name:low a:2,name:voice"
    )


def test_ffmpeg_ends_with_the_server(tmp_path: Path) -> None:
    """Even if the server is killed; nothing else would end it."""
    command = ffmpeg_command("sleep", tmp_path, free_ports(), {"low"})
    prefix = command[: command.index("sleep")]
    if "--pdeathsig" not in prefix:
        pytest.skip("setpriv isn't installed")
    shell = ["sh", "-c", '"$@" & echo $!; wait', "sh", *prefix, "sleep", "60"]
    with subprocess.Popen(shell, stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout
        child = Path("/proc") / parent.stdout.readline().strip()
        until(lambda: (child / "cmdline").read_text().startswith("sleep"))
        parent.kill()
    until(lambda: not child.exists() or "State:\tZ" in (child / "status").read_text())


def until(true: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 5
    while not true():
        assert time.monotonic() < deadline
        time.sleep(0.01)
