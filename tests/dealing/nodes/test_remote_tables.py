"""A player at a gateway plays at a live table of another node."""

import asyncio
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest

from croupier import clock
from croupier.cluster.local_bus import LocalBus
from croupier.cluster.roles import NodeRole
from croupier.dealing.nodes import owner_link, remote_table_session, remote_tables
from croupier.gateway import table_announcements, table_gateways
from croupier.gateway.api import live_results
from croupier.gateway.pages.lobby import LiveStatusCache
from croupier.ledger.sql.store import SqlLedger
from croupier.play.contract.amounts import StakeLimits
from croupier.protocol import wire
from croupier.tables.live import inputs
from croupier.tables.live.phases import BETTING_PHASES
from tests.dealing.live.in_process import MAIN_BET, START_MINOR, Guest
from tests.dealing.live.player import INFINITE, TIMEOUT_S, Player, req
from tests.dealing.nodes.cluster import Cluster, running_cluster, until
from tests.support.nodes import tables_named

pytestmark = pytest.mark.anyio
GATEWAY = frozenset[NodeRole]({"gateway"})
CLASSIC = "classic"
PACE = """
[profile]
tables_max = 1

[infinite]
pace_ms = 0
betting_ms = 700
warning_ms = 300
offer_ms = 50
decision_ms = 50
pause_ms = 50
"""


@pytest.fixture(autouse=True)
def quick_beats(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let nodes show each other more often that they are there."""
    for module in (remote_tables, table_gateways):
        monkeypatch.setattr(module, "BEAT_S", 0.1)
    monkeypatch.setattr(table_announcements, "ANNOUNCE_S", 0.1)


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
def bus() -> LossyBus:
    return LossyBus()


@pytest.fixture
async def cluster(ledger: SqlLedger, tmp_path: Path, bus: LossyBus) -> AsyncIterator[Cluster]:
    """Yield an owner of the table, `here`, and a gateway."""
    async with running_cluster(
        ledger, tmp_path, tables_named(INFINITE, CLASSIC), PACE, bus, GATEWAY
    ) as cluster:
        yield cluster


def notices(player: Player) -> list[wire.TableAvailability]:
    return [message for message in player.messages if isinstance(message, wire.TableAvailability)]


async def play(player: Player) -> None:
    """Bet in the next round that begins, and wait for the result."""
    before = player.states[INFINITE].clock.round
    await player.until(
        lambda: (clock := player.states[INFINITE].clock).phase == "betting" and clock.round != before
    )
    round_ = player.states[INFINITE].clock.round
    assert await player.bet(MAIN_BET) == ""
    await player.until(lambda: player.results.get(round_))


async def paid(player: Player) -> None:
    """Wait for the result of this round's only bet, and check the balance."""
    round_ = player.states[INFINITE].clock.round
    await player.until(lambda: player.results.get(round_))
    result, mine = player.results[round_], player.mine[INFINITE]
    assert result.staked_minor >= MAIN_BET[2]
    assert mine.balance_minor == START_MINOR - result.staked_minor + result.returned_minor


async def test_a_player_bets_and_is_paid(cluster: Cluster) -> None:
    player = cluster.player
    assert await player.join() == ""
    await player.until_phase("betting")
    assert await player.bet(MAIN_BET) == ""
    assert player.mine[INFINITE].balance_minor == START_MINOR - MAIN_BET[2]
    await paid(player)
    assert player.did[INFINITE]


async def test_the_balance_on_other_pages_follows_the_result(cluster: Cluster) -> None:
    player = cluster.player
    await player.join()
    await player.until_phase("betting")
    await player.bet(MAIN_BET)
    await paid(player)
    mine = player.mine[INFINITE]

    def shown() -> tuple[int, int]:
        held = cluster.there.balances.held(cluster.id, "EUR")
        return held.cash_minor, held.in_play_minor

    await until(lambda: shown() == (mine.balance_minor, 0))


async def test_refusals_come_from_the_owner(cluster: Cluster) -> None:
    player = cluster.player
    assert await player.join(currency="ABC") == "no_such_currency"
    assert len(cluster.here.players) == 0
    assert await player.join() == ""
    await player.until_phase("betting")
    assert await player.bet((0, "main", START_MINOR * 1_000)) == "not_covered"


async def test_a_player_who_leaves_is_gone_at_the_owner(cluster: Cluster) -> None:
    player = cluster.player
    await player.join()
    assert [connected.id for connected in cluster.here.players] == [cluster.id]
    assert await player.ask(wire.Leave(req(), INFINITE)) == ""
    await until(lambda: len(cluster.here.players) == 0)
    assert cluster.there.remote_tables.seats == 0
    before = len(player.frames)
    await asyncio.sleep(0.3)
    assert len(player.frames) == before, "the table sends nothing more"


async def test_a_lost_connection_is_one_at_the_owner_too(cluster: Cluster) -> None:
    await cluster.player.join()
    await cluster.guest.disconnect()
    await until(lambda: len(cluster.here.players) == 0)
    await until(lambda: cluster.there.remote_tables.seats == 0)


async def test_the_same_player_at_the_owner_takes_the_table_over(cluster: Cluster) -> None:
    player = cluster.player
    await player.join()
    there = Guest(cluster.here, cluster.guest.token)
    assert await (await there.connect()).join() == ""
    await player.until(lambda: wire.TakenOver(INFINITE) in player.messages)
    assert await player.bet(MAIN_BET) == "not_joined"


async def test_the_gateway_keeps_the_pace_of_play(cluster: Cluster) -> None:
    player, connected = cluster.player, cluster.there.players.get(cluster.id)
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
    await cluster.here.restrictions.bar(cluster.id, "exclusion", clock.now_ms() + 3_600_000)
    await until(lambda: cluster.guest.connection.close_code)
    assert [each.code for each in player.messages if isinstance(each, wire.No)] == ["barred"]
    assert len(cluster.here.players) == 0


async def test_idle_players_of_gateways_are_no_business_of_the_owner(cluster: Cluster) -> None:
    await cluster.player.join()
    (remote,) = cluster.here.players
    remote.last_active_ms = 0
    await cluster.here.sweep()
    assert remote.browsers
    assert not remote.has_socket


async def test_chat_and_lobby_and_results_are_those_of_the_owner(cluster: Cluster) -> None:
    player = cluster.player
    await player.join()
    assert await player.ask(wire.PostChat(req(), INFINITE, "hello")) == ""
    await player.until(lambda: player.chat[INFINITE])
    await player.until_phase("betting")
    await player.bet(MAIN_BET)
    await paid(player)
    remote = cluster.there.remote_tables
    lobby = LiveStatusCache(cluster.there.live, results=True, remote=remote.statuses)
    await until(lambda: lobby.lines(clock.now_ms())[0].players == 1)
    there, here = [await live_results(each, INFINITE) for each in (cluster.there, cluster.here)]
    assert there.last() == here.last()


async def test_limits_and_the_dealer_are_those_of_the_owner(cluster: Cluster) -> None:
    player, current = cluster.player, cluster.there.current
    assert current.table(INFINITE) is cluster.there.tables[INFINITE]
    await player.join()
    await player.until_phase("betting")
    table = cluster.here.live[INFINITE]
    limits = {code: StakeLimits(300, 700) for code in table.table.limits}
    await table.execute(inputs.LimitsSet(limits, {}))
    await player.until(lambda: any(event.what == "limits" for event in player.did[INFINITE]))
    limited = current.table(INFINITE)
    assert (limited.limits, current.table(INFINITE)) == (limits, limited)
    assert current.dealer(INFINITE) == "automatic"
    table.dealer = "person"
    await until(lambda: current.dealer(INFINITE) == "person")


async def test_a_table_left_in_play_counts_as_open(ledger: SqlLedger, tmp_path: Path, bus: LossyBus) -> None:
    """Once bets are closed; before, a bet is returned to a player who leaves."""
    slow = PACE.replace("pace_ms = 0", "pace_ms = 400")
    tables = tables_named(INFINITE, CLASSIC)
    async with running_cluster(ledger, tmp_path, tables, slow, bus, GATEWAY) as cluster:
        player = cluster.player
        assert cluster.there.config.profile.tables_max == 1
        await player.join()
        await player.until_phase("betting")
        assert await player.bet(MAIN_BET) == ""
        await player.until(lambda: player.states[INFINITE].clock.phase not in BETTING_PHASES)
        await player.ask(wire.Leave(req(), INFINITE))
        assert await player.join(CLASSIC, "GC") == "too_many_tables"
        await until(lambda: not ledger.open_rounds_of(cluster.id))
        assert await player.join(CLASSIC, "GC") == ""


async def test_players_of_a_node_go_on_at_a_table_that_it_takes_over(
    ledger: SqlLedger, tmp_path: Path, bus: LossyBus
) -> None:
    async with running_cluster(ledger, tmp_path, tables_named(INFINITE), PACE, bus) as cluster:
        player = cluster.player
        await player.join()
        await play(player)
        await cluster.here.live_tables.stop()
        await until(lambda: INFINITE in cluster.there.live)
        await play(player)
        assert cluster.there.remote_tables.seats == 0
        assert cluster.id in cluster.there.live[INFINITE].state.players


# --- losses


@pytest.mark.parametrize("direction", ["gateway.", "owner."])
async def test_after_a_loss_the_player_joins_again(cluster: Cluster, bus: LossyBus, direction: str) -> None:
    player = cluster.player
    await player.join()
    snapshots = sum(isinstance(message, wire.LiveSnapshot) for message in player.messages)
    bus.lose_next(direction)
    await player.until(
        lambda: sum(isinstance(each, wire.LiveSnapshot) for each in player.messages) > snapshots
    )
    assert cluster.there.remote_tables.losses == 1
    await player.until_phase("betting")
    assert await player.bet(MAIN_BET) == ""
    await paid(player)
    assert len(cluster.here.players) == 1


@pytest.mark.parametrize("direction", ["gateway.", "owner."])
async def test_a_command_or_an_answer_that_is_lost_counts_once(
    cluster: Cluster, bus: LossyBus, direction: str
) -> None:
    player = cluster.player
    await player.join()
    await player.until_phase("betting")
    command = player.bet_command(MAIN_BET)
    if direction == "owner.":
        bus.lose_next(direction)
    answer = player.submit(command)
    if direction == "gateway.":
        await until(lambda: cluster.here.balances.held(cluster.id, "EUR").in_play_minor)
        bus.lose_next(direction)
    assert isinstance(await asyncio.wait_for(answer, TIMEOUT_S), wire.Ok)
    assert player.mine[INFINITE].held_minor == MAIN_BET[2]
    await paid(player)
    assert len(cluster.there.ledger.rounds(cluster.id, limit=5)) == 1


@pytest.fixture
def short_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let nodes give each other up sooner."""
    monkeypatch.setattr(owner_link, "GIVE_UP_S", 0.5)
    monkeypatch.setattr(table_gateways, "SILENT_S", 1.0)


@pytest.mark.usefixtures("short_waits")
async def test_without_the_bus_commands_wait_and_play_goes_on_afterwards(
    cluster: Cluster, bus: LossyBus
) -> None:
    player = cluster.player
    await player.join()
    await player.until_phase("betting")
    bus.loses = lambda _: True
    answer = player.submit(player.bet_command(MAIN_BET))
    await until(lambda: len(cluster.here.players) == 0)
    assert not answer.done()
    bus.loses = lambda _: False
    refused = await asyncio.wait_for(answer, TIMEOUT_S)
    assert isinstance(refused, wire.No)
    assert refused.code == "round_ended"
    await play(player)


@pytest.mark.usefixtures("short_waits")
async def test_a_player_who_leaves_without_the_bus_is_gone_at_the_owner(
    cluster: Cluster, bus: LossyBus, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(table_gateways, "REJOIN_S", 0.3)
    player = cluster.player
    await player.join()
    await player.until_phase("betting")
    bus.loses = lambda _: True
    player.submit(player.bet_command(MAIN_BET))
    assert await player.ask(wire.Leave(req(), INFINITE)) == ""
    await until(lambda: cluster.there.remote_tables.seats == 0)
    bus.loses = lambda _: False
    await until(lambda: len(cluster.here.players) == 0)


async def test_the_browser_is_told_while_the_owner_is_out_of_reach(
    cluster: Cluster, bus: LossyBus, monkeypatch: pytest.MonkeyPatch
) -> None:
    player = cluster.player
    await player.join()
    monkeypatch.setattr(remote_tables, "SILENT_S", 0.3)
    bus.loses = lambda _: True
    await player.until(lambda: wire.TableAvailability(INFINITE, available=False) in player.messages)
    monkeypatch.setattr(remote_tables, "SILENT_S", 3.0)
    bus.loses = lambda _: False
    await player.until(lambda: wire.TableAvailability(INFINITE, available=True) in player.messages)
    await play(player)
    assert [each.available for each in notices(player)] == [False, True]


async def test_a_browser_that_connects_again_joins_once_the_owner_is_reached(
    cluster: Cluster, bus: LossyBus, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(remote_tables, "SILENT_S", 0.2)
    await cluster.player.join()
    await cluster.guest.disconnect()
    bus.loses = lambda _: True
    await until(lambda: not cluster.there.remote_tables.is_reachable(INFINITE))
    player = await cluster.guest.connect(wire.ResumedTable(INFINITE, 0, "EUR"))
    await player.until(lambda: wire.TableAvailability(INFINITE, available=False) in player.messages)
    assert not any(isinstance(message, wire.No) for message in player.messages)
    monkeypatch.setattr(remote_tables, "SILENT_S", 3.0)
    bus.loses = lambda _: False
    await player.until(lambda: INFINITE in player.states)
    await play(player)
    assert [each.available for each in notices(player)] == [False, True]


async def test_a_table_that_nobody_runs_is_unavailable(
    cluster: Cluster, bus: LossyBus, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(remote_table_session, "JOIN_S", 0.2)
    bus.loses = lambda subject: subject.startswith("owner.")
    assert await cluster.player.join() == "server_unavailable"
    bus.loses = lambda _: False
    assert await cluster.player.join() == ""
    assert cluster.there.remote_tables.seats == 1
