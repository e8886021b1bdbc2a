"""A search among all that thousands of players have holds everybody up: it is seldom, and hardly needed."""

import asyncio
import gc
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from unittest.mock import patch

import msgspec
import pytest
from websockets.asyncio.client import connect

from croupier.app import serve
from croupier.gateway.client_session import ClientSession
from croupier.gateway.sockets import PLAYER_COOKIE, SOCKETS, SocketEndpoint
from croupier.protocol import wire
from croupier.runtime.server import Server
from tests.runtime.live.in_process import server_in
from tests.runtime.live.player import INFINITE

pytestmark = pytest.mark.anyio
VISITS = 5
SAID: tuple[wire.Command, ...] = (
    wire.Hello(wire.PROTOCOL),
    wire.Join("join", INFINITE, "EUR"),
    wire.Join("own", "classic", "EUR"),
    wire.PlaceBet("bet", INFINITE, "none", (wire.Stake(0, "main", 100),)),
    wire.Leave("leave", INFINITE),
    wire.Ping(),
)


@pytest.fixture
def no_search() -> Iterator[None]:
    gc.collect()
    gc.disable()
    yield
    gc.enable()


async def visit(house: Server, port: int) -> None:
    """All of it, to the goodbye."""
    cookie, address = f"{PLAYER_COOKIE}={await house.sessions.add_guest()}", f"127.0.0.1:{port}"
    headers = {"Origin": f"http://{address}", "Cookie": cookie}
    async with connect(f"ws://{address}/ws", additional_headers=headers) as line:
        for command in SAID:
            await line.send(msgspec.json.encode(command).decode())
        while msgspec.json.decode(await line.recv())["t"] != "pong":
            pass


@pytest.mark.parametrize("library", SOCKETS)
@pytest.mark.usefixtures("no_search")
async def test_a_visit_leaves_nothing_that_has_to_be_searched_for(tmp_path: Path, library: str) -> None:
    async with server_in(tmp_path) as house:
        endpoints = {"/ws": SocketEndpoint(PLAYER_COOKIE, partial(ClientSession, house), lambda _: True)}
        async with SOCKETS[library](endpoints, "127.0.0.1", 0) as port:
            for _ in range(VISITS):
                await visit(house, port)
            while len(house.players):  # noqa: ASYNC110 - until the last line is down
                await asyncio.sleep(0.01)
            await asyncio.sleep(0.1)
            visitors = [one for one in gc.get_objects() if type(one) is ClientSession]
    assert visitors == []


@pytest.mark.parametrize(("guests", "searches"), [(0, 12), (serve.FEW_GUESTS + 1, 3)])
async def test_a_crowded_house_is_searched_seldom(guests: int, searches: int) -> None:
    made, slept = list[None](), iter(range(12))

    async def sleep(_seconds: float) -> None:
        if next(slept, None) is None:
            raise asyncio.CancelledError

    class Here:
        players = range(guests)

    with (
        patch.object(serve, "CROWDED_TIMES", 4),
        patch.object(asyncio, "sleep", sleep),
        patch.object(gc, "collect", lambda: made.append(None)),
        pytest.raises(asyncio.CancelledError),
    ):
        await serve._collect_garbage(Here())  # type: ignore[arg-type]
    assert len(made) == searches
