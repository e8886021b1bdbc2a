"""Kills and freezes owners of live tables under players who are connected to gateways.

Their sockets stay, the round ends once, and play goes on at the next owner. Run as a command for a campaign:
`python -m tests.faults.gateways --trials 100`.
"""

import argparse
import asyncio
import random
import signal
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import msgspec

from croupier.protocol import wire
from tests.faults.nodes import (
    CONFIG,
    PHASES,
    STAKE,
    TAKEN_OVER_S,
    Cluster,
    Fault,
    Trial,
    client_of,
    fail,
    history_line,
    running_cluster,
    signal_all,
)
from tests.runtime.live.player import INFINITE, Player
from tests.runtime.live.socket_client import PlayerClient
from tests.support.server_process import ServerProcess

ROLES = {"owner_a": "tables", "owner_b": "tables", "gateway_a": "gateway", "gateway_b": "gateway"}


class Site:
    """Two owners and two gateways."""

    def __init__(self, cluster: Cluster) -> None:
        self.cluster = cluster
        self.owners, self.gateways = cluster.nodes[:2], cluster.nodes[2:]

    def owner(self) -> ServerProcess:
        """Return the node that runs the table."""
        return next(node for node in self.owners if is_open(node))


@contextmanager
def running_site(folder: Path, *options: str, config: str = CONFIG) -> Iterator[Site]:
    with running_cluster(folder, *options, roles=ROLES, config=config) as cluster:
        yield Site(cluster)


def is_open(node: ServerProcess) -> bool:
    """Return whether a node runs the table."""
    text = httpx.get(f"{node.admin}metrics").text
    return f'croupier_table_open{{table="{INFINITE}"}}' in text


async def run_trial(site: Site, fault: Fault, phase: str, delay_s: float) -> Trial:
    """Bet, let the table's owner fail in that phase; check the money, and that play goes on."""
    owner, (here, there) = site.owner(), site.gateways
    async with client_of(here) as client, client_of(there) as other:
        player = client.player
        for each in (player, other.player):
            assert await each.join() == ""
        await player.until_phase("betting")
        assert await player.bet(STAKE) == ""
        round_ = player.states[INFINITE].clock.round
        await player.until_phase(phase, "pause")
        await asyncio.sleep(delay_s)
        began, frozen = time.monotonic(), fail(owner, fault)
        for each in (player, other.player):
            await asyncio.wait_for(_next_round(each, round_), TAKEN_OVER_S + 2)
        took_s = time.monotonic() - began
        await check_money(client)
        await play(other.player)
        if frozen:
            signal_all(frozen, signal.SIGCONT)
        await play(player)
        assert not player.disconnected
        assert not other.player.disconnected
        await _check_results(here, there)
    if fault == "kill":
        owner.start()
    return Trial(fault, phase, took_s)


async def _next_round(player: Player, before: str) -> None:
    """Wait until a later round takes bets."""
    await player.until(
        lambda: (clock := player.states[INFINITE].clock).phase == "betting" and clock.round != before
    )


async def play(player: Player) -> None:
    """Bet, until a bet is accepted, and wait for its result."""
    while True:
        await player.until_phase("betting")
        round_ = player.states[INFINITE].clock.round
        if await player.bet(STAKE) == "":
            break
    await asyncio.wait_for(player.until(lambda: player.results.get(round_)), 30)


async def check_money(client: PlayerClient) -> None:
    """Check that the bet's round has ended once, and that the balance follows from the history."""
    line = await history_line(client)
    expected = 100_000 - line.staked_minor + line.returned_minor
    mine = client.player.mine[INFINITE]
    assert (mine.balance_minor, mine.in_play_minor) == (expected, 0)


async def _check_results(*gateways: ServerProcess) -> None:
    """Check that every gateway has the table in its lobby, and its results."""
    async with httpx.AsyncClient() as http:
        for node in gateways:
            lines = (await http.get(f"{node.address}/api/live-tables")).content
            tables = msgspec.json.decode(lines, type=list[wire.LiveTableStatus])
            assert INFINITE in {line.table for line in tables}
            results = (await http.get(f"{node.address}/api/tables/{INFINITE}/results")).content
            assert msgspec.json.decode(results, type=list[wire.PastResult])


async def campaign(trials: int, seed: int) -> None:
    rng = random.Random(seed)
    with tempfile.TemporaryDirectory() as folder, running_site(Path(folder)) as site:
        for number in range(trials):
            fault: Fault = rng.choice(("kill", "freeze"))
            trial = await run_trial(site, fault, rng.choice(PHASES), rng.uniform(0, 0.3))
            print(f"{number + 1}: {trial.fault} in {trial.phase}: {trial.took_s:.2f} s", flush=True)
        site.cluster.stop()
        print(site.cluster.verify())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--trials", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    asyncio.run(campaign(**vars(parser.parse_args())))


if __name__ == "__main__":
    main()
