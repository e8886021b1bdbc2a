"""A player at the table that the staff deals."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

from websockets.exceptions import ConnectionClosed

from tests.dealing.live.player import INFINITE, Player
from tests.support.browser_connection import Browser


@asynccontextmanager
async def player_at(address: str, table: str = INFINITE) -> AsyncIterator[Player]:
    """Connect a new guest who has joined the table."""
    async with Browser(address) as browser:
        await browser.guest()
        await browser.connect()
        frames: asyncio.Queue[bytes] = asyncio.Queue()
        player = Player(frames.put_nowait)

        async def send() -> None:
            while True:
                await browser.socket.send(await frames.get(), text=True)

        async def receive() -> None:
            with suppress(ConnectionClosed):
                while True:
                    player.receive(await browser.socket.recv(decode=False))

        tasks = [asyncio.create_task(send()), asyncio.create_task(receive())]
        await player.hello()
        assert await player.join(table) == ""
        yield player
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
