"""Several nodes with one operator's wallet: whichever ends a round pays its return, once and in order."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import NamedTuple
from unittest.mock import patch

import pytest

from croupier.app.nodes import serving_gateways
from croupier.app.serve import open_ledger
from croupier.cluster.local_bus import LocalBus
from croupier.cluster.roles import BOTH_ROLES
from croupier.equipment.cards import cards
from croupier.equipment.shoe import Shoe
from croupier.gateway.server import Server
from croupier.ledger.protocol import LedgerBroken
from croupier.ledger.sql.connection import Connection
from croupier.ledger.sql.store import SqlLedger
from croupier.money.wallet import driver, service
from croupier.play.driving.sources import ShoeSource
from croupier.players.mail import outbox
from croupier.storage.sql.leases import SqlLeases
from croupier.tables import own
from tests.dealing.live.in_process import Guest
from tests.dealing.live.player import INFINITE
from tests.money.wallet.own_table import ELEVEN, NINETEEN, STAKE_MINOR, TABLE, OwnTable
from tests.support import nodes
from tests.support.wallet import (
    START_MINOR,
    LocalOperator,
    assert_agree,
    assert_audited,
    config_toml,
    delivering,
    launched,
    reaching,
    settled,
    until,
)

pytestmark = pytest.mark.anyio

BETTING = "[infinite]\nbetting_ms = 600000\n"
EXPIRE = "UPDATE lease SET expires_ms = 0 WHERE table_id = ?"


class Pair(NamedTuple):
    """Two nodes, of which `there` was started first and sends the calls that others leave."""

    here: Server
    there: Server
    operator: LocalOperator


@pytest.fixture
def ledger(tmp_path: Path) -> Iterator[SqlLedger]:
    ledger = open_ledger(tmp_path)
    yield ledger
    ledger.close()
    assert_audited(tmp_path)


@asynccontextmanager
async def pair(ledger: SqlLedger, folder: Path, dealt: str, *, delivers: bool = True) -> AsyncIterator[Pair]:
    """Run two nodes that deal every round from these cards; at the end, the wallet has all that it is due.

    Unless `here` delivers, it sends no call that it leaves open, and `there` takes them over after half a
    second. A busy machine may need longer for a call.
    """
    operator, bus, shoe = LocalOperator("anna"), LocalBus(), Shoe(cards(dealt), dealt=0, cut=8)
    tables, config = nodes.tables_named(TABLE, INFINITE), config_toml(folder, BETTING)
    async with AsyncExitStack() as stack:
        stack.enter_context(reaching(operator))
        stack.enter_context(patch.object(own, "fresh_source", lambda *_: ShoeSource(shoe)))
        if not delivers:
            stack.enter_context(patch.object(driver, "ORPHANED_MS", 500))
        stack.enter_context(patch.object(service, "REFRESH_S", 0.01))
        there, here = [
            await stack.enter_async_context(nodes.node(ledger, folder, tables, config, bus)) for _ in range(2)
        ]
        await stack.enter_async_context(serving_gateways(there, bus, BOTH_ROLES))
        for node in (there, here)[: 2 if delivers else 1]:
            await stack.enter_async_context(delivering(node))
        yield Pair(here, there, operator)
        operator.misbehave()
        await settled(there)


def operations(operator: LocalOperator) -> list[str]:
    return [move.operation for move in operator.wallet.movements]


async def test_a_round_is_paid_where_it_ends(ledger: SqlLedger, tmp_path: Path) -> None:
    async with pair(ledger, tmp_path, NINETEEN) as nodes_:
        began = await OwnTable.open(nodes_.here)
        assert await began.deal() == ""
        ends = await OwnTable.open(nodes_.there)
        assert await ends.decide("stand") == ""
        await settled(nodes_.there)
        assert operations(nodes_.operator) == ["debit", "credit"]
        assert nodes_.operator.balance("anna", "SC") == START_MINOR + STAKE_MINOR
        assert_agree(nodes_.operator, ledger, anna=began.player)


async def test_a_debit_is_rolled_back_before_another_node_pays_the_round(
    ledger: SqlLedger, tmp_path: Path
) -> None:
    """The player doubles here, and ends the round there while the wallet is asked."""
    async with pair(ledger, tmp_path, ELEVEN) as nodes_:
        began, operator = await OwnTable.open(nodes_.here), nodes_.operator
        assert await began.deal() == ""
        operator.misbehave("late_answer", paths=("/debit",))
        operator._late_s = 0.4
        doubling = asyncio.create_task(began.decide("double"))
        await until(lambda: len(operator.wallet.movements) == 2)
        ends = await OwnTable.open(nodes_.there)
        assert await ends.decide("stand") == ""
        assert await doubling == "not_joined"
        await settled(nodes_.there)
        assert operations(operator)[:3] == ["debit", "debit", "rollback"]
        assert_agree(operator, ledger, anna=began.player)


async def test_what_a_node_leaves_open_is_sent_by_another(ledger: SqlLedger, tmp_path: Path) -> None:
    """A debit whose answer is lost with the node, and the end of a round that it didn't report."""
    async with pair(ledger, tmp_path, NINETEEN, delivers=False) as nodes_:
        table, operator = await OwnTable.open(nodes_.here), nodes_.operator
        assert await table.deal() == ""
        assert await table.decide("stand") == ""
        operator.misbehave("late_answer", paths=("/debit",))
        dealing = asyncio.create_task(table.deal())
        await until(lambda: len(operator.wallet.movements) == 2)
        dealing.cancel()
        await settled(nodes_.there)
        assert sorted(operations(operator)) == ["credit", "debit", "debit", "rollback"]
        assert_agree(operator, ledger, anna=table.player)


async def test_the_node_that_takes_a_live_table_over_refunds_the_stakes(
    ledger: SqlLedger, tmp_path: Path
) -> None:
    async with pair(ledger, tmp_path, NINETEEN) as nodes_:
        former, operator = nodes_.there.live[INFINITE], nodes_.operator
        player = await Guest(nodes_.there, await launched(nodes_.there, "anna")).connect()
        assert await player.join() == ""
        await player.until_phase("betting")
        assert await player.bet((0, "main", STAKE_MINOR)) == ""
        assert operator.balance("anna") == START_MINOR - STAKE_MINOR
        former.lease.stop()  # as if its loop hung
        ledger.run(_expire).result(10)
        await until(lambda: INFINITE in nodes_.here.live)
        await settled(nodes_.here)
        assert operations(operator) == ["debit", "credit"]
        assert operator.balance("anna") == START_MINOR
        (end,) = operator.wallet.ends
        assert end.status == "void"


async def test_a_player_bets_at_another_nodes_live_table(ledger: SqlLedger, tmp_path: Path) -> None:
    async with pair(ledger, tmp_path, NINETEEN) as nodes_:
        operator = nodes_.operator
        player = await Guest(nodes_.here, await launched(nodes_.here, "anna")).connect()
        assert await player.join() == ""
        await player.until_phase("betting")
        assert await player.bet((0, "main", STAKE_MINOR)) == ""
        assert operator.balance("anna") == START_MINOR - STAKE_MINOR
        assert player.mine[INFINITE].balance_minor == START_MINOR - STAKE_MINOR
        assert player.welcome is not None
        id_, left_minor = player.welcome.player, START_MINOR - STAKE_MINOR
        await until(lambda: nodes_.here.balances.cash(id_, "EUR") == left_minor)
        await nodes_.there.live[INFINITE].close("test")
        await settled(nodes_.there)
        assert operator.balance("anna") == START_MINOR


async def test_a_node_that_has_lost_the_database_stops(ledger: SqlLedger, tmp_path: Path) -> None:
    lost = patch.object(SqlLeases, "release", side_effect=LedgerBroken("lost"))
    with lost as release, patch.object(outbox.Outbox, "close") as closed:
        async with pair(ledger, tmp_path, NINETEEN) as nodes_:
            await until(lambda: _holds_role(ledger))
            assert nodes_.there.live
    assert {call.args[0].table for call in release.call_args_list} == {"role:wallet", INFINITE}
    assert closed.await_count == 2, "what comes after the wallet is closed too"


def _holds_role(ledger: SqlLedger) -> bool:
    return not SqlLeases(ledger, shared=True).free(["role:wallet"]).result(10)


def _expire(connection: Connection) -> None:
    connection.execute(EXPIRE, (INFINITE,))
