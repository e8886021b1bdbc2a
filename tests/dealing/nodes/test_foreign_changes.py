"""Two nodes on one database: what a player or staff change on one takes effect on the other."""

import asyncio
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest
from msgspec.structs import replace

from croupier import clock
from croupier.accounts.responsible_gaming import Measure
from croupier.accounts.staff_members import Member
from croupier.cluster.local_bus import LocalBus
from croupier.dealing.nodes.journal_follower import JournalFollower
from croupier.ledger.entries import adjustment
from croupier.ledger.sql.store import SqlLedger
from croupier.players.queries import acceptance_note, reminder_note
from croupier.protocol import wire
from croupier.protocol.connection import CLOSE_GOING_AWAY, CLOSE_NORMAL
from croupier.staff.admin_commands import AddStaff, RemoveStaff
from croupier.staff.service import StaffService
from tests.dealing.live.in_process import START_MINOR, Guest, new_guest
from tests.dealing.live.player import req
from tests.dealing.nodes.cluster import Cluster, running_cluster, until
from tests.support.nodes import node, tables_named

pytestmark = pytest.mark.anyio

CLASSIC = "classic"
CONFIG = """
[bonuses.small]
title = "Small bonus"
currency = "EUR"
amount = "10.00"
multiple = 1
"""
SOON_S = 1.0
"""The time within which a change takes effect on every node."""
HOUR_MS = 3_600_000


class LostBus(LocalBus):
    """A bus that is never connected."""

    is_connected = False

    def publish(self, subject: str, payload: bytes) -> None:
        """Lose the message."""


async def soon(holds: Callable[[], object]) -> None:
    await until(holds, SOON_S)


def deal() -> wire.DealRound:
    return wire.DealRound(req(), CLASSIC, (wire.Stake(0, "main", 1_000),))


@pytest.fixture(params=[LocalBus, LostBus])
async def cluster(
    request: pytest.FixtureRequest, ledger: SqlLedger, tmp_path: Path
) -> AsyncIterator[Cluster]:
    async with running_cluster(ledger, tmp_path, tables_named(CLASSIC), CONFIG, request.param()) as cluster:
        yield cluster


async def test_an_exclusion_closes_the_sockets_on_other_nodes(cluster: Cluster) -> None:
    until_ms = clock.now_ms() + HOUR_MS
    await cluster.here.restrictions.bar(cluster.id, "exclusion", until_ms)
    assert await cluster.closed() == CLOSE_NORMAL
    (refused,) = cluster.refusals()
    assert (refused.code, refused.args["until_ms"]) == ("barred", until_ms)


async def test_a_closed_account_has_no_sockets_on_other_nodes(cluster: Cluster) -> None:
    await cluster.here.closing.close(cluster.id, "staff", "asked for it")
    assert await cluster.closed() == CLOSE_NORMAL
    assert [refused.code for refused in cluster.refusals()] == ["account_closed"]


async def test_a_sign_out_closes_that_session_on_other_nodes(cluster: Cluster) -> None:
    other = await new_guest(cluster.there)
    await other.connect()
    await cluster.here.accounts.sign_out(cluster.guest.token)
    assert await cluster.closed() == CLOSE_GOING_AWAY  # its browser comes back, and is refused
    assert other.connection.close_code == 0


async def test_a_limit_holds_on_other_nodes(cluster: Cluster) -> None:
    measure = Measure("wager", "day", "GC")
    await cluster.here.restrictions.set_limit(cluster.id, measure, 100)
    await soon(lambda: cluster.there.limits.of(cluster.id).limits)
    assert await cluster.player.join(CLASSIC, "GC") == ""
    assert await cluster.player.ask(deal()) == "over_own_limit"
    await cluster.there.restrictions.set_limit(cluster.id, measure, 50)
    assert [cluster.there.limits.of(cluster.id).notes] == [2]


async def test_money_and_bonuses_from_other_nodes_are_shown(cluster: Cluster) -> None:
    entry = adjustment("adjusted", clock.now_ms(), cluster.id, "EUR", 500, "because")
    await cluster.here.gateway.post([entry])
    await cluster.here.bonuses.grant(cluster.id, "small", "because")
    shown = cluster.player.messages
    await soon(lambda: any(isinstance(each, wire.BonusUpdate) for each in shown))
    await soon(lambda: any(isinstance(each, wire.BalanceUpdate) for each in shown))
    (update,) = (each for each in shown if isinstance(each, wire.BalanceUpdate))
    assert (update.balance.currency, update.balance.balance_minor) == ("EUR", START_MINOR + 500)
    assert cluster.there.bonuses.active(cluster.id, "EUR") is not None


def test_entries_that_this_node_has_applied_are_left_out(ledger: SqlLedger) -> None:
    posted = [adjustment(f"a{number}", 1, f"p{number}", "EUR", 5, "because") for number in (1, 2, 3)]
    ledger.post(posted).result()
    last = ledger.last_seq()
    part = ledger.after(0, own={last - 2, last})
    assert [(seq, entry.player) for seq, entry in part.entries] == [(last - 1, "p2")]
    assert (part.last_seq, part.more) == (last, False)


async def test_an_answered_reality_check_is_answered_on_other_nodes(cluster: Cluster) -> None:
    now = clock.now_ms()
    await cluster.here.gateway.post([reminder_note(cluster.id, now, 60)])
    await soon(lambda: wire.ReminderAnswered(now) in cluster.player.messages)


async def test_settings_apply_on_other_nodes(cluster: Cluster) -> None:
    elsewhere = await Guest(cluster.here, cluster.guest.token).connect()
    assert elsewhere.welcome is not None
    settings = replace(elsewhere.welcome.settings, currency="USD", reminder_minutes=30)
    assert await elsewhere.ask(wire.SaveSettings(req(), settings)) == ""
    await soon(lambda: wire.SettingsUpdate(settings) in cluster.player.messages)
    connected = cluster.there.players.get(cluster.id)
    assert connected is not None
    assert (connected.settings, connected.limits.reminder_minutes) == (settings, 30)


async def test_a_document_is_accepted_on_other_nodes(cluster: Cluster) -> None:
    connected = cluster.there.players.get(cluster.id)
    assert connected is not None
    connected.limits.unaccepted = ("terms",)
    await cluster.here.gateway.post([acceptance_note(cluster.id, clock.now_ms(), "terms", "1", "0" * 64)])
    await soon(lambda: not connected.limits.unaccepted)


async def test_a_removed_member_of_staff_is_signed_out_everywhere(cluster: Cluster) -> None:
    here, there = StaffService(cluster.here), StaffService(cluster.there)
    for name in ("ada", "bob"):
        await here.execute_admin_command(AddStaff(name, "manager"))
    tokens = [there.sessions.begin(Member(name, "manager", 1), clock.now_ms()) for name in ("ada", "bob")]
    await here.execute_admin_command(RemoveStaff("ada"))
    await soon(lambda: there.sessions.of(tokens[0], clock.now_ms()) is None)
    assert there.sessions.of(tokens[1], clock.now_ms()) is not None


async def test_what_is_changed_while_a_node_starts_is_applied_once(
    ledger: SqlLedger, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Set a limit after the other node has noted the journal's end, and before it reads the limits."""
    tables, bus = tables_named(CLASSIC), LocalBus()
    async with node(ledger, tmp_path, tables, CONFIG, bus) as here:
        player = await (await new_guest(here)).connect()
        assert player.welcome is not None
        id_, measure, prepare = player.welcome.player, Measure("loss", "day", "GC"), JournalFollower.prepare

        async def overtaken(follower: JournalFollower) -> None:
            await prepare(follower)
            await here.restrictions.set_limit(id_, measure, 100)

        monkeypatch.setattr(JournalFollower, "prepare", overtaken)
        async with node(ledger, tmp_path, tables, CONFIG, bus) as there:
            await asyncio.sleep(0.2)
            assert there.limits.of(id_).notes == 1
            await there.restrictions.set_limit(id_, measure, 50)
        await soon(lambda: here.limits.of(id_).limit_at(measure, clock.now_ms()) == 50)
