"""Calls owed to the wallet after an outage: any answer wakes them, and staff see why they wait."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from unittest.mock import patch

import pytest

from croupier.accounts.staff_members import Member
from croupier.action_log import ASKED
from croupier.gateway.server import Server
from croupier.money.wallet import driver
from croupier.outside.due_work import delay_ms
from croupier.outside.systems import FailedWork, OutsideSystem
from croupier.protocol.staff_reports import AskWallet
from croupier.refusal import Refused
from croupier.staff.reports.service import StaffReports
from tests.money.wallet.own_table import OwnTable, serving
from tests.support.wallet import START_MINOR, LocalOperator, assert_agree, launched, settled, until

pytestmark = pytest.mark.anyio
ADA, BOB = Member("Ada", "manager", 0), Member("Bob", "manager", 0)
BEN = Member("Ben", "dealer", 0)
NEVER_MS = 600_000


@pytest.fixture
def operator() -> LocalOperator:
    return LocalOperator("anna", "bela")


@asynccontextmanager
async def owing(folder: Path, operator: LocalOperator) -> AsyncIterator[tuple[Server, OwnTable]]:
    """Run a server that owes a credit, and doesn't repeat it by itself."""
    never = patch.multiple(driver, RETRY_MS_MIN=NEVER_MS, RETRY_MS_MAX=NEVER_MS, DISPUTED_MS=NEVER_MS)
    async with serving(folder, operator) as server:
        with never:
            table = await OwnTable.open(server)
            assert await table.deal() == ""
            yield server, table


async def test_any_answer_wakes_the_calls_that_wait(tmp_path: Path, operator: LocalOperator) -> None:
    async with owing(tmp_path, operator) as (server, table):
        operator.misbehave("error_500")
        assert await table.decide("stand") == ""
        await until(lambda: server.wallet.driver.attempts)
        await until(lambda: server.outside.systems.wallet.in_progress == 0)
        operator.misbehave()
        await launched(server, "bela")
        await OwnTable.open(server, "bela")
        await settled(server)
        assert_agree(operator, server.ledger, anna=table.player)


def test_a_credit_waits_for_30_s_at_most() -> None:
    assert driver.RETRY_MS_MAX == 30_000
    assert max(delay_ms(attempts, 1_000, driver.RETRY_MS_MAX) for attempts in range(50)) <= 30_000


def test_work_that_fails_although_others_succeed_isn_t_woken_again() -> None:
    system = OutsideSystem("wallet")
    failed = FailedWork(system)
    failed.failed("outage")
    failed.failed("outage")
    failed.failed("poison")
    assert failed.wake() == {"outage", "poison"}
    assert failed.wake() == set()
    with system.call("/credit"):
        failed.forget("outage")
    failed.failed("poison")
    assert failed.wake() == set()
    failed.forget("poison")
    failed.failed("poison")
    assert failed.wake() == {"poison"}


async def test_a_disputed_call_shows_its_reason_its_attempts_and_the_wallet_s_balance(
    tmp_path: Path, operator: LocalOperator
) -> None:
    async with owing(tmp_path, operator) as (server, table):
        operator.misbehave("refuse", paths=("/credit",))
        assert await table.decide("stand") == ""
        await until(lambda: [call.state for call in server.ledger.wallet_calls()] == ["disputed"])
        (shown,) = await StaffReports(server).open_wallet_calls()
        assert (shown.reason, shown.attempts) == ("told to refuse", 1)
        assert shown.balance_minor == operator.balance("anna", "SC") == START_MINOR - 1_000
        operator.misbehave("time_out", paths=("/balance",))
        (shown,) = await StaffReports(server).open_wallet_calls()
        assert shown.balance_minor is None


async def test_two_managers_ask_again_at_once_and_the_money_is_paid_once(
    tmp_path: Path, operator: LocalOperator
) -> None:
    async with owing(tmp_path, operator) as (server, table):
        operator.misbehave("refuse", paths=("/credit",))
        assert await table.decide("stand") == ""
        await until(lambda: [call.state for call in server.ledger.wallet_calls()] == ["disputed"])
        operator.misbehave()
        reports = StaffReports(server)
        (shown,) = await reports.open_wallet_calls()
        command = AskWallet(shown.transaction)
        with pytest.raises(Refused, match="not_allowed"):
            await reports.ask_wallet(BEN, command)
        both = reports.ask_wallet(ADA, command), reports.ask_wallet(BOB, command)
        found = await asyncio.gather(*both, return_exceptions=True)
        # The first may have settled it before the second is executed.
        assert {str(each)[:19] for each in found} <= {"None", "no_such_wallet_call"}
        await settled(server)
        credits_ = [move for move in operator.wallet.movements if move.operation == "credit"]
        assert len(credits_) == 1
        assert_agree(operator, server.ledger, anna=table.player)
        with pytest.raises(Refused, match="no_such_wallet_call"):
            await reports.ask_wallet(ADA, command)
        noted = [entry.body for entry in server.ledger.entries(ASKED)]
        asked = [(body["name"], body["details"]) for body in noted if body["what"] == "ask_wallet"]
        assert sorted(str(name) for name, _ in asked) == ["Ada", "Ada", "Ben", "Bob"]
        assert all(details == {"transaction": shown.transaction} for _, details in asked)
