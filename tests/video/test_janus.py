"""The adapter for Janus, against a real one: rooms, wrong offers, and a media server that comes back."""

import asyncio
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from croupier.config.media import ConfiguredMedia
from croupier.protocol.signatures import Secret
from croupier.video.janus.media import JanusMedia
from croupier.video.port import MediaUnavailable
from tests.support.janus import SECRET, JanusProcess, needs_janus
from tools.janus import install, write_configuration

pytestmark = [pytest.mark.anyio, needs_janus]

NOTICED_S = 7.0
PUBLIC = "203.0.113.9"
USED = ["libjanus_videoroom.so", "libjanus_websockets.so"]
FINGERPRINT = ":".join(f"{byte:02X}" for byte in range(32))
OFFER = "\r\n".join(
    [
        "v=0",
        "o=- 1 1 IN IP4 127.0.0.1",
        "s=-",
        "t=0 0",
        "a=group:BUNDLE 0",
        "m=video 9 UDP/TLS/RTP/SAVPF 96",
        "c=IN IP4 0.0.0.0",
        "a=ice-ufrag:abcd",
        "a=ice-pwd:abcdefghijklmnopqrstuvwx",
        f"a=fingerprint:sha-256 {FINGERPRINT}",
        "a=setup:actpass",
        "a=mid:0",
        "a=sendonly",
        "a=rtcp-mux",
        "a=rtpmap:96 VP8/90000",
        "",
    ]
)
"""The offer of a browser that sends one picture."""


@asynccontextmanager
async def connected(janus: JanusProcess, secret: str = SECRET) -> AsyncIterator[JanusMedia]:
    media = JanusMedia(ConfiguredMedia("127.0.0.1", janus.port, Secret(secret.encode())))
    media.start(lambda _table, _state: None, lambda: None)
    try:
        yield media
    finally:
        await media.close()


async def available(media: JanusMedia, *, wanted: bool = True) -> None:
    """Wait until the media server can be reached, or no longer can."""
    async with asyncio.timeout(NOTICED_S):
        while media.available != wanted:  # noqa: ASYNC110 - the port has no event
            await asyncio.sleep(0.02)


async def test_a_restarted_server_takes_over_its_rooms_and_janus_may_come_back(tmp_path: Path) -> None:
    janus = JanusProcess(tmp_path / "janus")
    async with connected(janus) as media:
        with pytest.raises(MediaUnavailable):
            await media.publish("infinite", OFFER)
        janus.start()
        try:
            await available(media)
            assert "a=mid:0" in await media.publish("infinite", OFFER)
            async with connected(janus) as restarted:
                await available(restarted)
                assert "a=mid:0" in await restarted.publish("infinite", OFFER)
            with pytest.raises(MediaUnavailable):
                await media.publish("infinite", "not a session description")
            janus.kill()
            await available(media, wanted=False)
            janus.start()
            await available(media)
            assert "a=mid:0" in await media.publish("infinite", OFFER)
        finally:
            janus.kill()


def test_only_what_is_used_is_enabled(tmp_path: Path) -> None:
    write_configuration(tmp_path, SECRET, "", public_address=PUBLIC, config_folder=Path("/etc/elsewhere"))
    text = (tmp_path / "janus.jcfg").read_text()
    (folder,) = Path("/usr/lib").glob("*-linux-gnu/janus")
    names = [library.name for kind in ("plugins", "transports") for library in (folder / kind).glob("*.so")]
    assert [name for name in names if name not in text] == USED
    assert 'configs_folder = "/etc/elsewhere"' in text


def test_a_trial_installs_what_is_missing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    done = tmp_path / "done"
    for name, text in (("apt-get", f"echo $* >>{done}"), ("systemctl", f"echo $* >>{done}"), ("ffmpeg", "")):
        program = tmp_path / name
        program.write_text(f"#!/bin/sh\n{text}\n")
        program.chmod(0o700)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(os, "getuid", lambda: 0)
    install()
    installed = "install --no-install-recommends janus janus-tools"
    assert done.read_text().splitlines() == [installed, "disable --now janus"]


async def test_behind_a_translation_only_the_public_address_is_offered(tmp_path: Path) -> None:
    janus = JanusProcess(tmp_path / "janus", PUBLIC)
    janus.start()
    try:
        async with connected(janus) as media:
            await available(media)
            answer = await media.publish("infinite", OFFER)
        candidates = [line.split() for line in answer.splitlines() if line.startswith("a=candidate")]
        assert {candidate[4] for candidate in candidates} == {PUBLIC}
    finally:
        janus.kill()


async def test_a_wrong_secret_is_logged_once_and_opens_nothing(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    janus = JanusProcess(tmp_path / "janus")
    janus.start()
    try:
        async with connected(janus, "another secret of this length") as media:
            await asyncio.sleep(1.2)
            assert not media.available
        assert [record.levelname for record in caplog.records] == ["WARNING"]
        assert "another secret" not in caplog.text
    finally:
        janus.kill()
