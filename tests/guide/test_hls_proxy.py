"""The guide's sample for nginx that serves dealers' pictures: signed addresses, and what caches may keep."""

import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from croupier.protocol.signatures import Secret
from croupier.video.hls.signed_paths import signed_path
from tests.guide.pages import GUIDE
from tests.guide.test_proxies import Certificate, certificate, free_port, needs_nginx, nginx, running

__all__ = ["certificate"]
pytestmark = needs_nginx
SECRET = "sixteen characters or more"
STREAM = "0123456789abcdef" * 2
MASTER, SEGMENT = b"#EXTM3U\n", b"segment"


@pytest.fixture
def streams(tmp_path: Path, certificate: Certificate) -> Iterator[httpx.Client]:
    """A client of nginx that runs the sample, apart from port, folder and secret."""
    (stream := tmp_path / "hls" / STREAM).mkdir(parents=True)
    (stream / "master.m3u8").write_bytes(MASTER)
    (stream / "high-12.m4s").write_bytes(SEGMENT)
    (stream / "other.txt").write_bytes(SEGMENT)
    port = free_port()
    sample = (GUIDE / "nginx-hls.conf").read_text().replace("streams.example.", "tables.example.")
    for of_the_sample, here in (
        ("listen 443", f"listen 127.0.0.1:{port}"),
        ("THE-SECRET", SECRET),
        ("/run/croupier-hls", str(tmp_path / "hls")),
    ):
        assert of_the_sample in sample
        sample = sample.replace(of_the_sample, here)
    (folder := tmp_path / "nginx").mkdir()
    with (
        running(nginx(folder, sample, certificate), port, folder),
        httpx.Client(base_url=f"https://127.0.0.1:{port}/hls/", verify=False) as client,
    ):
        yield client


def path(expires_s: float, secret: str = SECRET) -> str:
    return signed_path(Secret(secret.encode()), STREAM, int(expires_s))


def test_files_are_served_at_signed_addresses_until_these_expire(streams: httpx.Client) -> None:
    valid = path(time.time() + 30)
    master, segment = (streams.get(f"{valid}/{name}") for name in ("master.m3u8", "high-12.m4s"))
    assert (master.status_code, master.content, segment.content) == (200, MASTER, SEGMENT)
    assert master.headers["Content-Type"] == "application/vnd.apple.mpegurl"
    assert master.headers["Cache-Control"] == "no-cache"
    assert "immutable" in segment.headers["Cache-Control"]
    assert segment.headers["Access-Control-Allow-Origin"] == "https://tables.example"
    assert streams.get(f"{path(time.time() - 1)}/master.m3u8").status_code == 410


def test_other_addresses_are_refused(streams: httpx.Client) -> None:
    now = time.time()
    valid = path(now + 30)
    forged = path(now + 30, secret="another one of sixteen")
    later = valid.replace(f"/{int(now + 30)}/", f"/{int(now + 60)}/")
    assert streams.get(f"{forged}/master.m3u8").status_code == 403
    assert streams.get(f"{later}/master.m3u8").status_code == 403
    for name in ("other.txt", "high-13.m4s", f"../{STREAM[::-1]}/master.m3u8", ""):
        assert streams.get(f"{valid}/{name}").status_code in (403, 404), name
    assert streams.get(f"{STREAM}/master.m3u8").status_code in (403, 404)
