"""Deposits that aren't paid in time expire, and are held in suspense if they are paid later."""

from unittest.mock import patch

import pytest

from croupier import clock
from croupier.accounts.payments import LATE_MS, Payment
from croupier.accounts.responsible_gaming import LimitSet
from croupier.ledger.sqlite.store import SqliteLedger
from croupier.protocol.signatures import SignedBody
from croupier.protocol.wire import CashierRequest
from croupier.refusal import Refused
from tests.money.payments.process import START, Process

pytestmark = pytest.mark.anyio
AMOUNT, MINUTE_MS = 2_000, 60_000


async def pending(process: Process) -> Payment:
    await process.start()
    process.orders.append(("deposit", CashierRequest("r0", "EUR", AMOUNT)))
    return await process.service.deposit(process.player, process.orders[0][1])


async def at(process: Process, later_ms: int) -> Payment:
    """Carry on what is due at a later time; return the payment."""
    now_ms = clock.now_ms() + later_ms
    with patch.object(clock, "now_ms", lambda: now_ms):
        await process.service.driver.work()
    return (await process.service.of(process.player.id))[0]


async def test_an_unpaid_deposit_expires_only_after_it_was_asked_about(ledger: SqliteLedger) -> None:
    process = Process(ledger)
    await pending(process)
    assert (await at(process, 0)).state == "pending"
    process.provider.failures = ["before"]
    assert (await at(process, 2 * MINUTE_MS)).state == "pending", "no answer is no reason to give up"
    assert (await at(process, 3 * MINUTE_MS)).state == "expired"
    assert process.held()["cash"] == START


@pytest.mark.parametrize("notified", [True, False])
async def test_a_late_payment_is_held_once(ledger: SqliteLedger, notified: bool) -> None:
    process = Process(ledger)
    payment = await pending(process)
    assert (await at(process, 2 * MINUTE_MS)).state == "expired"
    process.decide(0, "paid")
    if notified:
        await process.service.notified(SignedBody("", "", payment.id.encode()))
    await at(process, 10 * MINUTE_MS)
    await process.start()
    assert (await at(process, 20 * MINUTE_MS)).state == "in_suspense"
    assert (process.held()["cash"], process.held()["suspense"]) == (START, AMOUNT)


async def test_an_expired_deposit_is_asked_about_for_some_days(ledger: SqliteLedger) -> None:
    process = Process(ledger)
    await pending(process)
    assert (await at(process, 2 * MINUTE_MS)).due_ms > 0
    assert (await at(process, LATE_MS + MINUTE_MS)).due_ms == 0


async def test_a_restart_keeps_counting_open_deposits(ledger: SqliteLedger) -> None:
    process = Process(ledger)
    await pending(process)
    await process.start()
    await process.restrict(LimitSet("deposit", "day", "EUR", AMOUNT + 100, 0))
    with pytest.raises(Refused, match="over_own_limit"):
        await process.service.deposit(process.player, CashierRequest("r1", "EUR", 101))
    process.decide(0, "denied")
    assert (await at(process, MINUTE_MS // 2)).state == "denied"
    assert (
        await process.service.deposit(process.player, CashierRequest("r2", "EUR", 101))
    ).state == "pending"


async def test_the_contradiction_of_a_provider_moves_nothing(ledger: SqliteLedger) -> None:
    """A withdrawal is reported with another amount; it ends once the report agrees."""
    process = Process(ledger)
    await process.start()
    process.orders.append(("withdraw", CashierRequest("r0", "EUR", AMOUNT)))
    payment = await process.service.withdraw(process.player, process.orders[0][1])
    process.provider.decide(payment.id, "paid", "EUR", AMOUNT + 1)
    assert (await at(process, 0)).state == "disputed"
    assert (process.held()["cash"], process.held()["withdrawing"]) == (START - AMOUNT, AMOUNT)
    with pytest.raises(Refused, match="payment_differs"):
        await process.service.notified(SignedBody("", "", payment.id.encode()))
    process.provider.reports.clear()
    process.provider._executed(payment)
    process.decide(0, "paid")
    assert (await at(process, MINUTE_MS)).state == "paid"
    assert process.held()["withdrawing"] == 0
