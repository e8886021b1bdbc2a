"""The next server finishes what one has left open, and what the wallet refuses is never dropped."""

import asyncio
import logging
from contextlib import suppress
from pathlib import Path
from unittest.mock import patch

import pytest

from croupier.app.serve import DATABASE
from croupier.integration.wallet_operator.operator import WalletFault, WalletPath
from croupier.ledger.sql.verify import verify
from croupier.money.wallet import driver, service
from croupier.staff.reports.service import StaffReports
from tests.money.wallet.own_table import STAKE_MINOR, OwnTable, serving
from tests.support.wallet import START_MINOR, LocalOperator, assert_agree, assert_audited, settled, until

pytestmark = pytest.mark.anyio

LOST: list[tuple[WalletFault, WalletPath]] = [("drop_answer", "/credit"), ("error_500", "/round-ended")]


@pytest.fixture
def operator() -> LocalOperator:
    return LocalOperator("anna")


async def test_the_next_server_finishes_what_is_open(tmp_path: Path, operator: LocalOperator) -> None:
    """Lives of the server end with a rollback, a round, a credit or an end open."""
    async with serving(tmp_path, operator) as server:
        table = await OwnTable.open(server)
        operator.misbehave("drop_answer", paths=("/debit", "/rollback"))
        assert await table.deal() == "wallet_no_answer"
    for fault, path in LOST:
        operator.misbehave()
        async with serving(tmp_path, operator) as server:
            await settled(server)
            assert await (await OwnTable.open(server)).deal() == ""
        async with serving(tmp_path, operator) as server:
            table = await OwnTable.open(server)
            operator.misbehave(fault, paths=(path,))
            assert await table.decide("stand") == ""
    operator.misbehave()
    async with serving(tmp_path, operator) as server:
        await settled(server)
        assert_agree(operator, server.ledger, anna=table.player)
    assert_audited(tmp_path)
    assert operator.balance("anna", "SC") == START_MINOR + len(LOST) * 1_000


async def test_a_debit_whose_answer_a_crash_has_lost_is_rolled_back(
    tmp_path: Path, operator: LocalOperator
) -> None:
    """The server ends while the debit is carried out and its answer on the way."""
    operator.misbehave("late_answer", paths=("/debit",))
    crash = patch.object(service.WalletService, "close", side_effect=asyncio.CancelledError)
    with crash, suppress(asyncio.CancelledError):
        async with serving(tmp_path, operator) as server:
            table = await OwnTable.open(server)
            dealing = asyncio.create_task(table.deal())
            await until(lambda: operator.wallet.movements)
            dealing.cancel()
    operator.misbehave()
    async with serving(tmp_path, operator) as server:
        await settled(server)
        assert_agree(operator, server.ledger, anna=table.player)
    assert [move.operation for move in operator.wallet.movements] == ["debit", "rollback"]
    assert verify(tmp_path / DATABASE).bad is None


async def test_what_the_wallet_refuses_is_disputed_and_tried_again(
    tmp_path: Path, operator: LocalOperator, caplog: pytest.LogCaptureFixture
) -> None:
    async with serving(tmp_path, operator) as server:
        table = await OwnTable.open(server)
        assert await table.deal() == ""
        operator.misbehave("refuse", paths=("/credit",), times=1)
        assert await table.decide("stand") == ""
        await until(lambda: [call.state for call in server.ledger.wallet_calls()] == ["disputed"])
        errors = [record for record in caplog.records if record.levelno == logging.ERROR]
        assert ["disputed" in record.message for record in errors] == [True]
        (shown,) = await StaffReports(server).open_wallet_calls()
        assert (shown.player, shown.what, shown.amount_minor, shown.state) == (
            table.player,
            "win",
            2 * STAKE_MINOR,
            "disputed",
        )
        assert await table.deal() == "", "play goes on"
        assert await table.decide("stand") == ""
        await until(lambda: operator.wallet.ends)
    async with serving(tmp_path, operator) as server:
        await settled(server)
        assert_agree(operator, server.ledger, anna=table.player)
    assert_audited(tmp_path)


async def test_a_call_without_an_answer_for_a_day_is_an_error_and_is_tried_again(
    tmp_path: Path, operator: LocalOperator, caplog: pytest.LogCaptureFixture
) -> None:
    """W6: credits are never dropped."""
    async with serving(tmp_path, operator) as server:
        table = await OwnTable.open(server)
        assert await table.deal() == ""
        operator.misbehave("error_500", paths=("/credit",))
        with patch.object(driver, "OVERDUE_MS", 0):
            assert await table.decide("stand") == ""
            await until(lambda: "has had no answer for a day" in caplog.text)
            operator.misbehave()
            await settled(server)
        assert_agree(operator, server.ledger, anna=table.player)
