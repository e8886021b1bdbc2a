"""Kills and freezes owners of live tables under players who are connected to gateways.

Their sockets stay, the round ends once, and play goes on at the next owner. Run as a command for a campaign:
`python -m tests.faults.gateways --trials 100`.
"""

import argparse
import asyncio
import signal
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AsyncExitStack, contextmanager
from functools import partial
from itertools import product
from pathlib import Path

import httpx
import msgspec

from croupier.protocol import wire
from tests.dealing.live.player import INFINITE, Player
from tests.dealing.live.socket_client import connected_guest
from tests.deploy.compose_nodes import local_options, roles
from tests.faults.bettor import STAKE, Bettor
from tests.faults.failures import Plan, Trial, kept_if_failed, run_campaign
from tests.faults.nodes import CONFIG, LOW_PRIORITY_S, Cluster, fail, running, running_cluster, signal_all
from tests.faults.phases_met import phases_met, sights, until_planned
from tests.support.server_process import ServerProcess


class Site:
    """Two gateways and two owners: those of deploy/compose.nodes.yaml."""

    def __init__(self, cluster: Cluster) -> None:
        self.cluster = cluster
        self.gateways, self.owners = (
            [cluster.named[name] for name, role in roles().items() if role == of]
            for of in ("gateway", "tables")
        )

    def owner(self) -> ServerProcess:
        """Return the node that runs the table."""
        return next(node for node in self.owners if is_open(node))


@contextmanager
def running_site(
    folder: Path, config: str = CONFIG, nodes: Mapping[str, Sequence[str]] | None = None
) -> Iterator[Site]:
    """Start the nodes, with their own options if given."""
    with running_cluster(folder, nodes=nodes or local_options(), config=config) as cluster:
        yield Site(cluster)


def is_open(node: ServerProcess) -> bool:
    """Return whether a node runs the table."""
    text = httpx.get(f"{node.admin}metrics").text
    return f'croupier_table_open{{table="{INFINITE}"}}' in text


async def run_trial(site: Site, plan: Plan) -> Trial:
    """Bet, let the table's owner fail in a phase; check the money at both gateways, and that play goes on."""
    owner = site.owner()
    async with AsyncExitStack() as stack:
        one, two = bettors = [
            Bettor(await stack.enter_async_context(connected_guest(gateway.address)), INFINITE)
            for gateway in site.gateways
        ]
        players = [bettor.client.player for bettor in bettors]
        await asyncio.gather(*(bettor.bet() for bettor in bettors))
        round_ = players[0].states[INFINITE].clock.round
        async with running([two.double(), one.raise_late()]):
            await until_planned(one, plan)
            seen, began = sights([one]), time.monotonic()
            frozen = fail(owner, plan.fault)
            phases = await phases_met(site.cluster.url, seen)
            for player in players:
                await asyncio.wait_for(_next_round(player, round_), LOW_PRIORITY_S)
            took_s = time.monotonic() - began
        for bettor, gateway in product(bettors, site.gateways):
            await bettor.check_money(gateway)
        await play(players[1])
        if frozen:
            signal_all(frozen, signal.SIGCONT)
        await play(players[0])
        assert not any(player.disconnected for player in players)
        await _check_results(*site.gateways)
    if plan.fault == "kill":
        owner.start()
    return Trial(plan.fault, phases, took_s)


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
    with kept_if_failed() as folder, running_site(folder) as site:
        counts = await run_campaign(trials, seed, partial(run_trial, site))
        site.cluster.stop()
        print(counts, site.cluster.verify(), sep="\n")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--trials", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    asyncio.run(campaign(**vars(parser.parse_args())))


if __name__ == "__main__":
    main()
