"""Watching a dealer by HLS: who gets the address and the files, and for how long."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from unittest.mock import Mock

import httpx
import pytest
from prometheus_client import generate_latest

from croupier.app.operations.camera_metrics import camera_metrics
from croupier.config.hls import HLS_SECRET_VARIABLE
from croupier.config.media import SECRET_VARIABLE
from croupier.gateway.sockets import PLAYER_COOKIE
from croupier.protocol import wire
from croupier.video.hls import streams
from tests.dealing.live.in_process import SLOW, Guest
from tests.dealing.live.player import INFINITE
from tests.gateway.filmed import Filmed, cookie_of, filmed_site
from tests.gateway.test_cameras import disconnect, exclude, leave, refusal, seated, sign_out
from tests.support.fake_ffmpeg import FakeFfmpeg

pytestmark = [
    pytest.mark.anyio,
    pytest.mark.filterwarnings("ignore::litestar.exceptions.LitestarDeprecationWarning"),
]

SECRET = "sixteen characters or more"
WAIT_S = 5.0
BLOCK = """
[media]
url = "janus://127.0.0.1:8188"

[media.hls]
folder = "{folder}"
webrtc_viewers_max = 1
video_delay_ms = 2500
{more}
"""


@pytest.fixture(autouse=True)
def set_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ffmpeg = FakeFfmpeg(tmp_path / "bin")
    monkeypatch.setenv("PATH", str(ffmpeg.program.parent), prepend=":")
    monkeypatch.setenv(SECRET_VARIABLE, SECRET)
    monkeypatch.setattr(streams, "SETTLED_S", 0.02)
    monkeypatch.setattr(streams, "STEP_S", 0.01)


@asynccontextmanager
async def streaming(tmp_path: Path, more: str = "") -> AsyncIterator[Filmed]:
    """Start a site whose table is on camera, with a stream that can be played."""
    (folder := tmp_path / "hls").mkdir()
    block = BLOCK.format(folder=folder, more=more)
    async with filmed_site(tmp_path / "site", SLOW + block) as filmed:
        await filmed.server.cameras.publish(INFINITE, "v=0 dealer")
        async with asyncio.timeout(WAIT_S):
            while not filmed.server.streams.playable:  # noqa: ASYNC110 - nothing tells of it
                await asyncio.sleep(0.01)
        yield filmed


async def address(filmed: Filmed, guest: Guest) -> str:
    answer = await filmed.post_as(guest, "/camera/stream", table=INFINITE)
    assert answer.status_code == 200, answer.text
    return str(answer.json()["url"])


async def load(filmed: Filmed, guest: Guest, url: str) -> httpx.Response:
    return await filmed.http.get(url, headers={"Cookie": cookie_of(PLAYER_COOKIE, guest.token)})


async def test_a_player_at_the_table_loads_the_stream(tmp_path: Path) -> None:
    async with streaming(tmp_path) as filmed:
        guest = await seated(filmed)
        (update,) = (one for one in guest.connection.player.messages if isinstance(one, wire.CameraUpdate))
        assert (update.stream > 0, update.video_delay_ms) == (True, 2500)
        url = await address(filmed, guest)
        master = await load(filmed, guest, url)
        assert (master.status_code, master.text) == (200, "#EXTM3U\n")
        assert master.headers["content-type"] == "application/vnd.apple.mpegurl"
        assert master.headers["cache-control"] == "no-cache"
        segment = await load(filmed, guest, url.replace("master.m3u8", "high-0.m4s"))
        assert (segment.status_code, segment.content) == (200, b"segment\n")
        assert "immutable" in segment.headers["cache-control"]
        for name in ("high-1.m4s", "..%2Fhigh-0.m4s", "High.m3u8", "a.txt"):
            assert (await load(filmed, guest, url.replace("master.m3u8", name))).status_code == 404, name
        assert 'croupier_stream_viewers{table="infinite"} 1.0' in metrics(filmed)
        await filmed.server.cameras.unpublish(INFINITE)
        assert (await load(filmed, guest, url)).status_code == 404
        assert 'croupier_stream{table="infinite"} 0.0' in metrics(filmed)


def metrics(filmed: Filmed) -> str:
    server = filmed.server
    collector = Mock(collect=lambda: camera_metrics(server.cameras, server.recorder, server.streams))
    return generate_latest(collector).decode()


async def test_others_get_neither_the_address_nor_the_files(tmp_path: Path) -> None:
    async with streaming(tmp_path) as filmed:
        url = await address(filmed, await seated(filmed))
        stranger = await filmed.new_guest()
        answer = await filmed.post_as(stranger, "/camera/stream", table=INFINITE)
        assert refusal(answer) == (409, "not_joined")
        assert refusal(await load(filmed, stranger, url)) == (409, "not_joined")
        assert refusal(await filmed.http.get(url)) == (401, "not_signed_in")
        for depart in (leave, disconnect, sign_out, exclude):
            guest = await seated(filmed)
            assert (await load(filmed, guest, url)).status_code == 200
            await depart(filmed, guest)
            await asyncio.sleep(0.05)
            assert (await load(filmed, guest, url)).status_code in (401, 409), depart


async def test_a_table_without_a_dealer_on_camera_has_no_stream(tmp_path: Path) -> None:
    async with streaming(tmp_path) as filmed:
        guest = await seated(filmed)
        await guest.connection.player.join("live_roulette")
        answer = await filmed.post_as(guest, "/camera/stream", table="live_roulette")
        assert refusal(answer) == (409, "no_picture")


async def test_viewers_beyond_the_limit_of_webrtc_are_refused(tmp_path: Path) -> None:
    async with streaming(tmp_path) as filmed:
        first, second = await seated(filmed), await seated(filmed)
        assert (await filmed.post_as(first, "/camera/watch", table=INFINITE)).status_code == 200
        answer = await filmed.post_as(second, "/camera/watch", table=INFINITE)
        assert refusal(answer) == (409, "camera_unavailable")
        await leave(filmed, first)
        async with asyncio.timeout(WAIT_S):
            await filmed.media.unwatched.wait()
        assert (await filmed.post_as(second, "/camera/watch", table=INFINITE)).status_code == 200


async def test_the_address_at_another_server_is_signed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(HLS_SECRET_VARIABLE, SECRET)
    async with streaming(tmp_path, 'url = "https://streams.example/hls/"') as filmed:
        guest = await seated(filmed)
        first = await address(filmed, guest)
        *_, expires, stream, name = first.split("/")
        assert first.startswith("https://streams.example/hls/")
        assert int(expires) > 0
        assert (tmp_path / "hls" / stream / name).exists()
        page = await filmed.http.get("/")
        assert "https://streams.example;" in page.headers["Content-Security-Policy"]
