"""Two nodes on one database: what a player or staff change on one takes effect on the other."""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AsyncExitStack
from pathlib import Path
from typing import NamedTuple

import pytest

from croupier import clock
from croupier.accounts.responsible_gaming import Measure
from croupier.accounts.staff_members import Member
from croupier.app.serve import open_ledger
from croupier.ledger.entries import adjustment
from croupier.ledger.sql.store import SqlLedger
from croupier.protocol import wire
from croupier.protocol.connection import CLOSE_GOING_AWAY, CLOSE_NORMAL
from croupier.runtime.nodes.journal_follower import JournalFollower
from croupier.runtime.nodes.local_bus import LocalBus
from croupier.runtime.players.queries import acceptance_note, reminder_note
from croupier.runtime.server import Server
from croupier.staff.admin_commands import AddStaff, RemoveStaff
from croupier.staff.service import StaffService
from tests.runtime.live.in_process import START_MINOR, Guest, new_guest
from tests.runtime.live.player import Player, req
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


@pytest.fixture
def ledger(tmp_path: Path) -> Iterator[SqlLedger]:
    ledger = open_ledger(tmp_path)
    yield ledger
    ledger.close()


class Cluster(NamedTuple):
    """A guest who is connected to `there`, while something changes `here`."""

    here: Server
    there: Server
    guest: Guest
    player: Player

    @property
    def id(self) -> str:
        assert self.player.welcome is not None
        return self.player.welcome.player

    async def until(self, holds: Callable[[], object]) -> None:
        async with asyncio.timeout(SOON_S):
            await self.player.until(holds)

    async def closed(self) -> int:
        await _until(lambda: self.guest.connection.close_code)
        return self.guest.connection.close_code

    async def limited(self) -> None:
        await _until(lambda: self.there.limits.of(self.id).limits)

    def refusals(self) -> list[wire.No]:
        return [message for message in self.player.messages if isinstance(message, wire.No)]


def deal() -> wire.DealRound:
    return wire.DealRound(req(), CLASSIC, (wire.Stake(0, "main", 1_000),))


async def _until(holds: Callable[[], object]) -> None:
    async with asyncio.timeout(SOON_S):
        while not holds():  # noqa: ASYNC110 - values without an event
            await asyncio.sleep(0.01)


@pytest.fixture(params=[LocalBus, LostBus])
async def cluster(
    request: pytest.FixtureRequest, ledger: SqlLedger, tmp_path: Path
) -> AsyncIterator[Cluster]:
    tables, bus = tables_named(CLASSIC), request.param()
    async with AsyncExitStack() as stack:
        here = await stack.enter_async_context(node(ledger, tmp_path, tables, CONFIG, bus))
        there = await stack.enter_async_context(node(ledger, tmp_path, tables, CONFIG, bus))
        guest = await new_guest(there)
        yield Cluster(here, there, guest, await guest.connect())


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
    await cluster.limited()
    assert await cluster.player.join(CLASSIC, "GC") == ""
    assert (
        await cluster.player.ask(wire.DealRound(req(), CLASSIC, (wire.Stake(0, "main", 1_000),)))
        == "over_own_limit"
    )
    await cluster.there.restrictions.set_limit(cluster.id, measure, 50)
    assert [cluster.there.limits.of(cluster.id).notes] == [2]


async def test_money_and_bonuses_from_other_nodes_are_shown(cluster: Cluster) -> None:
    entry = adjustment("adjusted", clock.now_ms(), cluster.id, "EUR", 500, "because")
    await cluster.here.gateway.post([entry])
    await cluster.here.bonuses.grant(cluster.id, "small", "because")
    shown = cluster.player.messages
    await cluster.until(lambda: any(isinstance(each, wire.BonusUpdate) for each in shown))
    await cluster.until(lambda: any(isinstance(each, wire.BalanceUpdate) for each in shown))
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
    await cluster.until(lambda: wire.ReminderAnswered(now) in cluster.player.messages)


async def test_a_document_is_accepted_on_other_nodes(cluster: Cluster) -> None:
    connected = cluster.there.players.get(cluster.id)
    assert connected is not None
    connected.limits.unaccepted = ("terms",)
    await cluster.here.gateway.post([acceptance_note(cluster.id, clock.now_ms(), "terms", "1", "0" * 64)])
    await _until(lambda: not connected.limits.unaccepted)


async def test_a_removed_member_of_staff_is_signed_out_everywhere(cluster: Cluster) -> None:
    here, there = StaffService(cluster.here), StaffService(cluster.there)
    for name in ("ada", "bob"):
        await here.execute_admin_command(AddStaff(name, "manager"))
    tokens = [there.sessions.begin(Member(name, "manager", 1), clock.now_ms()) for name in ("ada", "bob")]
    await here.execute_admin_command(RemoveStaff("ada"))
    await _until(lambda: there.sessions.of(tokens[0], clock.now_ms()) is None)
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
        await _until(lambda: here.limits.of(id_).limit_at(measure, clock.now_ms()) == 50)
