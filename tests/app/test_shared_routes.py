"""Servers of one process share their routes, and each answers from its own objects."""

from contextlib import ExitStack
from pathlib import Path
from typing import Any

import httpx
import pytest

from croupier.app.serve import CLIENT
from croupier.app.site import create_site
from croupier.gateway.origins import PublicOrigins, origin_of_socket
from croupier.gateway.server import Server
from croupier.staff.service import StaffService
from tests.support.in_process import server_dealing

pytestmark = [
    pytest.mark.anyio,
    pytest.mark.filterwarnings("ignore::litestar.exceptions.LitestarDeprecationWarning"),
]


NAMES = ("one", "two")


async def test_each_site_answers_from_its_own_server(tmp_path: Path) -> None:
    with ExitStack() as open_servers:
        servers = [open_servers.enter_context(server_dealing(tmp_path / name, ())) for name in NAMES]
        for name, site in zip(NAMES, [*map(_site, servers, NAMES)], strict=True):
            async with httpx.AsyncClient(transport=httpx.ASGITransport(site), base_url="http://here") as http:
                assert (await http.get("/api/server")).json()["socket"] == f"wss://{name}.example/ws"
                codes = [(await _become_guest(http, page)).status_code for page in NAMES]
                assert codes == [200 if page == name else 403 for page in NAMES]


def _site(server: Server, name: str) -> Any:
    socket = f"wss://{name}.example/ws"
    origin = origin_of_socket(socket)
    assert origin is not None
    origins = PublicOrigins(0, frozenset({origin}))
    return create_site(server, StaffService(server), CLIENT, socket, 0, origins)


async def _become_guest(http: httpx.AsyncClient, page: str) -> httpx.Response:
    """Ask for a guest from a page of a site."""
    return await http.post("/api/guest", headers={"Origin": f"https://{page}.example"})
