"""Kills and freezes a node that runs live tables; another node takes them over, and no money is lost.

A player bets at each table, on the node that fails or on the other. Run as a command for a campaign:
`python -m tests.faults.nodes --trials 100`.
"""

import argparse
import asyncio
import os
import re
import shutil
import signal
import time
from collections.abc import AsyncIterator, Coroutine, Iterable, Iterator, Mapping, Sequence
from contextlib import AsyncExitStack, ExitStack, asynccontextmanager, contextmanager
from functools import partial
from importlib.resources import files
from pathlib import Path
from typing import Any

import httpx

from croupier.app.serve import SHOES_KEY
from croupier.games import blackjack
from croupier.ledger.leases import LEASE_MS
from croupier.ledger.sql.databases import PostgresqlUrl
from tests.dealing.live.player import INFINITE
from tests.dealing.live.socket_client import connected_guest
from tests.faults.bettor import Bettor
from tests.faults.failures import Fault, Plan, Trial, kept_if_failed, run_campaign
from tests.faults.phases_met import phases_met, sights, until_planned
from tests.support import preloaded
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
check_ms = 200
pause_ms = 700
"""
SHORT_ROUNDS = """
[infinite]
pace_ms = 0
betting_ms = 1500
warning_ms = 1000
offer_ms = 200
decision_ms = 200
check_ms = 100
pause_ms = 200
"""
"""Rounds of two seconds, where it doesn't matter in which phase something fails."""
COPY = """
[copy_{number}]
pace_ms = 100
betting_ms = {betting_ms}
warning_ms = 300
offer_ms = 500
decision_ms = 500
check_ms = 200
pause_ms = 500
"""
BETTING_MS = 1000
"""The betting time of the first copy; each further one has more, so that their phases differ."""
STEP_MS = 50
TAKEN_OVER_S = LEASE_MS / 1000 + 3
ALL_TAKEN_OVER_S = 4 * TAKEN_OVER_S
"""Time for all tables, one after the other, when a busy machine needs half a second for each."""
LOW_PRIORITY_S = 60.0
"""The same for a campaign at low priority, which prints the longest take-over."""
POLL_S = 0.1
TWO_NODES: Mapping[str, Sequence[str]] = {"one": (), "two": ()}
VARIANT = re.compile(rf"^\[{INFINITE}\]\n(.*?)(?=^\[)", re.MULTILINE | re.DOTALL)


class Cluster:
    """Nodes on one database and one message server; `nodes`: their own options, by their names.

    `tables`: Infinite Blackjack and copies of it, as many as are asked for.
    """

    def __init__(
        self,
        folder: Path,
        url: PostgresqlUrl,
        nats: NatsServer,
        *more: str,
        nodes: Mapping[str, Sequence[str]] = TWO_NODES,
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
        options = [
            "--database",
            url.text,
            *nats.options(folder),
            "--config",
            str(settings),
            "--admin-port",
            "0",
        ]
        options += ["--admin-port", "0", *(["--tables", str(tables)] if copies else []), *more]
        self.named = {
            name: ServerProcess(folder / name, options=(*options, *own)) for name, own in nodes.items()
        }
        self.nodes = [*self.named.values()]

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
    folder: Path,
    *options: str,
    nodes: Mapping[str, Sequence[str]] = TWO_NODES,
    config: str = CONFIG,
    copies: int = 0,
) -> Iterator[Cluster]:
    with ExitStack() as stack:
        url = stack.enter_context(database(f"croupier_nodes_{os.getpid()}"))
        nats = stack.enter_context(NatsServer())
        cluster = Cluster(folder, url, nats, *options, nodes=nodes, config=config, copies=copies)
        stack.callback(cluster.stop)
        cluster.start()
        yield cluster


async def open_tables(node: ServerProcess) -> set[str]:
    """Return the tables that a node runs."""
    async with httpx.AsyncClient(verify=False) as http:  # the certificates take 24 ms to load
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
        await asyncio.sleep(POLL_S)
    raise AssertionError("no node runs all tables")


async def taken_over_in(node: ServerProcess, cluster: Cluster, limit_s: float) -> float:
    """Wait until a node runs all tables; return after how many seconds it had taken the first one over."""
    began, first_s = time.monotonic(), 0.0
    while not set(cluster.tables) <= (tables := await open_tables(node)):
        took_s = time.monotonic() - began
        first_s = first_s or (took_s if tables & set(cluster.tables) else 0)
        assert took_s < limit_s, f"not taken over within {limit_s} s: {tables}"
        await asyncio.sleep(POLL_S)
    return first_s or time.monotonic() - began


async def run_trial(cluster: Cluster, plan: Plan, limit_s: float = ALL_TAKEN_OVER_S) -> Trial:
    """Bet at each table, let their owner fail in a phase of the first, and check all rounds and balances."""
    owner, other = await owner_of(cluster)
    async with AsyncExitStack() as stack:
        bettors = list[Bettor]()
        for number, table in enumerate(cluster.tables):
            client = await stack.enter_async_context(
                connected_guest((other if number % 2 else owner).address)
            )
            bettors.append(Bettor(client, table))
        await asyncio.gather(*(bettor.bet() for bettor in bettors))
        # Half of the players of each node, but not the first: the phase ends once all have decided.
        doubling = [bettor.double() for bettor in bettors[1::4] + bettors[2::4]]
        raising = [bettor.raise_late() for bettor in bettors[::4] + bettors[3::4]]
        await stack.enter_async_context(running([*doubling, *raising]))
        await until_planned(bettors[0], plan)
        seen = sights(bettors)
        frozen = fail(owner, plan.fault)
        phases = await phases_met(cluster.url, seen)
        took_s = await taken_over_in(other, cluster, limit_s)
        await _check_all(other, bettors)
        if frozen:
            signal_all(frozen, signal.SIGCONT)
            for bettor in bettors[::2]:
                await asyncio.wait_for(bettor.until_disconnected(), TAKEN_OVER_S)
            await _check_all(owner, bettors)
    if plan.fault == "kill":
        await asyncio.to_thread(owner.start)
    return Trial(plan.fault, phases, took_s)


@asynccontextmanager
async def running(work: Iterable[Coroutine[Any, Any, None]]) -> AsyncIterator[None]:
    """Do work beside the block, and stop it at its end."""
    async with asyncio.TaskGroup() as group:
        tasks = [group.create_task(each) for each in work]
        yield
        for task in tasks:
            task.cancel()


async def _check_all(node: ServerProcess, bettors: Iterable[Bettor]) -> None:
    await asyncio.gather(*(bettor.check_money(node) for bettor in bettors))


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


async def campaign(trials: int, copies: int, seed: int) -> None:
    with kept_if_failed() as folder, running_cluster(folder, copies=copies) as cluster:
        counts = await run_campaign(trials, seed, partial(run_trial, cluster, limit_s=LOW_PRIORITY_S))
        cluster.stop()
        print(counts, cluster.verify(), sep="\n")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--trials", type=int, default=100)
    parser.add_argument("--copies", type=int, default=19, help="tables beside the first")
    parser.add_argument("--seed", type=int, default=1)
    asyncio.run(campaign(**vars(parser.parse_args())))


if __name__ == "__main__":
    main()
