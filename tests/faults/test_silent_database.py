"""PostgreSQL falls silent in play, while its machine acknowledges everything, as in a managed fail-over."""

import asyncio
import time
from contextlib import suppress
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import pytest

from croupier.ledger.sql.databases import PostgresqlUrl
from croupier.protocol import wire
from tests.dealing.live.player import req
from tests.dealing.live.socket_client import PlayerClient, connected_guest
from tests.dealing.nodes.cluster import until
from tests.support.server_process import ServerProcess
from tests.support.silent_link import SilentLink

pytestmark = pytest.mark.anyio

TABLE = "roulette"
STAKE = wire.Stake(0, "red", 100)
LIVE_WITHIN_S = 1.0
TOLD_WITHIN_S = 5.0
PLAYS_WITHIN_S = 10.0
GONE_WITHIN_S = 2.0
SILENT_S = 9.0
"""Longer than any connection lasts without an answer: the old ones are given up, and new ones get none."""


class Health:
    """Asks for `/livez` until cancelled; `longest_s` is the longest wait."""

    def __init__(self, url: str) -> None:
        self._url = url
        self.longest_s = 0.0

    async def watch(self) -> None:
        async with httpx.AsyncClient(timeout=60) as client:
            while True:
                began_s = time.monotonic()
                assert (await client.get(f"{self._url}livez")).status_code == 200
                self.longest_s = max(self.longest_s, time.monotonic() - began_s)
                await asyncio.sleep(0.1)


async def test_a_silent_database_stops_neither_the_server_nor_play_for_long(
    postgresql: PostgresqlUrl, tmp_path: Path
) -> None:
    parts = urlsplit(postgresql.text)
    with SilentLink(parts.port or 5432) as link:
        url = parts._replace(netloc=f"{parts.netloc.rpartition('@')[0] or 'root'}@127.0.0.1:{link.port}")
        options = ("--database", url.geturl(), "--admin-port", "0")
        server = ServerProcess(tmp_path / "data", options=options).start()
        try:
            async with connected_guest(server.address) as client:
                await _plays_through_a_silence(client, link, Health(server.admin))
            writers = server.writer_processes()
            link.fall_silent()
            await asyncio.sleep(0.5)  # its follower has asked meanwhile
            server.kill_server()
            await until(lambda: not any(map(_runs, writers)), GONE_WITHIN_S)
        finally:
            server.kill()


async def _plays_through_a_silence(client: PlayerClient, link: SilentLink, health: Health) -> None:
    player = client.player
    watching = asyncio.create_task(health.watch())
    assert await player.join(TABLE, "EUR") == ""
    assert await player.ask(wire.DealRound(req(), TABLE, (STAKE,))) == ""
    link.fall_silent()
    waiting = asyncio.create_task(player.ask(wire.DealRound(req(), TABLE, (STAKE,))))
    reading = asyncio.create_task(client.browser.get("/api/history", wire.History))
    await until(lambda: _notices(client) == [True], TOLD_WITHIN_S)
    await asyncio.sleep(SILENT_S)
    assert not waiting.done()
    link.speak()
    async with asyncio.timeout(PLAYS_WITHIN_S):
        assert await waiting == ""
        assert await player.ask(wire.DealRound(req(), TABLE, (STAKE,))) == ""
    with suppress(Exception):
        await reading
    history = await client.browser.get("/api/history", wire.History)
    assert history.staked_minor == {"EUR": 3 * STAKE.stake_minor}
    assert _notices(client) == [True, False]
    assert watching.cancel(), "the server was alive all the time"
    assert health.longest_s < LIVE_WITHIN_S


def _notices(client: PlayerClient) -> list[bool]:
    messages = client.player.messages
    return [message.waiting for message in messages if isinstance(message, wire.DatabaseUpdate)]


def _runs(process: int) -> bool:
    try:
        state = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return False
    return state != "Z"
