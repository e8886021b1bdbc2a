"""Stuck payments: staff see them, and have the provider asked at once."""

import pytest

from croupier.accounts.payments import Payment
from croupier.ledger.sqlite.store import SqliteLedger
from croupier.protocol.payment_wire import IdentityAnswer
from croupier.protocol.wire import CashierRequest
from croupier.refusal import Refused
from tests.money.payments.process import Process

pytestmark = pytest.mark.anyio


async def listed(process: Process) -> list[Payment]:
    return [payment for payment in await process.service.stuck() if payment.player == process.player.id]


async def test_a_held_withdrawal_is_listed_until_the_player_is_identified(ledger: SqliteLedger) -> None:
    process = Process(ledger)
    process.provider.cleared = IdentityAnswer("pending", "Send a copy of your passport.")
    await process.start()
    held = await process.service.withdraw(process.player, CashierRequest("r0", "EUR", 500))
    assert [(each.state, each.reason) for each in await listed(process)] == [
        ("held", "Send a copy of your passport.")
    ]
    process.provider.cleared = IdentityAnswer("approved")
    await process.service.ask(held.id)
    await process.service.driver.work()
    assert await listed(process) == []
    assert (await process.service.of(process.player.id))[0].state == "sent"


async def test_a_disputed_deposit_ends_by_the_providers_word_alone(ledger: SqliteLedger) -> None:
    process = Process(ledger)
    await process.start()
    deposit = await process.service.deposit(process.player, CashierRequest("r0", "EUR", 500))
    process.provider.decide(deposit.id, "paid", "USD", 500)
    await process.service.ask(deposit.id)
    await process.service.driver.work()
    assert [each.state for each in await listed(process)] == ["disputed"]
    await process.service.ask(deposit.id)
    await process.service.driver.work()
    assert [each.state for each in await listed(process)] == ["disputed"], "asking moves no money"
    assert "USD" in (await listed(process))[0].reason


async def test_an_unknown_payment_is_not_asked_about(ledger: SqliteLedger) -> None:
    process = Process(ledger)
    await process.start()
    with pytest.raises(Refused, match="no_such_payment"):
        await process.service.ask("pay_0")
