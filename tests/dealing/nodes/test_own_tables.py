"""An own table that its player opens on one node, then on another: one round, and one node at a time."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from random import Random
from typing import NamedTuple

import pytest

from croupier import clock
from croupier.cluster.local_bus import LocalBus
from croupier.gateway.server import Server
from croupier.ledger.sql.store import SqlLedger
from croupier.protocol import wire
from tests.dealing.live.in_process import Guest
from tests.dealing.live.player import Player, req
from tests.dealing.nodes.cluster import running_cluster
from tests.support.bot import random_decision
from tests.support.nodes import node, tables_named

pytestmark = pytest.mark.anyio

CLASSIC = "classic"
HOUR_MS = 3_600_000


class Pair(NamedTuple):
    """Two nodes, and a guest who is connected to both."""

    here: Server
    there: Server
    at_here: Player
    at_there: Player

    @property
    def id(self) -> str:
        assert self.at_here.welcome is not None
        return self.at_here.welcome.player


@pytest.fixture
async def pair(ledger: SqlLedger, tmp_path: Path) -> AsyncIterator[Pair]:
    async with running_cluster(ledger, tmp_path, tables_named(CLASSIC), "", LocalBus()) as cluster:
        at_here = await Guest(cluster.here, cluster.guest.token).connect()
        yield Pair(cluster.here, cluster.there, at_here, cluster.player)


def round_of(player: Player) -> wire.PlayedRound:
    messages = (each for each in player.messages if isinstance(each, wire.TableSnapshot | wire.TableUpdate))
    played = [*messages][-1].state.round
    assert played is not None
    return played


async def begin(player: Player) -> wire.PlayedRound:
    """Deal rounds until one has a decision."""
    assert await player.join(CLASSIC, "GC") == ""
    while True:
        assert await player.ask(wire.DealRound(req(), CLASSIC, (wire.Stake(0, "main", 1_000),))) == ""
        if round_of(player).view.turns:
            return round_of(player)


async def decide(player: Player, played: wire.PlayedRound) -> str:
    return await player.ask(random_decision(CLASSIC, played, Random(1)))


async def finish(player: Player) -> None:
    while (played := round_of(player)).view.turns:
        assert await decide(player, played) == ""


async def test_a_round_goes_on_where_its_player_opens_it(pair: Pair, ledger: SqlLedger) -> None:
    played = await begin(pair.at_here)
    assert await pair.at_there.join(CLASSIC, "GC") == ""
    assert round_of(pair.at_there) == played
    assert await decide(pair.at_here, played) == "not_joined"
    assert wire.TakenOver(CLASSIC) in pair.at_here.messages
    await finish(pair.at_there)
    assert ledger.open_rounds_of(pair.id) == ()
    assert await pair.at_here.join(CLASSIC, "GC") == ""
    await begin(pair.at_here)


async def test_two_nodes_never_decide_the_same_turn(pair: Pair, ledger: SqlLedger) -> None:
    played = await begin(pair.at_here)
    deciding = asyncio.create_task(decide(pair.at_here, played))
    assert await pair.at_there.join(CLASSIC, "GC") == ""
    assert await deciding in ("", "not_joined")
    if ledger.open_rounds_of(pair.id):
        await finish(pair.at_there)
    record = ledger.round(played.id)
    assert record is not None
    assert record.status == "settled"
    assert pair.there.table_services.ledger.balances(pair.id)["GC"].get("in_play", 0) == 0


async def test_another_nodes_play_closes_the_table_here(pair: Pair) -> None:
    await begin(pair.at_here)
    assert await pair.at_there.join(CLASSIC, "GC") == ""
    await finish(pair.at_there)
    await begin(pair.at_there)
    await pair.at_here.until(lambda: wire.TakenOver(CLASSIC) in pair.at_here.messages)


async def test_the_round_of_an_excluded_player_ends_once(pair: Pair, ledger: SqlLedger) -> None:
    played = await begin(pair.at_here)
    await pair.there.restrictions.bar(pair.id, "exclusion", clock.now_ms() + HOUR_MS)
    await asyncio.sleep(0.3)  # both nodes have tried
    record = ledger.round(played.id)
    assert record is not None
    assert record.status == "settled"


async def test_a_started_node_says_which_rounds_are_open(
    pair: Pair, ledger: SqlLedger, tmp_path: Path
) -> None:
    played = await begin(pair.at_here)
    async with node(ledger, tmp_path, tables_named(CLASSIC), "", LocalBus()) as third:
        assert await third.player_tables.unfinished(pair.id) == (CLASSIC,)
        assert (await third.player_tables.open(pair.id, CLASSIC)).in_play
    assert ledger.open_rounds_of(pair.id)[0].id == played.id
