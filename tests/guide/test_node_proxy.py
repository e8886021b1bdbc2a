"""The sample for nginx in front of two nodes: players go on at the second while the first is gone."""

from pathlib import Path
from urllib.parse import urlsplit

import httpx
import msgspec
import pytest

from croupier.protocol import wire
from tests.faults.nodes import running_cluster
from tests.guide.pages import GUIDE
from tests.guide.test_proxies import (
    Certificate,
    certificate,
    client,
    free_port,
    needs_nginx,
    nginx,
    play,
    running,
)
from tests.support.nats_server import needs_nats
from tests.support.server_process import ServerProcess

__all__ = ["certificate"]
pytestmark = pytest.mark.anyio


def with_addresses(sample: str, name: str, node: ServerProcess) -> str:
    """Return the sample with the two ports of a node."""
    info = msgspec.json.decode(httpx.get(f"{node.address}/api/server").content, type=wire.ServerInfo)
    assert info.socket_port
    pages = urlsplit(node.address).netloc
    return sample.replace(f"{name}:8000", pages).replace(f"{name}:8001", f"127.0.0.1:{info.socket_port}")


@needs_nginx
@needs_nats
async def test_players_go_on_at_the_second_node(tmp_path: Path, certificate: Certificate) -> None:
    port = free_port()
    public = f"https://127.0.0.1:{port}"
    options = ("--proxy", "127.0.0.1", "--public-socket", f"wss://127.0.0.1:{port}/ws")
    with running_cluster(tmp_path, *options) as cluster:
        one, two = cluster.nodes
        sample = (GUIDE / "nginx-nodes.conf").read_text().replace("listen 443", f"listen 127.0.0.1:{port}")
        sample = with_addresses(with_addresses(sample, "one.internal", one), "two.internal", two)
        with running(nginx(tmp_path, sample, certificate), port, tmp_path):
            await play(public)
            async with client(public) as browser:
                before = msgspec.json.decode((await browser.post("/api/guest")).content, type=wire.Me)
                one.kill()
                after = msgspec.json.decode((await browser.get("/api/me")).content, type=wire.Me)
            assert after.player == before.player
            await play(public)
