"""A player at a gateway plays at a live table of another node."""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AsyncExitStack
from pathlib import Path
from typing import NamedTuple

import pytest

from croupier import clock
from croupier.app.nodes import serving_gateways
from croupier.app.serve import open_ledger
from croupier.gateway import table_gateways
from croupier.gateway.api import live_results
from croupier.gateway.pages.lobby import LiveStatusCache
from croupier.ledger.sql.store import SqlLedger
from croupier.protocol import wire
from croupier.runtime.nodes import owner_link, remote_table_session
from croupier.runtime.nodes.local_bus import LocalBus
from croupier.runtime.nodes.roles import BOTH_ROLES, NodeRole
from croupier.runtime.server import Server
from tests.runtime.live.in_process import MAIN_BET, START_MINOR, Guest, new_guest
from tests.runtime.live.player import INFINITE, TIMEOUT_S, Player, req
from tests.support.nodes import node, tables_named

pytestmark = pytest.mark.anyio
GATEWAY = frozenset[NodeRole]({"gateway"})
PACE = """
[infinite]
pace_ms = 0
betting_ms = 1500
warning_ms = 100
offer_ms = 150
decision_ms = 150
pause_ms = 50
"""


class LossyBus(LocalBus):
    """Loses the messages for which `loses` returns True."""

    def __init__(self) -> None:
        super().__init__()
        self.loses: Callable[[str], bool] = lambda _: False

    def publish(self, subject: str, payload: bytes) -> None:
        if not self.loses(subject):
            super().publish(subject, payload)

    def lose_next(self, subject: str) -> None:
        """Lose one message whose subject begins so."""

        def loses(sent: str) -> bool:
            lost = sent.startswith(subject)
            if lost:
                self.loses = lambda _: False
            return lost

        self.loses = loses


@pytest.fixture
def ledger(tmp_path: Path) -> Iterator[SqlLedger]:
    ledger = open_ledger(tmp_path)
    yield ledger
    ledger.close()


class Cluster(NamedTuple):
    """`player` is connected to the gateway, and the table is the owner's."""

    bus: LossyBus
    owner: Server
    gateway: Server
    guest: Guest
    player: Player

    @property
    def id(self) -> str:
        assert self.player.welcome is not None
        return self.player.welcome.player

    async def paid(self) -> None:
        """Wait for the result of this round's only bet, and check the balance."""
        player, round_ = self.player, self.player.states[INFINITE].clock.round
        await player.until(lambda: player.results.get(round_))
        result, mine = player.results[round_], player.mine[INFINITE]
        assert result.staked_minor >= MAIN_BET[2]
        assert mine.balance_minor == START_MINOR - result.staked_minor + result.returned_minor


@pytest.fixture
async def cluster(ledger: SqlLedger, tmp_path: Path) -> AsyncIterator[Cluster]:
    bus, tables = LossyBus(), tables_named(INFINITE)
    async with AsyncExitStack() as stack:
        enter = stack.enter_async_context
        owner = await enter(node(ledger, tmp_path, tables, PACE, bus))
        await enter(serving_gateways(owner, bus, BOTH_ROLES))
        gateway = await enter(node(ledger, tmp_path, tables, PACE, bus, GATEWAY))
        guest = await new_guest(gateway)
        yield Cluster(bus, owner, gateway, guest, await guest.connect())


async def until(holds: Callable[[], object]) -> None:
    async with asyncio.timeout(TIMEOUT_S):
        while not holds():  # noqa: ASYNC110 - values without an event
            await asyncio.sleep(0.01)


async def test_a_player_bets_and_is_paid(cluster: Cluster) -> None:
    player = cluster.player
    assert await player.join() == ""
    await player.until_phase("betting")
    assert await player.bet(MAIN_BET) == ""
    assert player.mine[INFINITE].balance_minor == START_MINOR - MAIN_BET[2]
    await cluster.paid()
    assert player.did[INFINITE]


async def test_the_balance_on_other_pages_follows_the_result(cluster: Cluster) -> None:
    player = cluster.player
    await player.join()
    await player.until_phase("betting")
    await player.bet(MAIN_BET)
    await cluster.paid()
    mine = player.mine[INFINITE]

    def shown() -> tuple[int, int]:
        held = cluster.gateway.balances.held(cluster.id, "EUR")
        return held.cash_minor, held.in_play_minor

    await until(lambda: shown() == (mine.balance_minor, 0))


async def test_refusals_come_from_the_owner(cluster: Cluster) -> None:
    player = cluster.player
    assert await player.join(currency="ABC") == "no_such_currency"
    assert len(cluster.owner.players) == 0
    assert await player.join() == ""
    await player.until_phase("betting")
    assert await player.bet((0, "main", START_MINOR * 1_000)) == "not_covered"


async def test_a_player_who_leaves_is_gone_at_the_owner(cluster: Cluster) -> None:
    player = cluster.player
    await player.join()
    assert [connected.id for connected in cluster.owner.players] == [cluster.id]
    assert await player.ask(wire.Leave(req(), INFINITE)) == ""
    await until(lambda: len(cluster.owner.players) == 0)
    assert cluster.gateway.remote_tables.seats == 0
    before = len(player.frames)
    await asyncio.sleep(0.3)
    assert len(player.frames) == before, "the table sends nothing more"


async def test_a_lost_connection_is_one_at_the_owner_too(cluster: Cluster) -> None:
    await cluster.player.join()
    await cluster.guest.disconnect()
    await until(lambda: len(cluster.owner.players) == 0)
    await until(lambda: cluster.gateway.remote_tables.seats == 0)


async def test_the_same_player_at_the_owner_takes_the_table_over(cluster: Cluster) -> None:
    player = cluster.player
    await player.join()
    there = Guest(cluster.owner, cluster.guest.token)
    assert await (await there.connect()).join() == ""
    await player.until(lambda: wire.TakenOver(INFINITE) in player.messages)
    assert await player.bet(MAIN_BET) == "not_joined"


async def test_the_gateway_keeps_the_pace_of_play(cluster: Cluster) -> None:
    player, connected = cluster.player, cluster.gateway.players.get(cluster.id)
    assert connected is not None
    await player.join()
    await player.until_phase("betting")
    connected.limits.unaccepted = ("terms",)
    assert await player.bet(MAIN_BET) == "documents_not_accepted"
    connected.limits.unaccepted = ()
    assert await player.bet(MAIN_BET) == ""


async def test_an_exclusion_at_the_owner_ends_the_session_at_the_gateway(cluster: Cluster) -> None:
    player = cluster.player
    await player.join()
    await cluster.owner.restrictions.bar(cluster.id, "exclusion", clock.now_ms() + 3_600_000)
    await until(lambda: cluster.guest.connection.close_code)
    assert [each.code for each in player.messages if isinstance(each, wire.No)] == ["barred"]
    assert len(cluster.owner.players) == 0


async def test_idle_players_of_gateways_are_no_business_of_the_owner(cluster: Cluster) -> None:
    await cluster.player.join()
    (remote,) = cluster.owner.players
    remote.last_active_ms = 0
    await cluster.owner.sweep()
    assert remote.browsers
    assert not remote.has_socket


async def test_chat_and_lobby_and_results_are_those_of_the_owner(cluster: Cluster) -> None:
    player = cluster.player
    await player.join()
    assert await player.ask(wire.PostChat(req(), INFINITE, "hello")) == ""
    await player.until(lambda: player.chat[INFINITE])
    await player.until_phase("betting")
    await player.bet(MAIN_BET)
    await cluster.paid()
    remote = cluster.gateway.remote_tables
    lobby = LiveStatusCache(cluster.gateway.live, results=True, remote=remote.statuses)
    await until(lambda: lobby.lines(clock.now_ms())[0].players == 1)
    assert live_results(cluster.gateway, INFINITE).last() == live_results(cluster.owner, INFINITE).last()


# --- losses


@pytest.mark.parametrize("direction", ["gateway.", "owner."])
async def test_after_a_loss_the_player_joins_again(cluster: Cluster, direction: str) -> None:
    player = cluster.player
    await player.join()
    snapshots = sum(isinstance(message, wire.LiveSnapshot) for message in player.messages)
    cluster.bus.lose_next(direction)
    await player.until(
        lambda: sum(isinstance(each, wire.LiveSnapshot) for each in player.messages) > snapshots
    )
    assert cluster.gateway.remote_tables.losses == 1
    await player.until_phase("betting")
    assert await player.bet(MAIN_BET) == ""
    await cluster.paid()
    assert len(cluster.owner.players) == 1


@pytest.mark.parametrize("direction", ["gateway.", "owner."])
async def test_a_command_or_an_answer_that_is_lost_counts_once(cluster: Cluster, direction: str) -> None:
    player = cluster.player
    await player.join()
    await player.until_phase("betting")
    command = player.bet_command(MAIN_BET)
    if direction == "owner.":
        cluster.bus.lose_next(direction)
    answer = player.submit(command)
    if direction == "gateway.":
        await until(lambda: cluster.owner.balances.held(cluster.id, "EUR").in_play_minor)
        cluster.bus.lose_next(direction)
    assert isinstance(await asyncio.wait_for(answer, TIMEOUT_S), wire.Ok)
    assert player.mine[INFINITE].held_minor == MAIN_BET[2]
    await cluster.paid()
    assert len(cluster.gateway.ledger.rounds(cluster.id, limit=5)) == 1


async def test_without_the_bus_commands_are_refused_and_play_goes_on_afterwards(
    cluster: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(owner_link, "GIVE_UP_S", 1.0)
    monkeypatch.setattr(table_gateways, "SILENT_S", 2.0)
    player = cluster.player
    await player.join()
    await player.until_phase("betting")
    cluster.bus.loses = lambda _: True
    assert await player.bet(MAIN_BET) == "server_unavailable"
    await until(lambda: len(cluster.owner.players) == 0)
    cluster.bus.loses = lambda _: False
    await until(lambda: len(cluster.owner.players) == 1)
    before = player.states[INFINITE].clock.round
    await player.until(
        lambda: (
            player.states[INFINITE].clock.phase == "betting" and player.states[INFINITE].clock.round != before
        )
    )
    assert await player.bet(MAIN_BET) == ""
    await cluster.paid()


async def test_a_table_that_nobody_runs_is_unavailable(
    cluster: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(remote_table_session, "JOIN_S", 0.2)
    cluster.bus.loses = lambda subject: subject.startswith("owner.")
    assert await cluster.player.join() == "server_unavailable"
    cluster.bus.loses = lambda _: False
    assert await cluster.player.join() == ""
    assert cluster.gateway.remote_tables.seats == 1
