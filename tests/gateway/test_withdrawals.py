"""Withdrawals over real HTTP: held, sent, denied, and never played again."""

import asyncio

import msgspec
import pytest

from croupier.accounts.payments import PaymentReport
from croupier.integration.payment_provider.provider import Fault, ProviderControl, ProviderDecision
from croupier.protocol import wire
from croupier.protocol.payment_wire import IdentityAnswer
from tests.support.accounts import code_of, sent
from tests.support.browser_connection import Browser
from tests.support.payment_provider import (
    APPROVED,
    ProviderProcess,
    notify,
)
from tests.support.payments import AMOUNT, begin, euros, listed, order, paid_in, reaches
from tests.support.server_process import ServerProcess

pytestmark = pytest.mark.anyio


async def test_a_withdrawal_leaves_the_balance_at_once_and_is_paid(
    payer: Browser, provider: ProviderProcess
) -> None:
    await paid_in(payer, provider)
    provider.control(ProviderControl(pays_withdrawals=False))
    line = await begin(payer, "withdraw", order(3_000))
    assert line.state == "sent"
    assert (await euros(payer), (await listed(payer)).withdrawing_minor) == (2_000, {"EUR": 3_000})
    provider.decide(ProviderDecision(line.payment, "paid"))
    await reaches(payer, line.payment, "paid")
    assert (await euros(payer), (await listed(payer)).withdrawing_minor) == (2_000, {})


async def test_a_denied_withdrawal_returns_to_the_balance(payer: Browser, provider: ProviderProcess) -> None:
    await paid_in(payer, provider)
    provider.control(ProviderControl(pays_withdrawals=False))
    line = await begin(payer, "withdraw", order(3_000))
    provider.decide(ProviderDecision(line.payment, "denied"))
    await reaches(payer, line.payment, "returned")
    assert await euros(payer) == AMOUNT
    statement = await payer.get("/api/statement", list[wire.StatementEntry])
    assert [one.what for one in statement][:3] == ["withdrawal_returned", "withdrawal", "deposit"]


async def test_a_forged_denial_returns_nothing(
    payer: Browser, paying: ServerProcess, provider: ProviderProcess
) -> None:
    """Even with the right signature: the provider is asked before money returns."""
    await paid_in(payer, provider)
    provider.control(ProviderControl(pays_withdrawals=False))
    line = await begin(payer, "withdraw")
    body = msgspec.json.encode(PaymentReport(line.payment, "denied"))
    assert (await notify(paying, body)).status_code == 204
    await asyncio.sleep(1)
    assert (await reaches(payer, line.payment, "sent", "unknown")).amount_minor == AMOUNT
    assert await euros(payer) == 0


@pytest.mark.parametrize("fault", ["time_out", "error_500", "garbage", "drop_answer"])
async def test_a_withdrawal_without_an_answer_is_paid_once(
    payer: Browser, provider: ProviderProcess, fault: Fault
) -> None:
    await paid_in(payer, provider)
    provider.misbehave(fault, "no_notification")
    line = await begin(payer, "withdraw")
    assert line.state == "unknown"
    assert await euros(payer) == 0
    provider.misbehave()
    await reaches(payer, line.payment, "paid")
    assert provider.log.executed.count(("withdrawal", line.payment)) == 1
    assert await euros(payer) == 0


async def test_two_tabs_withdraw_no_more_than_there_is(payer: Browser, provider: ProviderProcess) -> None:
    await paid_in(payer, provider)
    answers = await asyncio.gather(*(sent(payer, "/api/payments/withdraw", order(3_000)) for _ in range(6)))
    assert sorted(map(code_of, answers)) == ["", *["not_covered"] * 5]
    assert await euros(payer) == 2_000


async def test_money_that_is_being_withdrawn_can_not_be_played(
    payer: Browser, provider: ProviderProcess
) -> None:
    await paid_in(payer, provider)
    provider.control(ProviderControl(pays_withdrawals=False))
    await begin(payer, "withdraw")
    assert (await payer.join("multihand", "EUR")).code == ""
    assert (await payer.deal("multihand", wire.Stake(0, "main", 1_000))).code == "not_covered"


async def test_a_withdrawal_is_held_until_the_player_is_identified(
    payer: Browser, provider: ProviderProcess
) -> None:
    await paid_in(payer, provider)
    provider.control(ProviderControl(identity=IdentityAnswer("pending", "Passport needed.")))
    line = await begin(payer, "withdraw")
    assert (line.state, line.reason) == ("held", "Passport needed.")
    assert await euros(payer) == 0
    assert ("withdrawal", line.payment) not in provider.log.executed
    provider.control(ProviderControl(identity=APPROVED))
    await reaches(payer, line.payment, "paid")


async def test_a_withdrawal_of_somebody_unknown_returns(payer: Browser, provider: ProviderProcess) -> None:
    await paid_in(payer, provider)
    provider.control(ProviderControl(identity=IdentityAnswer("refused", "Not the account's holder.")))
    line = await begin(payer, "withdraw")
    assert (line.state, line.reason) == ("returned", "Not the account's holder.")
    assert await euros(payer) == AMOUNT
