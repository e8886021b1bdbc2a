"""A rolling upgrade: nodes are restarted one after the other in play, and no hand is lost."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import NamedTuple

import pytest

from croupier.games import published_tables
from croupier.protocol import wire
from tests.dealing.live.player import INFINITE
from tests.dealing.live.socket_client import PlayerClient, connected_guest
from tests.faults.bettor import STAKE, joined_in, only_line
from tests.faults.nodes import SHORT_ROUNDS, TAKEN_OVER_S, running_cluster
from tests.support.browser_connection import Browser, another_browser, connect_guest, deal_open_round
from tests.support.nats_server import needs_nats
from tests.support.server_process import ServerProcess

OWN = "double_exposure"
DRAIN_S = "25"
TABLES = [table.id for table in published_tables().values() if table.dealing == "live"]
OTHERS_CLOSED = "".join(f"[{table}]\nopened = false\n" for table in TABLES if table != INFINITE)
"""Otherwise the drain waits for their rounds too."""


class Guests(NamedTuple):
    """Two with a bet at a live table, `here` on its owner, and one with a hand at an own table."""

    here: PlayerClient
    elsewhere: PlayerClient
    alone: Browser
    hand: wire.PlayedRound


@asynccontextmanager
async def guests(leaving: ServerProcess, staying: ServerProcess) -> AsyncIterator[Guests]:
    async with (
        connected_guest(leaving.address) as here,
        connected_guest(staying.address) as elsewhere,
        connect_guest(leaving.address) as alone,
    ):
        await alone.join(OWN)
        hand = await deal_open_round(alone, OWN, wire.Stake(0, "main", 1000))
        for client in (here, elsewhere):
            await joined_in(client.player, TAKEN_OVER_S)
        await here.player.until_phase("betting")
        assert [await client.player.bet(STAKE) for client in (here, elsewhere)] == ["", ""]
        yield Guests(here, elsewhere, alone, hand)


@pytest.mark.anyio
@needs_nats
async def test_nodes_restart_one_after_the_other_and_every_round_is_settled(tmp_path: Path) -> None:
    file = tmp_path / "closed.toml"
    file.write_text(SHORT_ROUNDS + OTHERS_CLOSED)
    with running_cluster(tmp_path, "--drain-seconds", DRAIN_S, "--config", str(file)) as cluster:
        owner, other = cluster.nodes  # the first that starts takes the tables
        for leaving, staying in ((owner, other), (other, owner)):
            async with guests(leaving, staying) as played:
                assert await asyncio.to_thread(leaving.stop) == 0
                assert played.here.player.disconnected
                assert not played.elsewhere.player.disconnected
                for client in (played.here, played.elsewhere):
                    async with connected_guest(staying.address, client) as moved:
                        assert (await only_line(moved.browser)).status == "settled"
                        await joined_in(moved.player, TAKEN_OVER_S)
                async with another_browser(played.alone, staying.address) as moved_alone:
                    await moved_alone.join(OWN)
                    stood = await moved_alone.decide(OWN, played.hand, "stand")
                    assert isinstance(stood.reply, wire.Ok)
            leaving.start()
        cluster.stop()
        assert "No errors" in cluster.verify()
