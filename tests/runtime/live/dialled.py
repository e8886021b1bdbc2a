"""Players of a server process, over real sockets."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

from websockets.exceptions import ConnectionClosed

from croupier.protocol import wire
from tests.runtime.live.player import Player
from tests.support.browser_connection import Browser
from tests.support.server_process import HouseProcess


def live_house(data: Path, floor: str, socket: str = "picows") -> HouseProcess:
    """Return a server with this configuration."""
    file = data.parent / f"{data.name}.toml"
    file.write_text(floor)
    return HouseProcess(data, socket=socket, words=("--floor", str(file)))


class ConnectedBrowser:
    """The connections of one browser, one after the other, and what each received."""

    def __init__(self, browser: Browser) -> None:
        self.browser = browser
        self.player = Player(lambda _: None)
        self._tasks: list[asyncio.Task[None]] = []
        self._said: asyncio.Queue[bytes] = asyncio.Queue()

    async def dial(self, *tables: wire.ResumedTable) -> Player:
        self._said = asyncio.Queue()
        self.player = player = Player(self._said.put_nowait)
        await self.browser.dial()
        self._tasks = [asyncio.create_task(self._hear(player)), asyncio.create_task(self._say())]
        await player.hello(*tables)
        return player

    async def hang_up(self) -> None:
        for task in self._tasks:
            task.cancel()
        await self.browser.hang_up()

    def cut(self) -> None:
        """As when the network is gone: no goodbye."""
        for task in self._tasks:
            task.cancel()
        self.browser.socket.transport.abort()

    async def _hear(self, player: Player) -> None:
        with suppress(ConnectionClosed):
            async for frame in self.browser.socket:
                player.take(frame.encode() if isinstance(frame, str) else frame)
        player.ended()

    async def _say(self) -> None:
        with suppress(ConnectionClosed):
            while True:
                await self.browser.socket.send(await self._said.get(), text=True)


@asynccontextmanager
async def dialled(address: str) -> AsyncIterator[ConnectedBrowser]:
    """Connect a new guest and say hello."""
    async with Browser(address) as browser:
        await browser.guest()
        line = ConnectedBrowser(browser)
        await line.dial()
        try:
            yield line
        finally:
            await line.hang_up()
