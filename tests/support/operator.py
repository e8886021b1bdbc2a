"""The server of an operator that sends its own players."""

import secrets
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import msgspec

from croupier.protocol import wire
from croupier.protocol.signatures import Secret, signed_headers
from tests.support.server_process import ServerProcess

KEY = b"the operator's secret key"
SECRET = Secret(KEY)
CONFIG = """
[operator]
secret_file = "operator.secret"
jurisdictions = ["GB", "MT"]
"""


@contextmanager
def operated_server(folder: Path, blocks: str = "") -> Iterator[ServerProcess]:
    """Yield a server whose operator sends players; it leaks no secret. `blocks` are further configuration."""
    (folder / "operator.secret").write_bytes(KEY)
    (folder / "server.toml").write_text(CONFIG + blocks)
    server = ServerProcess(folder / "data", options=("--config", str(folder / "server.toml"))).start()
    yield server
    assert server.stop() == 0
    log = server.log.read_text()
    assert "Traceback" not in log
    assert KEY.decode() not in log


def new_launch(player: str = "", **changed: Any) -> wire.Launch:
    usual = wire.Launch(secrets.token_hex(8), player or f"player-{secrets.token_hex(4)}", "GC", "en", "GB")
    return msgspec.structs.replace(usual, **changed)


def request_launch(
    address: str, launch: object, secret: Secret = SECRET, *, late_s: int = 0, body: bytes = b""
) -> httpx.Response:
    """Send the operator's request; `body` replaces the signed one."""
    content = msgspec.json.encode(launch)
    headers = signed_headers(secret, content, int(time.time()) - late_s)
    return httpx.post(f"{address}/api/operator/sessions", content=body or content, headers=headers)


def link_of(address: str, launch: wire.Launch, secret: Secret = SECRET) -> wire.LaunchLink:
    answer = request_launch(address, launch, secret)
    assert answer.status_code == 200, answer.text
    return msgspec.json.decode(answer.content, type=wire.LaunchLink)
