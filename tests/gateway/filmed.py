"""A site without a network whose tables have cameras, at a fake media server."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, NamedTuple

import httpx
import msgspec

from croupier.app.serve import CLIENT
from croupier.app.site import create_site
from croupier.gateway.cookies import session_cookie
from croupier.gateway.origins import PublicOrigins
from croupier.gateway.server import Server
from croupier.gateway.sockets import PLAYER_COOKIE
from croupier.staff.service import StaffService
from tests.dealing.live.in_process import SLOW, Guest, new_guest, running_server
from tests.support.media import FakeMedia

ORIGIN = "http://127.0.0.1"


class Filmed(NamedTuple):
    """The parts of the site. `http` sends requests as a page of the site does."""

    server: Server
    staff: StaffService
    media: FakeMedia
    http: httpx.AsyncClient

    async def post(self, path: str, body: object, cookie: str = "", **headers: str) -> httpx.Response:
        return await self.http.post(
            f"/api{path}", content=msgspec.json.encode(body), headers={"Cookie": cookie, **headers}
        )

    async def post_as(self, guest: Guest, path: str, **body: str) -> httpx.Response:
        """Send a request of a guest's browser."""
        return await self.post(path, body, cookie_of(PLAYER_COOKIE, guest.token))

    async def new_guest(self) -> Guest:
        return await new_guest(self.server)


def cookie_of(name: str, token: str) -> str:
    cookie = session_cookie(name, token, "http")
    return f"{cookie.key}={cookie.value}"


@asynccontextmanager
async def filmed_site(folder: Path, config_toml: str = SLOW) -> AsyncIterator[Filmed]:
    """Start a site whose live tables all may have a camera."""
    media = FakeMedia()
    async with running_server(folder, config_toml, media) as server:
        staff = StaffService(server)
        site: Any = create_site(server, staff, CLIENT, "", 80, PublicOrigins(80))
        transport = httpx.ASGITransport(site)
        async with httpx.AsyncClient(
            transport=transport, base_url=ORIGIN, headers={"Origin": ORIGIN}
        ) as http:
            yield Filmed(server, staff, media, http)
