"""Payments that the provider reverses, through real processes: the player, staff and the ledger all see it.

The fixture `paying` audits the ledger at the end.
"""

import asyncio
import time
from collections.abc import AsyncIterator

import msgspec
import pytest

from croupier.accounts.payments import PaymentReport
from croupier.integration.payment_provider.provider import ProviderDecision
from croupier.protocol import wire
from tests.staff.clients import StaffBrowser, add
from tests.support.accounts import code_of, sent
from tests.support.browser_connection import Browser
from tests.support.payment_provider import ProviderProcess, notify
from tests.support.payments import AMOUNT, POLL_S, begin, euros, listed, order, paid_in, reaches
from tests.support.server_process import ServerProcess

pytestmark = pytest.mark.anyio
LOGGED_WITHIN_S = 10.0


@pytest.fixture(scope="module")
def manager_code(paying: ServerProcess) -> str:
    return add(paying.data, "Ada", "manager")


@pytest.fixture
async def manager(paying: ServerProcess, manager_code: str) -> AsyncIterator[StaffBrowser]:
    async with StaffBrowser(paying.address) as client:
        assert (await client.sign_in("Ada", manager_code)).status_code == 200
        yield client


async def find_event(manager: StaffBrowser, payment: str) -> dict[str, str]:
    """Wait for the newest event about a payment, and return it."""
    until = time.monotonic() + LOGGED_WITHIN_S
    while True:
        lines = await manager.log(what="payment_event")
        found = [line.details for line in lines if line.details["payment"] == payment]
        if found:
            return found[0]
        assert time.monotonic() < until, lines
        await asyncio.sleep(POLL_S)


async def deposit(payer: Browser, provider: ProviderProcess) -> str:
    """Deposit money, and return the payment."""
    line = await begin(payer, "deposit")
    provider.decide(ProviderDecision(line.payment, "paid"))
    await reaches(payer, line.payment, "confirmed")
    return line.payment


async def statement(payer: Browser) -> list[tuple[str, int]]:
    """Return what moved the player's euros, newest first, and the balance after it."""
    lines = await payer.get("/api/statement", list[wire.StatementEntry])
    return [(line.what, line.balance_minor) for line in lines if line.currency == "EUR"]


async def test_a_charge_back_takes_the_money_of_a_deposit(
    payer: Browser, provider: ProviderProcess, manager: StaffBrowser
) -> None:
    payment = await deposit(payer, provider)
    provider.decide(ProviderDecision(payment, "charged_back"))
    line = await reaches(payer, payment, "charged_back")
    assert (line.ended, line.amount_minor, line.paid_minor) == (True, AMOUNT, 0)
    assert (await euros(payer), (await listed(payer)).owed_minor) == (0, {})
    assert await statement(payer) == [("charge_back", 0), ("deposit", AMOUNT)]
    event = await find_event(manager, payment)
    assert (event["state"], event["before"], event["amount_minor"]) == ("charged_back", "confirmed", "0")


async def test_refunds_are_cumulative_and_take_their_part_of_a_deposit(
    payer: Browser, provider: ProviderProcess, manager: StaffBrowser
) -> None:
    payment = await deposit(payer, provider)
    provider.misbehave("duplicate")
    provider.decide(ProviderDecision(payment, "refunded", reversed_minor=2_000))
    line = await reaches(payer, payment, "partly_reversed")
    assert (line.paid_minor, await euros(payer)) == (AMOUNT - 2_000, AMOUNT - 2_000)
    assert (await find_event(manager, payment))["amount_minor"] == "3000"
    provider.decide(ProviderDecision(payment, "refunded"))
    line = await reaches(payer, payment, "refunded")
    assert (line.paid_minor, await euros(payer), (await listed(payer)).owed_minor) == (0, 0, {})
    assert await statement(payer) == [("refund", 0), ("refund", AMOUNT - 2_000), ("deposit", AMOUNT)]
    assert (await find_event(manager, payment))["state"] == "refunded"


async def test_a_payout_that_the_bank_sent_back_is_the_players_again(
    payer: Browser, provider: ProviderProcess, manager: StaffBrowser
) -> None:
    await paid_in(payer, provider)
    payout = (await begin(payer, "withdraw", order(3_000))).payment
    await reaches(payer, payout, "paid")
    assert await euros(payer) == AMOUNT - 3_000
    provider.decide(ProviderDecision(payout, "returned"))
    line = await reaches(payer, payout, "payout_returned")
    assert (line.ended, line.amount_minor, line.paid_minor) == (True, 3_000, 0)
    assert (await euros(payer), (await listed(payer)).withdrawing_minor) == (AMOUNT, {})
    assert (await statement(payer))[0] == ("payout_returned", AMOUNT)
    event = await find_event(manager, payout)
    assert (event["state"], event["before"], event["direction"]) == ("payout_returned", "paid", "withdrawal")


async def test_a_charge_back_of_money_that_is_gone_is_a_debt_that_the_next_deposit_pays(
    payer: Browser, provider: ProviderProcess, manager: StaffBrowser
) -> None:
    payment = await deposit(payer, provider)
    payout = (await begin(payer, "withdraw", order(3_000))).payment
    await reaches(payer, payout, "paid")
    provider.decide(ProviderDecision(payment, "charged_back"))
    await reaches(payer, payment, "charged_back")
    assert (await euros(payer), (await listed(payer)).owed_minor) == (0, {"EUR": 3_000})
    assert code_of(await sent(payer, "/api/payments/withdraw", order(500))) == "in_debt"
    assert (await find_event(manager, payment))["amount_minor"] == "0"
    await deposit(payer, provider)
    until = time.monotonic() + LOGGED_WITHIN_S
    while (await listed(payer)).owed_minor:
        assert time.monotonic() < until, "the debt isn't paid"
        await asyncio.sleep(POLL_S)
    assert await euros(payer) == AMOUNT - 3_000
    assert (await statement(payer))[:2] == [("debt_repaid", AMOUNT - 3_000), ("deposit", AMOUNT)]


async def test_a_forged_charge_back_takes_nothing(
    payer: Browser, provider: ProviderProcess, manager: StaffBrowser, paying: ServerProcess
) -> None:
    """Even with the right signature: the provider is asked before money is taken back."""
    payment = await deposit(payer, provider)
    body = msgspec.json.encode(PaymentReport(payment, "charged_back", "EUR", AMOUNT, AMOUNT))
    assert (await notify(paying, body)).status_code == 204
    await asyncio.sleep(POLL_S)
    await reaches(payer, payment, "confirmed")
    assert (await euros(payer), (await listed(payer)).owed_minor) == (AMOUNT, {})
    assert payment not in {line.details["payment"] for line in await manager.log(what="payment_event")}
