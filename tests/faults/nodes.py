"""Kills and freezes a node that runs live tables; another node takes them over, and no money is lost.

A player bets at each table, on the node that fails or on the other. Run as a command for a campaign:
`python -m tests.faults.nodes --trials 100`.
"""

import argparse
import asyncio
import os
import random
import re
import shutil
import signal
import tempfile
import time
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Mapping
from contextlib import AsyncExitStack, ExitStack, asynccontextmanager, contextmanager
from importlib.resources import files
from pathlib import Path
from typing import Literal, NamedTuple

import httpx

from croupier.app.serve import SHOES_KEY
from croupier.games import blackjack
from croupier.ledger.leases import LEASE_MS
from croupier.ledger.sql.databases import PostgresqlUrl
from croupier.protocol import wire
from tests.runtime.live.player import INFINITE, Player
from tests.runtime.live.socket_client import PlayerClient
from tests.support import preloaded
from tests.support.browser_connection import Browser
from tests.support.nats_server import NatsServer
from tests.support.postgresql import database
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
COPY = """
[copy_{number}]
pace_ms = 100
betting_ms = {betting_ms}
warning_ms = 300
offer_ms = 500
decision_ms = 500
pause_ms = 500
"""
BETTING_MS = 1000
"""The betting time of the first copy; each further one has more, so that their phases differ."""
STEP_MS = 50
PHASES = ("betting", "dealing", "decisions", "settlement", "pause")
"""Phases of a round; not every round has each."""
TAKEN_OVER_S = LEASE_MS / 1000 + 3
ALL_TAKEN_OVER_S = 2 * TAKEN_OVER_S
"""Time for all tables, one after the other, on a busy machine."""
FOLLOWED_S = 3.0
"""Time in which each node knows the balances."""
STAKE = (0, "main", 1_000)
Fault = Literal["kill", "freeze"]
FAULTS: tuple[Fault, ...] = "kill", "freeze"
TWO_NODES = {"one": "gateway,tables", "two": "gateway,tables"}
VARIANT = re.compile(rf"^\[{INFINITE}\]\n(.*?)(?=^\[)", re.MULTILINE | re.DOTALL)


class Trial(NamedTuple):
    """The outcome of a trial; `took_s`: the time until a table was open on the other node."""

    fault: Fault
    phase: str
    took_s: float


class Cluster:
    """Nodes on one database and one message server; `roles` by the nodes' names.

    `tables`: Infinite Blackjack and copies of it, as many as are asked for.
    """

    def __init__(
        self,
        folder: Path,
        url: PostgresqlUrl,
        nats: NatsServer,
        *more: str,
        roles: Mapping[str, str] = TWO_NODES,
        config: str = CONFIG,
        copies: int = 0,
    ) -> None:
        self.url = url
        self.nats = nats
        names = [f"copy_{number}" for number in range(copies)]
        self.tables = (INFINITE, *names)
        settings, tables = folder / "croupier.toml", folder / "tables.toml"
        settings.write_text(config + "".join(map(_pace, range(copies))))
        tables.write_text("".join(map(_copy, names)))
        options = ["--database", url.text, "--bus", nats.url, "--config", str(settings), "--admin-port", "0"]
        options += [*(["--tables", str(tables)] if copies else []), *more, "--roles"]
        self.nodes = [ServerProcess(folder / name, options=(*options, of)) for name, of in roles.items()]

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


def _pace(number: int) -> str:
    return COPY.format(number=number, betting_ms=BETTING_MS + number * STEP_MS)


def _copy(table: str) -> str:
    """Return the block of a table that is like Infinite Blackjack."""
    found = VARIANT.search((files(blackjack) / "variants.toml").read_text())
    assert found
    return f"[{table}]\n{found[1]}"


@contextmanager
def running_cluster(
    folder: Path, *options: str, roles: Mapping[str, str] = TWO_NODES, config: str = CONFIG, copies: int = 0
) -> Iterator[Cluster]:
    with ExitStack() as stack:
        url = stack.enter_context(database(f"croupier_nodes_{os.getpid()}"))
        nats = stack.enter_context(NatsServer())
        cluster = Cluster(folder, url, nats, *options, roles=roles, config=config, copies=copies)
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
    assert not refused, f"not joined within {limit_s} s"
    return time.monotonic() - began


async def open_tables(node: ServerProcess) -> set[str]:
    """Return the tables that a node runs."""
    async with httpx.AsyncClient() as http:
        metrics = (await http.get(f"{node.admin}metrics")).text
    return set(re.findall(r'^croupier_table_open\{table="(\w+)"\}', metrics, re.MULTILINE))


async def owner_of(cluster: Cluster) -> tuple[ServerProcess, ServerProcess]:
    """Return the node that runs the tables, and the other one."""
    one, two = cluster.nodes
    until = time.monotonic() + TAKEN_OVER_S
    while time.monotonic() < until:
        for owner, other in ((one, two), (two, one)):
            if await open_tables(owner) >= set(cluster.tables):
                return owner, other
        await asyncio.sleep(0.1)
    raise AssertionError("no node runs all tables")


async def taken_over_in(node: ServerProcess, cluster: Cluster) -> float:
    """Wait until a node runs all tables; return after how many seconds it had taken the first one over."""
    began, first_s = time.monotonic(), 0.0
    while not set(cluster.tables) <= (tables := await open_tables(node)):
        took_s = time.monotonic() - began
        first_s = first_s or (took_s if tables & set(cluster.tables) else 0)
        assert took_s < ALL_TAKEN_OVER_S, f"not taken over within {ALL_TAKEN_OVER_S} s: {tables}"
        await asyncio.sleep(0.05)
    return first_s or time.monotonic() - began


async def run_trial(cluster: Cluster, fault: Fault, phase: str, delay_s: float) -> Trial:
    """Bet at each table, let their owner fail in a phase of the first, and check all rounds and balances."""
    owner, other = await owner_of(cluster)
    async with AsyncExitStack() as stack:
        clients = list[PlayerClient]()
        for number in range(len(cluster.tables)):
            node = other if number % 2 else owner
            clients.append(await stack.enter_async_context(client_of(node)))
        await asyncio.gather(*map(_bet, clients, cluster.tables))
        await clients[0].player.until_phase(phase, "pause")
        await asyncio.sleep(delay_s)
        frozen = fail(owner, fault)
        took_s = await taken_over_in(other, cluster)
        await _check_all(other, clients)
        if frozen:
            signal_all(frozen, signal.SIGCONT)
            for client in clients[::2]:
                await asyncio.wait_for(client.player.until(_is_disconnected(client)), TAKEN_OVER_S)
            await _check_all(owner, clients)
    if fault == "kill":
        await asyncio.to_thread(owner.start)
    return Trial(fault, phase, took_s)


async def _bet(client: PlayerClient, table: str) -> None:
    """Bet, in a later round if the present one takes no more bets."""
    player = client.player
    assert await player.join(table) == ""
    while True:
        await player.until_phase("betting", table=table)
        if (refused := await player.bet(STAKE, table=table)) == "":
            return
        assert refused in ("betting_closed", "round_ended"), refused


def _is_disconnected(client: PlayerClient) -> Callable[[], bool]:
    return lambda: client.player.disconnected


async def _check_all(node: ServerProcess, clients: Iterable[PlayerClient]) -> None:
    await asyncio.gather(*(check_money(node, client) for client in clients))


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
    """Check that the bet's round has ended once, and that the node's balance follows from the history."""
    until = time.monotonic() + FOLLOWED_S
    async with Browser(node.address) as browser:
        browser.http.cookies = client.browser.http.cookies
        line = await _line(browser)
        expected = (100_000 - line.staked_minor + line.returned_minor, 0)
    while (found := await _balance(node, client)) != expected:
        assert time.monotonic() < until, f"{found} instead of {expected}"
        await asyncio.sleep(0.1)


async def _balance(node: ServerProcess, client: PlayerClient) -> tuple[int, int]:
    """Return the player's balance and their money in play, as a node has them."""
    async with client_of(node, client) as fresh:
        assert fresh.player.welcome is not None
        (euro,) = (each for each in fresh.player.welcome.balances if each.currency == "EUR")
    return euro.balance_minor, euro.in_play_minor


async def history_line(client: PlayerClient) -> wire.HistoryLine:
    """Return the player's only round, which has ended."""
    return await _line(client.browser)


async def _line(browser: Browser) -> wire.HistoryLine:
    history = await browser.get("/api/history", wire.History)
    assert len(history.lines) == 1
    (line,) = history.lines
    assert line.status in ("settled", "void")
    assert line.staked_minor >= STAKE[2]
    if line.status == "void":
        assert line.returned_minor == line.staked_minor
    return line


async def campaign(trials: int, copies: int, seed: int) -> None:
    rng, most_s = random.Random(seed), 0.0
    with tempfile.TemporaryDirectory() as folder, running_cluster(Path(folder), copies=copies) as cluster:
        for number in range(trials):
            trial = await random_trial(cluster, rng)
            most_s = max(most_s, trial.took_s)
            print(f"{number + 1}: {trial.fault} in {trial.phase}: {trial.took_s:.2f} s", flush=True)
        cluster.stop()
        print(f"{trials * len(cluster.tables)} owners of tables failed; longest take-over {most_s:.2f} s")
        print(cluster.verify())


async def random_trial(cluster: Cluster, rng: random.Random) -> Trial:
    return await run_trial(cluster, rng.choice(FAULTS), rng.choice(PHASES), rng.uniform(0, 0.3))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--trials", type=int, default=100)
    parser.add_argument("--copies", type=int, default=19, help="tables beside the first")
    parser.add_argument("--seed", type=int, default=1)
    asyncio.run(campaign(**vars(parser.parse_args())))


if __name__ == "__main__":
    main()
