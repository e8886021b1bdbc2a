"""Kills and freezes the owner of a live table; another node takes it over, and no money is lost.

Run as a command for a campaign: `python -m tests.faults.nodes --trials 100`.
"""

import argparse
import asyncio
import os
import random
import shutil
import signal
import tempfile
import time
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import ExitStack, asynccontextmanager, contextmanager
from pathlib import Path
from typing import Literal, NamedTuple

from croupier.app.serve import SHOES_KEY
from croupier.ledger.leases import LEASE_MS
from croupier.ledger.sql.databases import PostgresqlUrl
from croupier.protocol import wire
from tests.runtime.live.player import INFINITE, Player
from tests.runtime.live.socket_client import PlayerClient
from tests.support import preloaded
from tests.support.browser_connection import Browser
from tests.support.nats_server import NatsServer
from tests.support.postgresql import administration, database
from tests.support.server_process import CROUPIER, ServerProcess

CONFIG = """
[infinite]
pace_ms = 100
betting_ms = 1500
warning_ms = 500
offer_ms = 1000
decision_ms = 1000
pause_ms = 700
"""
PHASES = ("betting", "dealing", "decisions", "settlement", "pause")
"""Phases of a round; not every round has each."""
TAKEN_OVER_S = LEASE_MS / 1000 + 3
STAKE = (0, "main", 1_000)
OWNER = """SELECT split_part(owner, ':', 2)::int FROM lease
    WHERE table_id = %s AND expires_ms > extract(epoch FROM clock_timestamp()) * 1000"""
"""The process that runs a table: its name is HOST:PROCESS:TOKEN."""
Fault = Literal["kill", "freeze"]
TWO_NODES = {"one": "gateway,tables", "two": "gateway,tables"}


class Trial(NamedTuple):
    """The outcome of a trial; `took_s`: the time until the table was open on the other node."""

    fault: Fault
    phase: str
    took_s: float


class Cluster:
    """Nodes on one database and one message server; `roles` by the nodes' names."""

    def __init__(
        self,
        folder: Path,
        url: PostgresqlUrl,
        nats: NatsServer,
        *more: str,
        roles: Mapping[str, str] = TWO_NODES,
        config: str = CONFIG,
    ) -> None:
        self.url = url
        self.nats = nats
        file = folder / "croupier.toml"
        file.write_text(config)
        options = ("--database", url.text, "--bus", nats.url, "--config", str(file), *more)
        self.nodes = [
            ServerProcess(folder / name, options=(*options, "--roles", of)) for name, of in roles.items()
        ]

    def start(self) -> None:
        first, *others = self.nodes
        first.start()
        for other in others:
            other.data.mkdir()
            shutil.copy(first.data / SHOES_KEY, other.data / SHOES_KEY)  # rounds can be read on each
            other.start()

    def stop(self) -> None:
        for node in self.nodes:
            node.stop()

    def verify(self) -> str:
        """Return the report of `croupier verify`, which must have no errors."""
        command = [*CROUPIER, "verify", "--database", self.url.text, "--data", str(self.nodes[0].data)]
        completed = preloaded.run(command)
        assert completed.returncode == 0, completed.stdout
        return completed.stdout


@contextmanager
def running_cluster(
    folder: Path, *options: str, roles: Mapping[str, str] = TWO_NODES, config: str = CONFIG
) -> Iterator[Cluster]:
    with ExitStack() as stack:
        url = stack.enter_context(database(f"croupier_nodes_{os.getpid()}"))
        nats = stack.enter_context(NatsServer())
        cluster = Cluster(folder, url, nats, *options, roles=roles, config=config)
        stack.callback(cluster.stop)
        cluster.start()
        yield cluster


@asynccontextmanager
async def client_of(node: ServerProcess, former: PlayerClient | None = None) -> AsyncIterator[PlayerClient]:
    """Connect a guest: a new one, or that of a former client."""
    async with Browser(node.address) as browser:
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


async def joined_in(player: Player, limit_s: float) -> float:
    """Return after how many seconds the player could join the table."""
    began = time.monotonic()
    while (refused := await player.join()) and time.monotonic() < began + limit_s:
        assert refused == "server_unavailable"
        await asyncio.sleep(0.05)
    assert not refused, f"not taken over within {limit_s} s"
    return time.monotonic() - began


async def owner_of(cluster: Cluster) -> tuple[ServerProcess, ServerProcess]:
    """Return the node that runs the table, and the other one."""
    one, two = cluster.nodes
    until = time.monotonic() + TAKEN_OVER_S
    while time.monotonic() < until:
        with administration(cluster.url.text) as connection:
            found = connection.execute(OWNER, (INFINITE,)).fetchone()
        for owner, other in ((one, two), (two, one)):
            if found == (owner.pid,):
                return owner, other
        await asyncio.sleep(0.05)
    raise AssertionError("no node runs the table")


async def run_trial(cluster: Cluster, fault: Fault, phase: str, delay_s: float) -> Trial:
    """Bet, let the owner fail in that phase, and check the round and the balance on the other node."""
    owner, other = await owner_of(cluster)
    async with client_of(owner) as client:
        player = client.player
        assert await player.join() == ""
        await player.until_phase("betting")
        assert await player.bet(STAKE) == ""
        await reach(player, phase)
        await asyncio.sleep(delay_s)
        frozen = fail(owner, fault)
        async with client_of(other, client) as again:
            took_s = await joined_in(again.player, TAKEN_OVER_S)
            await check_money(other, again)
            if frozen:
                signal_all(frozen, signal.SIGCONT)
                await asyncio.wait_for(player.until(lambda: player.disconnected), TAKEN_OVER_S)
                async with client_of(owner, client) as back:
                    await joined_in(back.player, TAKEN_OVER_S)  # at the new owner's table
            await check_money(other, again)
    if fault == "kill":
        owner.start()
    return Trial(fault, phase, took_s)


async def reach(player: Player, phase: str) -> None:
    """Wait for a phase, or for the end of a round without it."""
    await player.until_phase(phase, "pause")


def fail(owner: ServerProcess, fault: Fault) -> list[int]:
    """Let a node fail; return its processes if they can go on."""
    if fault == "kill":
        owner.kill()
        return []
    processes = [owner.pid, *owner.writer_processes()]
    signal_all(processes, signal.SIGSTOP)
    return processes


def signal_all(processes: list[int], number: signal.Signals) -> None:
    for process in processes:
        os.kill(process, number)


async def check_money(node: ServerProcess, client: PlayerClient) -> None:
    """Check that the bet's round has ended once, and that the balance follows from the history."""
    line = await history_line(client)
    async with client_of(node, client) as fresh:
        assert fresh.player.welcome is not None
        (euro,) = (each for each in fresh.player.welcome.balances if each.currency == "EUR")
    assert euro.in_play_minor == 0
    assert euro.balance_minor == 100_000 - line.staked_minor + line.returned_minor


async def history_line(client: PlayerClient) -> wire.HistoryLine:
    """Return the player's only round, which has ended."""
    history = await client.browser.get("/api/history", wire.History)
    assert len(history.lines) == 1
    (line,) = history.lines
    assert line.status in ("settled", "void")
    assert line.staked_minor >= STAKE[2]
    if line.status == "void":
        assert line.returned_minor == line.staked_minor
    return line


async def campaign(trials: int, seed: int) -> None:
    rng = random.Random(seed)
    with tempfile.TemporaryDirectory() as folder, running_cluster(Path(folder)) as cluster:
        for number in range(trials):
            fault: Fault = rng.choice(("kill", "freeze"))
            trial = await run_trial(cluster, fault, rng.choice(PHASES), rng.uniform(0, 0.3))
            print(f"{number + 1}: {trial.fault} in {trial.phase}: {trial.took_s:.2f} s", flush=True)
        cluster.stop()
        print(cluster.verify())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--trials", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    asyncio.run(campaign(**vars(parser.parse_args())))


if __name__ == "__main__":
    main()
