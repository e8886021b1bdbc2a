"""Attack a server with hostile clients while a player plays, and measure the effect on the player."""

import asyncio
import json
import re
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import NamedTuple
from urllib.parse import urlsplit

import httpx
from websockets.exceptions import WebSocketException

from croupier.protocol import wire
from tests.faults.attacks import AttackReport
from tests.support import bot
from tests.support.browser_connection import Answer, Browser, Request, connect_guest
from tests.support.server_process import ServerProcess

TABLE, CURRENCY = "multihand", "GC"
CONNECT_TIMEOUT_S = 30.0
PAUSE_S = 0.02
"""Time between the player's rounds."""


class Result(NamedTuple):
    """The result of an attack.

    `p99_ms` of a player's commands during the attack, `before_ms` before it.
    """

    attack: str
    before_ms: float
    p99_ms: float
    worst_ms: float
    log_bytes: int
    enters_s: float
    memory_mib: float
    report: AttackReport

    def json(self) -> str:
        return json.dumps(self._asdict() | {"report": self.report._asdict()})


class Timed(Browser):
    """Measures the duration of each command."""

    def __init__(self, address: str) -> None:
        super().__init__(address)
        self.took_ms: list[float] = []

    async def ask(self, command: Request) -> Answer:
        begun = time.perf_counter()
        answer = await super().ask(command)
        self.took_ms.append(1000 * (time.perf_counter() - begun))
        return answer

    def p99(self) -> float:
        return sorted(self.took_ms)[int(0.99 * len(self.took_ms))] if self.took_ms else float("inf")


async def run_attack(
    server: ServerProcess, attack: str, seconds: float, before_s: float = 2.0, pause_s: float = PAUSE_S
) -> Result:
    """Play during an attack on a running server, and before it to report the difference."""
    async with Timed(server.address) as player:
        await player.guest()
        await player.connect(ping_timeout=None)
        await player.hello()
        await player.join(TABLE, CURRENCY)
        await play_for(player, before_s)
        before, log_before = player.p99(), server.log.stat().st_size
        player.took_ms.clear()
        attacking = await start(server, attack, seconds)
        await play_until(player, attacking, pause_s)
        output, _ = await attacking.communicate()
        memory = resident_mib(server)
        return Result(
            attack,
            before,
            player.p99(),
            max(player.took_ms),
            server.log.stat().st_size - log_before,
            await connecting_s(server.address),
            memory,
            AttackReport(**json.loads(output)),
        )


async def start(server: ServerProcess, attack: str, seconds: float) -> asyncio.subprocess.Process:
    async with Browser(server.address) as browser:
        socket_port = (await browser.get("/api/server", wire.ServerInfo)).socket_port
    command = (attack, str(urlsplit(server.address).port), str(socket_port), str(seconds))
    return await asyncio.create_subprocess_exec(
        sys.executable, "-m", "tests.faults.attacks", *command, stdout=asyncio.subprocess.PIPE
    )


async def play_for(player: Timed, seconds: float) -> None:
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        await _round(player, PAUSE_S)


async def play_until(player: Timed, attacking: asyncio.subprocess.Process, pause_s: float) -> None:
    ended = asyncio.create_task(attacking.wait())
    while not ended.done():
        await _round(player, pause_s)


async def _round(player: Timed, pause_s: float) -> None:
    (table,) = (each for each in await tables(player) if each.table == TABLE)
    await bot.play_round(player, table, CURRENCY, Random(1))
    await asyncio.sleep(pause_s)


_tables: dict[str, Sequence[wire.LobbyTable]] = {}


async def tables(player: Browser) -> Sequence[wire.LobbyTable]:
    """Return a server's tables, requested once."""
    if player.address not in _tables:
        _tables[player.address] = await player.get("/api/tables", tuple[wire.LobbyTable, ...])
    return _tables[player.address]


async def connecting_s(address: str) -> float:
    """Return how long a new player takes to connect; infinity when it takes too long."""
    begun = time.monotonic()
    while time.monotonic() - begun < CONNECT_TIMEOUT_S:
        try:
            async with connect_guest(address):
                return time.monotonic() - begun
        except (OSError, httpx.HTTPError, WebSocketException):
            await asyncio.sleep(0.1)
    return float("inf")


def resident_mib(server: ServerProcess) -> float:
    found = re.search(r"VmRSS:\s+(\d+)", Path(f"/proc/{server.pid}/status").read_text())
    return int(found[1]) / 1024 if found else 0.0


def campaign(attack: str, seconds: float) -> Result:
    """Run one attack against a server of its own."""
    with tempfile.TemporaryDirectory(prefix="croupier-edge-") as folder:
        server = ServerProcess(Path(folder) / "data").start()
        try:
            return asyncio.run(run_attack(server, attack, seconds))
        finally:
            server.kill()
