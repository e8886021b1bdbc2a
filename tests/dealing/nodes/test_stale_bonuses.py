"""Bonuses end on one of two nodes, whose caches don't know what the other has posted, on both databases.

Without a bus no node hears of the other's entries, so only the transaction can know the bonus money. On
PostgreSQL each node has a writer of its own; SQLite has one writer.
"""

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import ExitStack, closing
from pathlib import Path
from typing import NamedTuple

import pytest

from croupier import clock
from croupier.accounts.identity import Identity, Player
from croupier.app.serve import DATABASE, SHOES_KEY
from croupier.audit.data_folder import audit
from croupier.gateway.server import Server
from croupier.ledger import entries
from croupier.ledger.bonus_entries import ENDS, OPT_INS
from croupier.ledger.entries import Entry, Ticket
from croupier.ledger.sql.databases import Database, PostgresqlUrl
from croupier.ledger.sql.store import SqlLedger
from croupier.ledger.stores import open_ledger
from croupier.protocol import wire
from croupier.protocol.wire import CashierRequest
from croupier.refusal import Refused
from tests.dealing.waiting_round import received
from tests.support.clocks import HOUR_MS, fast_forward_machine
from tests.support.in_process import InProcessClient
from tests.support.nodes import node, tables_named

pytestmark = pytest.mark.anyio

CONFIG = """
[payments.currencies.EUR]
provider = "play_money"

[bonuses.gift]
title = "A gift"
currency = "EUR"
amount = "20.00"
multiple = 30
days = 7

[bonuses.maltese]
title = "A gift in Malta"
currency = "EUR"
amount = "20.00"
multiple = 30
days = 7
jurisdictions = ["MT"]

[bonuses.first]
title = "First deposit bonus"
currency = "EUR"
multiple = 10
days = 7
offer = "first_deposit"
match_percent = 50
match_max = "20.00"
"""
EUR = "EUR"
OWN_MINOR = 1_000
BONUS_MINOR = 2_000
WON_MINOR = 3_000
TABLE = "roulette"


class TwoNodes(NamedTuple):
    """Two servers on one database, and a player whom both know."""

    here: Server
    other: Server
    player: Player
    ledger: SqlLedger
    token: str

    def held(self, kind: str) -> int:
        """Return a balance of the player, as the journal has it."""
        return self.ledger.balances(self.player.id)[EUR].get(kind, 0)

    def ends(self) -> list[Entry]:
        return list(self.ledger.entries(f"{ENDS}{self.player.id}:"))

    def bonus(self) -> str:
        """Return the id of the player's newest bonus."""
        return self.here.bonuses.history(self.player.id)[0].bonus

    async def grant(self) -> str:
        """Grant a bonus that both nodes know; return its id."""
        await self.here.bonuses.grant(self.player.id, "gift", "a test")
        await self.other.bonuses.reload(self.player.id)
        return self.bonus()

    async def win_elsewhere(self) -> None:
        """Stake all cash and a part of the bonus on the other node, and win."""
        ticket = Ticket("round", self.player.id, TABLE, EUR)
        staked = OWN_MINOR + BONUS_MINOR // 2
        of = ticket, "deal", clock.now_ms()
        await self.other.bonuses.post(self.player.id, [entries.deal(*of, number="#1", staked_minor=staked)])
        of = ticket, "settle", clock.now_ms()
        settled = entries.settle(*of, staked_minor=staked, returned_minor=staked + WON_MINOR)
        await self.other.bonuses.post(self.player.id, [settled])


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> Database:
    if request.param == "sqlite":
        return tmp_path / DATABASE
    url: PostgresqlUrl = request.getfixturevalue("postgresql")
    return url


@pytest.fixture
def ledgers(database: Database) -> Iterator[tuple[SqlLedger, SqlLedger]]:
    """Return the ledger of each node, which is the same where one process holds the database."""
    with ExitStack() as stack:
        ledger = stack.enter_context(closing(open_ledger(database)))
        is_file = isinstance(database, Path)
        other = ledger if is_file else stack.enter_context(closing(open_ledger(database)))
        yield ledger, other


@pytest.fixture
async def nodes(
    ledgers: tuple[SqlLedger, SqlLedger], database: Database, tmp_path: Path
) -> AsyncIterator[TwoNodes]:
    tables = tables_named(TABLE)
    ledger, others = ledgers
    async with (
        node(ledger, tmp_path, tables, CONFIG) as here,
        node(others, tmp_path, tables, CONFIG) as other,
    ):
        token = await here.sessions.add_guest()
        known = await here.sessions.signed_in(token)
        assert known is not None
        player = known._replace(identity=Identity("account", "ada"))
        cash_minor = ledger.balances(player.id).get(EUR, {}).get("cash", 0)
        missing = entries.adjustment("own", clock.now_ms(), player.id, EUR, OWN_MINOR - cash_minor, "a test")
        await here.gateway.post([missing])
        yield TwoNodes(here, other, player, ledger, token)
    assert audit(database, tmp_path / SHOES_KEY, lambda *_: None).bad is None


def order(minor: int, forfeit_minor: int = 0) -> CashierRequest:
    return CashierRequest(f"r{minor}:{forfeit_minor}", EUR, minor, forfeit_minor)


# --- a bonus that a player gives up


async def test_a_player_loses_no_more_than_they_agreed_to(nodes: TwoNodes) -> None:
    bonus = await nodes.grant()
    await nodes.win_elsewhere()
    left_minor = nodes.held("bonus")
    assert left_minor > BONUS_MINOR
    with pytest.raises(Refused, match="bonus_forfeit") as refusal:
        await nodes.here.bonuses.give_up(nodes.player.id, bonus, BONUS_MINOR)
    assert refusal.value.args_["amount_minor"] == left_minor
    assert not nodes.ends()
    await nodes.here.bonuses.give_up(nodes.player.id, bonus, left_minor)
    assert nodes.held("bonus") == 0


async def test_staff_cancel_a_bonus_with_all_of_its_money(nodes: TwoNodes) -> None:
    bonus = await nodes.grant()
    await nodes.win_elsewhere()
    await nodes.here.bonuses.cancel(nodes.player.id, bonus)
    assert nodes.held("bonus") == 0
    (shown,) = nodes.here.bonuses.history(nodes.player.id)
    assert (shown.status, shown.balance_minor) == ("cancelled", 0)
    assert not nodes.here.bonuses.views(nodes.player.id)


async def test_the_player_sees_what_a_bonus_has_left_when_it_ends(nodes: TwoNodes) -> None:
    bonus = await nodes.grant()
    browser = InProcessClient(nodes.here, nodes.token)
    await browser.request(wire.Hello(wire.PROTOCOL), wire.Ping())
    await nodes.win_elsewhere()
    await nodes.here.bonuses.cancel(nodes.player.id, bonus)
    await asyncio.sleep(0)  # the end is sent in the loop's next turn
    ended = [each.bonus for each in received(browser) if isinstance(each, wire.BonusUpdate)][-1]
    assert (ended.status, ended.balance_minor) == ("cancelled", 0)
    browser.disconnect()
    await browser.wait_until_finished()


async def test_no_bonus_is_accepted_after_an_exclusion_elsewhere(nodes: TwoNodes) -> None:
    (offer,) = await nodes.here.offers.of(nodes.player)
    await nodes.other.restrictions.bar(nodes.player.id, "exclusion", clock.now_ms() + 3_600_000)
    with pytest.raises(Refused, match="barred"):
        await nodes.here.offers.accept(nodes.player, offer.offer)
    assert not nodes.ledger.entries(f"{OPT_INS}{nodes.player.id}:")


async def test_staff_grant_no_bonus_beside_one_granted_elsewhere(nodes: TwoNodes) -> None:
    await nodes.other.bonuses.grant(nodes.player.id, "gift", "a test")
    with pytest.raises(Refused, match="bonus_active"):
        await nodes.here.bonuses.grant(nodes.player.id, "gift", "a test")
    assert nodes.held("bonus") == BONUS_MINOR
    assert [shown.status for shown in nodes.here.bonuses.views(nodes.player.id)] == ["active"]


async def test_staff_grant_no_bonus_after_an_exclusion_elsewhere(nodes: TwoNodes) -> None:
    await nodes.other.restrictions.bar(nodes.player.id, "exclusion", clock.now_ms() + 3_600_000)
    with pytest.raises(Refused, match="barred"):
        await nodes.here.bonuses.grant(nodes.player.id, "gift", "a test")
    assert nodes.held("bonus") == 0


async def test_staff_grant_no_bonus_of_other_jurisdictions(nodes: TwoNodes) -> None:
    with pytest.raises(Refused, match="no_such_bonus"):
        await nodes.here.bonuses.grant(nodes.player.id, "maltese", "a test")


async def test_a_bonus_expires_with_all_of_its_money(nodes: TwoNodes) -> None:
    await nodes.grant()
    await nodes.win_elsewhere()
    assert nodes.held("bonus") > BONUS_MINOR
    with fast_forward_machine() as machine:
        machine.advance(8 * 24 * HOUR_MS)
        await nodes.here.bonuses.sweep()
    assert nodes.held("bonus") == 0
    assert [end.body["why"] for end in nodes.ends()] == ["expired"]
    assert not nodes.here.bonuses.views(nodes.player.id)


async def test_a_bonus_that_has_expired_elsewhere_ends_once(nodes: TwoNodes) -> None:
    await nodes.grant()
    with fast_forward_machine() as machine:
        machine.advance(8 * 24 * HOUR_MS)
        await nodes.other.bonuses.sweep()
        await nodes.here.bonuses.sweep()
    assert len(nodes.ends()) == 1
    assert not nodes.here.bonuses.views(nodes.player.id)


async def test_a_bonus_is_cancelled_once(nodes: TwoNodes) -> None:
    bonus = await nodes.grant()
    await nodes.other.bonuses.cancel(nodes.player.id, bonus)
    with pytest.raises(Refused, match="no_such_bonus"):
        await nodes.here.bonuses.cancel(nodes.player.id, bonus)
    assert len(nodes.ends()) == 1
    assert not nodes.here.bonuses.views(nodes.player.id)


async def test_what_a_deposit_has_brought_isnt_cancelled_as_an_opt_in(nodes: TwoNodes) -> None:
    (offer,) = await nodes.here.offers.of(nodes.player)
    await nodes.here.offers.accept(nodes.player, offer.offer)
    await nodes.other.bonuses.reload(nodes.player.id)
    (waiting,) = nodes.here.bonuses.opted_in(nodes.player.id)
    await nodes.other.payments.deposit(nodes.player, order(2_000))
    assert nodes.held("bonus") == 1_000
    with pytest.raises(Refused, match="bonus_forfeit"):
        await nodes.here.bonuses.give_up(nodes.player.id, waiting.id, 0)
    assert nodes.held("bonus") == 1_000
    assert not nodes.ends()
    assert [shown.status for shown in nodes.here.bonuses.views(nodes.player.id)] == ["active"]


# --- withdrawals


@pytest.mark.parametrize("way", ["cashier", "payments"])
async def test_no_withdrawal_passes_a_bonus_granted_elsewhere(nodes: TwoNodes, way: str) -> None:
    await nodes.other.bonuses.grant(nodes.player.id, "gift", "a test")
    withdraw = getattr(nodes.here, way).withdraw
    with pytest.raises(Refused, match="bonus_forfeit"):
        await withdraw(nodes.player, order(600))
    assert nodes.held("cash") == OWN_MINOR
    await withdraw(nodes.player, order(600, BONUS_MINOR))
    assert nodes.held("cash") == OWN_MINOR - 600
    assert nodes.held("bonus") == 0


@pytest.mark.parametrize("way", ["cashier", "payments"])
async def test_a_withdrawal_ends_a_bonus_with_all_of_its_money(nodes: TwoNodes, way: str) -> None:
    await nodes.grant()
    await nodes.win_elsewhere()
    left_minor = nodes.held("bonus")
    cash_minor = nodes.held("cash")
    withdraw = getattr(nodes.here, way).withdraw
    with pytest.raises(Refused, match="bonus_forfeit") as refusal:
        await withdraw(nodes.player, order(600, BONUS_MINOR))
    assert refusal.value.args_["amount_minor"] == left_minor
    assert (nodes.held("bonus"), nodes.held("cash")) == (left_minor, cash_minor)
    await withdraw(nodes.player, order(600, left_minor))
    assert (nodes.held("bonus"), nodes.held("cash")) == (0, cash_minor - 600)


@pytest.mark.parametrize("way", ["cashier", "payments"])
async def test_a_bonus_that_has_ended_elsewhere_ends_once(nodes: TwoNodes, way: str) -> None:
    """The player agreed to a loss that there is none of, and is told so."""
    bonus = await nodes.grant()
    await nodes.other.bonuses.cancel(nodes.player.id, bonus)
    withdraw = getattr(nodes.here, way).withdraw
    with pytest.raises(Refused, match="bonus_forfeit") as refusal:
        await withdraw(nodes.player, order(600, BONUS_MINOR))
    assert refusal.value.args_["amount_minor"] == 0
    await withdraw(nodes.player, order(600))
    assert nodes.held("cash") == OWN_MINOR - 600
    assert [end.body["why"] for end in nodes.ends()] == ["cancelled"]


async def test_a_repeated_withdrawal_of_play_money_changes_nothing(nodes: TwoNodes) -> None:
    await nodes.here.cashier.withdraw(nodes.player, order(600))
    await nodes.other.bonuses.grant(nodes.player.id, "gift", "a test")
    await nodes.here.cashier.withdraw(nodes.player, order(600))
    assert nodes.held("cash") == OWN_MINOR - 600
    assert not nodes.ends()
