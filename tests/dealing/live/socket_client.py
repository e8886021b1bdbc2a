"""Players of a server process, over real sockets."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

from websockets.exceptions import ConnectionClosed

from croupier.protocol import wire
from tests.dealing.live.player import Player
from tests.support import preloaded
from tests.support.browser_connection import Browser
from tests.support.server_process import CROUPIER, ServerProcess


def configured_server(data: Path, config_toml: str) -> ServerProcess:
    """Return a server process with this configuration."""
    file = data.parent / f"{data.name}.toml"
    file.write_text(config_toml)
    return ServerProcess(data, options=("--config", str(file)))


def verify(server: ServerProcess) -> str:
    """Return the report of `croupier verify` on the server's data, which must have no errors."""
    completed = preloaded.run([*CROUPIER, "verify", "--data", str(server.data)])
    assert completed.returncode == 0, completed.stdout
    return completed.stdout


class PlayerClient:
    """A player's client: one connection after the other, each with a `Player` that stores its messages."""

    def __init__(self, browser: Browser) -> None:
        self.browser = browser
        self.player = Player(lambda _: None)
        self._tasks: list[asyncio.Task[None]] = []
        self._outgoing: asyncio.Queue[bytes] = asyncio.Queue()

    async def connect(self, *tables: wire.ResumedTable) -> Player:
        self._outgoing = asyncio.Queue()
        self.player = player = Player(self._outgoing.put_nowait)
        await self.browser.connect()
        self._tasks = [asyncio.create_task(self._receive(player)), asyncio.create_task(self._send())]
        await player.hello(*tables)
        return player

    async def disconnect(self) -> None:
        for task in self._tasks:
            task.cancel()
        await self.browser.disconnect()

    def drop(self) -> None:
        """Abort the connection without a close frame, as a network failure does."""
        for task in self._tasks:
            task.cancel()
        self.browser.socket.transport.abort()

    async def _receive(self, player: Player) -> None:
        with suppress(ConnectionClosed):
            async for frame in self.browser.socket:
                player.receive(frame.encode() if isinstance(frame, str) else frame)
        player.connection_lost()

    async def _send(self) -> None:
        with suppress(ConnectionClosed):
            while True:
                await self.browser.socket.send(await self._outgoing.get(), text=True)


@asynccontextmanager
async def connected_guest(address: str, former: PlayerClient | None = None) -> AsyncIterator[PlayerClient]:
    """Connect a guest, a new one or that of a former client, and say hello."""
    async with Browser(address) as browser:
        if former:
            browser.http.cookies = former.browser.http.cookies
        else:
            await browser.guest()
        client = PlayerClient(browser)
        await client.connect()
        try:
            yield client
        finally:
            await client.disconnect()
