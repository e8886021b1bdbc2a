"""A full garbage collection pauses a server with many players, so it is rare, and sessions need none."""

import asyncio
import gc
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import Future
from functools import partial
from pathlib import Path
from unittest.mock import patch

import msgspec
import pytest
from websockets.asyncio.client import connect

from croupier.app import serve
from croupier.gateway.client_session import ClientSession
from croupier.gateway.server import Server
from croupier.gateway.sockets import PLAYER_COOKIE, socket_server
from croupier.gateway.websocket_connection import SocketEndpoint
from croupier.protocol import wire
from tests.dealing.live.in_process import running_server
from tests.dealing.live.player import INFINITE

pytestmark = pytest.mark.anyio
VISITS = 10
COMMANDS: tuple[wire.Command, ...] = (
    wire.Hello(wire.PROTOCOL),
    wire.Join("join", INFINITE, "EUR"),
    wire.Join("own", "classic", "EUR"),
    wire.PlaceBet("bet", INFINITE, "none", (wire.Stake(0, "main", 100),)),
    wire.Leave("leave", INFINITE),
    wire.Ping(),
)


@pytest.fixture
def no_collection() -> Iterator[None]:
    gc.collect()
    gc.disable()
    yield
    gc.enable()


async def visit(server: Server, port: int) -> None:
    """Connect a new guest, send COMMANDS and disconnect."""
    cookie, address = f"{PLAYER_COOKIE}={await server.sessions.add_guest()}", f"127.0.0.1:{port}"
    headers = {"Origin": f"http://{address}", "Cookie": cookie}
    async with connect(f"ws://{address}/ws", additional_headers=headers) as connection:
        for command in COMMANDS:
            await connection.send(msgspec.json.encode(command).decode())
        while msgspec.json.decode(await connection.recv())["t"] != "pong":
            pass


@pytest.mark.usefixtures("no_collection")
async def test_a_session_leaves_no_reference_cycle(tmp_path: Path) -> None:
    async with running_server(tmp_path) as server:
        endpoints = {"/ws": SocketEndpoint(PLAYER_COOKIE, partial(ClientSession, server), lambda _: True)}
        async with socket_server(endpoints, "127.0.0.1", 0) as port:
            for _ in range(VISITS):
                await visit(server, port)
            while len(server.players):  # noqa: ASYNC110 - until the last connection has ended
                await asyncio.sleep(0.01)
            await asyncio.sleep(0.1)
            left = Counter(type(one) for one in gc.get_objects() if type(one) in (ClientSession, Future))
    assert not left[ClientSession]
    assert left[Future] < VISITS, "threads still have the last ones"


@pytest.mark.parametrize(("guests", "collections"), [(0, 12), (serve.FEW_PLAYERS + 1, 3)])
async def test_full_collections_are_rare_with_many_players(guests: int, collections: int) -> None:
    made, slept = list[None](), iter(range(12))

    async def sleep(_seconds: float) -> None:
        if next(slept, None) is None:
            raise asyncio.CancelledError

    class FakeServer:
        players = range(guests)

    with (
        patch.object(serve, "CHECKS_WITHOUT_FULL_GC_MAX", 4),
        patch.object(asyncio, "sleep", sleep),
        patch.object(gc, "collect", lambda: made.append(None)),
        pytest.raises(asyncio.CancelledError),
    ):
        await serve._collect_garbage(FakeServer())  # type: ignore[arg-type]
    assert len(made) == collections
