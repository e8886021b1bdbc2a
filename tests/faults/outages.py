"""Stops PostgreSQL or NATS while players play on two nodes; nothing acknowledged is lost, and play goes on.

Run as a command for a campaign: `python -m tests.faults.outages --minutes 5`.
"""

import argparse
import asyncio
import random
import tempfile
import time
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import AsyncExitStack, ExitStack, asynccontextmanager, contextmanager
from functools import partial
from pathlib import Path
from typing import Literal, NamedTuple

from croupier.protocol import wire
from tests.dealing.live.player import INFINITE, req
from tests.dealing.live.socket_client import PlayerClient, connected_guest
from tests.faults.bettor import STAKE
from tests.faults.nodes import CONFIG, Cluster, owner_of
from tests.support.nats_server import NatsServer
from tests.support.postgresql_server import PostgresqlServer
from tests.support.server_process import ServerProcess

OWN, OWN_STAKE = "roulette", wire.Stake(0, "red", 100)
GRANT_MINOR = 100_000
OUTAGES_S = (0.5, 12.0)
PACE_S = 0.2
PLAYS_AGAIN_S = 30
Service = Literal["postgresql", "nats"]
Manner = Literal["stop", "crash", "freeze"]


class Outage(NamedTuple):
    service: Service
    manner: Manner
    lasts_s: float


class Site:
    """Two nodes, on a PostgreSQL server and a NATS server of their own."""

    def __init__(self, cluster: Cluster, database: PostgresqlServer, nats: NatsServer) -> None:
        self.cluster = cluster
        self._database = database
        self._nats = nats

    async def begin(self, outage: Outage) -> None:
        match outage:
            case ("postgresql", "freeze", _):
                self._database.freeze()
            case ("postgresql", manner, _):
                await asyncio.to_thread(self._database.stop, "fast" if manner == "stop" else "immediate")
            case (_, "freeze", _):
                self._nats.freeze()
            case _:
                self._nats.stop()

    async def end(self, outage: Outage) -> None:
        match outage:
            case ("postgresql", "freeze", _):
                self._database.thaw()
            case ("postgresql", _, _):
                await asyncio.to_thread(self._database.start)
            case (_, "freeze", _):
                self._nats.thaw()
            case _:
                await asyncio.to_thread(self._nats.start)


@contextmanager
def running_site(folder: Path, config: str = CONFIG) -> Iterator[Site]:
    with ExitStack() as stack:
        database, nats = stack.enter_context(PostgresqlServer()), stack.enter_context(NatsServer())
        cluster = Cluster(folder, database.url, nats, config=config)
        stack.callback(cluster.stop)
        cluster.start()
        yield Site(cluster, database, nats)


class Visit:
    """A player who bets at one table again and again; `accepted` counts the acknowledged rounds.

    `is_remote`: another node than the player's runs the table.
    """

    def __init__(self, client: PlayerClient, table: str, *, is_remote: bool) -> None:
        self.client = client
        self.table = table
        self.is_remote = is_remote
        self.accepted = 0
        self.longest_s = 0.0

    @property
    def database_notices(self) -> list[bool]:
        """The notices so far: True that the server waits for its database, False that it no longer does."""
        messages = self.client.player.messages
        return [message.waiting for message in messages if isinstance(message, wire.DatabaseUpdate)]

    async def told(self, notices: list[bool]) -> None:
        """Wait until the player has had these notices about the database."""
        await self.client.player.until(lambda: self.database_notices == notices)

    @property
    def table_notices(self) -> list[bool]:
        """The notices so far: False that the table can't be reached, True that it can again."""
        messages = self.client.player.messages
        return [message.available for message in messages if isinstance(message, wire.TableAvailability)]

    def has_played(self, before: int) -> bool:
        """Return whether rounds were acknowledged since there were so many."""
        return self.accepted > before

    async def play(self, stopping: asyncio.Event) -> None:
        while not stopping.is_set():
            command = await self._next_bet()
            began_s = time.monotonic()
            code = await self.client.player.ask(command)
            self.longest_s = max(self.longest_s, time.monotonic() - began_s)
            assert code in ("", "betting_closed", "round_ended"), code
            self.accepted += not code
            await asyncio.sleep(PACE_S)

    async def _next_bet(self) -> wire.DealRound | wire.PlaceBet:
        if self.table == OWN:
            return wire.DealRound(req(), OWN, (OWN_STAKE,))
        player = self.client.player
        await player.until(lambda: player.states[INFINITE].clock.phase == "betting" and not self._has_bet)
        return player.bet_command(STAKE)

    @property
    def _has_bet(self) -> bool:
        return bool(self.client.player.mine[INFINITE].stakes)

    async def check_money(self, node: ServerProcess) -> None:
        """Check that the history has each acknowledged round once, and that the balance follows from it."""
        history = await self._history()
        assert history.staked_minor == {"EUR": self.accepted * (100 if self.table == OWN else STAKE[2])}
        async with connected_guest(node.address, self.client) as fresh:
            assert fresh.player.welcome is not None
            (euro,) = (each for each in fresh.player.welcome.balances if each.currency == "EUR")
        net_minor = history.returned_minor["EUR"] - history.staked_minor["EUR"]
        assert (euro.balance_minor, euro.in_play_minor) == (GRANT_MINOR + net_minor, 0)

    async def _history(self) -> wire.History:
        """Return the history once no round is open."""
        async with asyncio.timeout(30):
            while True:
                history = await self.client.browser.get("/api/history", wire.History)
                if not any(line.status == "open" for line in history.lines):
                    return history
                await asyncio.sleep(0.1)


@asynccontextmanager
async def visits(site: Site) -> AsyncIterator[list[Visit]]:
    """Let two players on each node play, on their own and at the live table, until the block ends."""
    owner, other = await owner_of(site.cluster)
    places = ((node, table) for node in (owner, other) for table in (INFINITE, OWN))
    async with AsyncExitStack() as stack:
        played = list[Visit]()
        for node, table in places:
            client = await stack.enter_async_context(connected_guest(node.address))
            assert await client.player.join(table) == ""
            played.append(Visit(client, table, is_remote=(node, table) == (other, INFINITE)))
        stopping = asyncio.Event()
        async with asyncio.TaskGroup() as tasks:
            for visit in played:
                tasks.create_task(visit.play(stopping))
            yield played
            stopping.set()
        for visit in played:
            assert not visit.client.player.disconnected
            await visit.check_money(site.cluster.nodes[0])


async def run_outage(site: Site, outage: Outage, played: Sequence[Visit]) -> float:
    """Let a service be away for a while; return after how many seconds everybody plays again."""
    await site.begin(outage)
    await asyncio.sleep(outage.lasts_s)
    await site.end(outage)
    began_s = time.monotonic()
    accepted = [visit.accepted for visit in played]
    async with asyncio.timeout(PLAYS_AGAIN_S):
        for visit, before in zip(played, accepted, strict=True):
            await visit.client.player.until(partial(visit.has_played, before))
    return time.monotonic() - began_s


async def campaign(minutes: float, seed: int) -> None:
    rng, until_s = random.Random(seed), time.monotonic() + minutes * 60
    with tempfile.TemporaryDirectory() as folder, running_site(Path(folder)) as site:
        async with visits(site) as played:
            number = 0
            while time.monotonic() < until_s:
                service: Service = rng.choice(("postgresql", "nats"))
                manner: Manner = rng.choice(("stop", "crash", "freeze"))
                outage, number = Outage(service, manner, rng.uniform(*OUTAGES_S)), number + 1
                took_s = await run_outage(site, outage, played)
                print(f"{number}: {service}, {manner}, {outage.lasts_s:.1f} s: {took_s:.2f} s", flush=True)
                await asyncio.sleep(rng.uniform(0, 2))
        for visit in played:
            print(f"{visit.table}: {visit.accepted} rounds, longest wait {visit.longest_s:.1f} s")
        site.cluster.stop()
        print(site.cluster.verify())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=5)
    parser.add_argument("--seed", type=int, default=1)
    asyncio.run(campaign(**vars(parser.parse_args())))


if __name__ == "__main__":
    main()
