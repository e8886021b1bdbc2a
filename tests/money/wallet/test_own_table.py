"""Own tables that an operator's wallet pays for: debits, refusals, and lost answers."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from croupier import clock
from croupier.dealing.own.player_table import PlayerTable
from croupier.gateway.server import Server
from croupier.play.contract.bets import Wager
from croupier.refusal import Refused
from croupier.rounds.requests import RequestKey
from tests.money.wallet.own_table import ELEVEN, NINETEEN, STAKE_MINOR, TABLE, OwnTable, serving
from tests.support.wallet import (
    START_MINOR,
    LocalOperator,
    assert_agree,
    assert_audited,
    settled,
)

pytestmark = pytest.mark.anyio

BET = (Wager(0, "main", 3_000),)
RACING = 20


@asynccontextmanager
async def seated(folder: Path, operator: LocalOperator, dealt: str = NINETEEN) -> AsyncIterator[OwnTable]:
    """Seat a player; at the end, wallet and ledger agree."""
    async with serving(folder, operator, dealt) as server:
        table = await OwnTable.open(server)
        yield table
        operator.misbehave()
        await settled(server)
        assert_agree(operator, server.ledger, anna=table.player)
    assert_audited(folder)


@pytest.fixture
def operator() -> LocalOperator:
    return LocalOperator("anna")


async def test_a_round_is_paid_by_the_wallet(tmp_path: Path, operator: LocalOperator) -> None:
    async with seated(tmp_path, operator) as table:
        welcomed = {balance.currency: balance.balance_minor for balance in table.welcome.balances}
        assert welcomed["SC"] == START_MINOR
        assert await table.deal() == ""
        assert table.shown_minor == operator.balance("anna", "SC") == START_MINOR - STAKE_MINOR
        assert await table.decide("stand") == ""
        assert table.shown_minor == START_MINOR + STAKE_MINOR
        await settled(table.server)
        assert table.shown_minor == operator.balance("anna", "SC") == START_MINOR + STAKE_MINOR
        (end,) = operator.wallet.ends
        assert (end.status, end.staked_minor, end.returned_minor) == ("settled", STAKE_MINOR, 2 * STAKE_MINOR)
        assert (end.table, end.game) == (TABLE, "blackjack")


async def test_a_double_is_a_second_debit_of_the_round(tmp_path: Path, operator: LocalOperator) -> None:
    async with seated(tmp_path, operator, ELEVEN) as table:
        assert await table.deal() == ""
        assert await table.decide("double") == ""
        await settled(table.server)
        debits = [move for move in operator.wallet.movements if move.operation == "debit"]
        assert [debit.change_minor for debit in debits] == [-STAKE_MINOR, -STAKE_MINOR]
        assert {debit.round for debit in debits} == {operator.wallet.ends[0].round}


async def test_a_double_that_the_wallet_does_not_cover_is_an_auto_decision(
    tmp_path: Path, operator: LocalOperator
) -> None:
    """003: the table hits instead."""
    async with seated(tmp_path, operator, ELEVEN) as table:
        assert await table.deal(6_000) == ""
        assert await table.decide("double") == ""
        assert table.decided == [("hit", "low_balance")]
        assert await table.decide("stand") == ""


async def test_a_double_without_an_answer_changes_nothing(tmp_path: Path, operator: LocalOperator) -> None:
    """The rollback comes before the win, after which the wallet would refuse it."""
    async with seated(tmp_path, operator, ELEVEN) as table:
        assert await table.deal() == ""
        operator.misbehave("garbage", paths=("/debit", "/rollback"))
        assert await table.decide("double") == "wallet_no_answer"
        assert await table.decide("hit") == ""
        assert await table.decide("stand") == ""
        operator.misbehave()
        await settled(table.server)
        operations = [move.operation for move in operator.wallet.movements]
        assert operations == ["debit", "debit", "rollback", "credit"]


async def test_a_deal_can_be_sent_again_after_an_unknown_outcome(
    tmp_path: Path, operator: LocalOperator
) -> None:
    async with seated(tmp_path, operator) as table:
        operator.misbehave("drop_answer", paths=("/debit",), times=1)
        assert await table.deal() == "wallet_no_answer"
        await settled(table.server)
        assert operator.balance("anna", "SC") == START_MINOR
        assert await table.deal() == ""
        assert await table.decide("stand") == ""


async def test_a_guest_cannot_stake_the_wallets_currency(tmp_path: Path, operator: LocalOperator) -> None:
    async with serving(tmp_path, operator) as server:
        (table,) = await own_tables(server, "p_guest", 1)
        with pytest.raises(Refused, match="wallet_only"):
            await table.deal(RequestKey("p_guest:deal", ""), BET)
        assert not table.in_play


async def test_concurrent_bets_succeed_as_often_as_the_money_allows(
    tmp_path: Path, operator: LocalOperator
) -> None:
    async with seated(tmp_path, operator) as seat:
        tables = await own_tables(seat.server, seat.player, RACING)
        deals = [
            table.deal(RequestKey(f"{seat.player}:{number}", ""), BET) for number, table in enumerate(tables)
        ]
        refusals = [each for each in await asyncio.gather(*deals, return_exceptions=True) if each]
        assert {each.code for each in refusals if isinstance(each, Refused)} == {"not_covered"}
        assert RACING - len(refusals) == START_MINOR // BET[0].stake_minor
        for table in tables:
            await table.end_unfinished(clock.now_ms(), "play")


async def own_tables(server: Server, player: str, count: int) -> list[PlayerTable]:
    """Open so many tables with the same rules for a player."""
    names = [f"{TABLE}_{number}" for number in range(count)]
    server.tables.update({name: replace(server.tables[TABLE], id=name) for name in names})
    tables = [await server.player_tables.open(player, name) for name in names]
    for table in tables:
        await table.change_currency("SC")
    return tables
