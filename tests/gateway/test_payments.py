"""Deposits over real HTTP, with a provider that misbehaves in every way it can."""

import asyncio

import msgspec
import pytest

from croupier.accounts.payments import PaymentReport
from croupier.integration.payment_provider.provider import Fault, ProviderDecision
from croupier.protocol import wire
from croupier.protocol.signatures import WINDOW_S
from tests.dealing.nodes.cluster import until
from tests.support.accounts import code_of, device_at, sent
from tests.support.browser_connection import Browser, connect_guest
from tests.support.payment_provider import (
    ProviderProcess,
    notify,
)
from tests.support.payments import AMOUNT, begin, euros, listed, order, paid_in, reaches
from tests.support.server_process import ServerProcess

pytestmark = pytest.mark.anyio


# --- deposits


async def test_a_deposit_is_credited_when_the_provider_confirms_it(
    payer: Browser, provider: ProviderProcess
) -> None:
    line = await begin(payer, "deposit")
    assert (line.state, line.redirect) == ("pending", f"{provider.url}/pay/{line.payment}")
    assert await euros(payer) == 0
    await payer.drain()
    page = await payer.http.get(line.redirect)
    assert "Pay 5000 EUR" in page.text
    await payer.http.post(line.redirect, data={"outcome": "paid"})
    ended = await reaches(payer, line.payment, "confirmed")
    assert (ended.paid_minor, ended.redirect, await euros(payer)) == (AMOUNT, "", AMOUNT)
    statement = await payer.get("/api/statement", list[wire.StatementEntry])
    assert [(one.what, one.amount_minor) for one in statement if one.currency == "EUR"] == [
        ("deposit", AMOUNT)
    ]


async def test_a_denied_deposit_changes_nothing(payer: Browser, provider: ProviderProcess) -> None:
    line = await begin(payer, "deposit")
    provider.decide(ProviderDecision(line.payment, "denied"))
    assert not (await reaches(payer, line.payment, "denied")).paid_minor
    assert await euros(payer) == 0


async def test_all_browsers_are_told_of_a_credit(
    payer: Browser, paying: ServerProcess, provider: ProviderProcess
) -> None:
    me = await payer.get("/api/me", wire.Me)
    async with device_at(paying.address, me.account) as other:
        await paid_in(payer, provider)
        told = [message for message in await other.drain() if isinstance(message, wire.BalanceUpdate)]
    assert told[-1].balance.balance_minor == AMOUNT


NOTIFIED: list[tuple[Fault, list[int]]] = [
    ("duplicate", [204] * 2),
    ("out_of_order", [204] * 3),
    ("wrong_signature", [401]),
    ("late", [401]),
    ("other_amount", [409]),
    ("other_currency", [409]),
    ("no_notification", []),
]
ANSWERED_WITHIN_S, LATER_S = 30.0, 0.3


@pytest.mark.parametrize(("fault", "statuses"), NOTIFIED)
async def test_a_deposit_is_credited_once_however_it_is_notified(
    payer: Browser, provider: ProviderProcess, fault: Fault, statuses: list[int]
) -> None:
    line, before = await begin(payer, "deposit"), len(provider.log.answers)
    provider.misbehave(fault)
    provider.decide(ProviderDecision(line.payment, "paid"))
    assert (await reaches(payer, line.payment, "confirmed")).paid_minor == AMOUNT
    await until(lambda: len(provider.log.answers) == before + len(statuses), ANSWERED_WITHIN_S)
    await asyncio.sleep(LATER_S)
    assert await euros(payer) == AMOUNT
    assert list(provider.log.answers[before:]) == statuses


@pytest.mark.parametrize("fault", ["time_out", "error_500", "garbage", "drop_answer"])
async def test_an_order_without_an_answer_is_found_out(
    payer: Browser, provider: ProviderProcess, fault: Fault
) -> None:
    provider.misbehave(fault)
    line = await begin(payer, "deposit")
    assert line.state == "created"
    provider.misbehave()
    pending = await reaches(payer, line.payment, "pending")
    assert pending.redirect
    provider.decide(ProviderDecision(line.payment, "paid"))
    await reaches(payer, line.payment, "confirmed")
    assert await euros(payer) == AMOUNT
    assert provider.log.executed.count(("deposit", line.payment)) == 1


async def test_a_smaller_amount_is_credited_as_it_was_paid(payer: Browser, provider: ProviderProcess) -> None:
    line = await begin(payer, "deposit")
    provider.decide(ProviderDecision(line.payment, "paid", AMOUNT - 250))
    assert (await reaches(payer, line.payment, "confirmed")).paid_minor == AMOUNT - 250
    assert await euros(payer) == AMOUNT - 250


async def test_the_same_request_from_two_tabs_is_one_deposit(
    payer: Browser, provider: ProviderProcess
) -> None:
    request = order()
    lines = await asyncio.gather(*(begin(payer, "deposit", request) for _ in range(5)))
    assert len({line.payment for line in lines}) == 1
    assert len((await listed(payer)).payments) == 1
    other = msgspec.structs.replace(request, amount_minor=AMOUNT + 1)
    assert code_of(await sent(payer, "/api/payments/deposit", other)) == "key_reused"
    assert code_of(await sent(payer, "/api/payments/withdraw", request)) == "key_reused"


# --- what is refused


async def test_guests_and_amounts_outside_the_limits_are_refused(
    payer: Browser, paying: ServerProcess
) -> None:
    async with connect_guest(paying.address) as guest:
        assert code_of(await sent(guest, "/api/payments/deposit", order())) == "account_needed"
    for amount in (499, 100_001):
        answer = await sent(payer, "/api/payments/deposit", order(amount))
        assert code_of(answer) == "payment_limits"
    assert code_of(await sent(payer, "/api/payments/deposit", order(currency="GC"))) == "not_paid_here"
    assert code_of(await sent(payer, "/api/cashier/deposit", order())) == "not_play_money"
    assert (await listed(payer)).payments == ()


async def test_play_money_with_a_provider_is_paid_at_once(payer: Browser) -> None:
    line = await begin(payer, "deposit", order(currency="SC"))
    assert line.state == "confirmed"
    assert (await begin(payer, "withdraw", order(currency="SC"))).state == "paid"


async def test_a_pending_deposit_counts_against_the_players_limit(
    payer: Browser, provider: ProviderProcess
) -> None:
    limit = wire.LimitRequest("deposit", "day", "EUR", 8_000)
    await payer.post("/api/responsible-gaming/limit", wire.ResponsibleGaming, limit)
    first = await begin(payer, "deposit")
    assert code_of(await sent(payer, "/api/payments/deposit", order())) == "over_own_limit"
    provider.decide(ProviderDecision(first.payment, "denied"))
    await reaches(payer, first.payment, "denied")
    assert (await begin(payer, "deposit")).state == "pending"


async def test_what_an_excluded_player_has_paid_is_held(
    payer: Browser, paying: ServerProcess, provider: ProviderProcess
) -> None:
    line = await begin(payer, "deposit")
    barred = wire.BreakRequest("exclusion", 180)
    await payer.post("/api/responsible-gaming/break", wire.ResponsibleGaming, barred)
    provider.decide(ProviderDecision(line.payment, "paid"))
    held = await reaches(payer, line.payment, "in_suspense")
    assert (held.paid_minor, held.ended) == (AMOUNT, False)
    assert code_of(await sent(payer, "/api/payments/deposit", order())) == "barred"
    assert code_of(await sent(payer, "/api/payments/withdraw", order())) == "not_covered"


# --- notifications


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        (b'{"payment":"pay_0","outcome":"paid","currency":"EUR","amount_minor":1}', 404, "no_such_payment"),
        (b"{}", 400, "malformed"),
        (b"[1", 400, "malformed"),
        (b'{"payment":"pay_0","outcome":"lost"}', 400, "malformed"),
        (b'{"payment":"pay_0","outcome":"paid","amount_minor":1.5}', 400, "malformed"),
        (b'{"payment":"pay_0","outcome":"paid","amount_minor":-1}', 400, "malformed"),
        (b'{"payment":"pay_0","outcome":"pending","redirect":"javascript:1"}', 400, "malformed"),
        (b'{"payment":"pay_0","outcome":"paid","player":"p_0"}', 400, "malformed"),
        (b'{"payment":"' + b"x" * 5_000 + b'"}', 413, "too_large"),
    ],
)
async def test_a_notification_that_names_nothing_is_refused(
    paying: ServerProcess, body: bytes, status: int, code: str
) -> None:
    answer = await notify(paying, body)
    assert (answer.status_code, code_of(answer)) == (status, code)


async def test_only_the_provider_notifies(payer: Browser, paying: ServerProcess) -> None:
    line = await begin(payer, "deposit")
    body = msgspec.json.encode(PaymentReport(line.payment, "paid", "EUR", AMOUNT))
    refused = [
        await notify(paying, body, secret=b"another secret"),
        await notify(paying, body, age_s=WINDOW_S + 5),
        await notify(paying, body, age_s=-WINDOW_S - 5),
        await payer.http.post(f"{paying.address}/api/payments/notify", content=body),
    ]
    assert {(answer.status_code, code_of(answer)) for answer in refused} == {(401, "wrong_signature")}
    assert (await listed(payer)).payments[0].state == "pending"


async def test_a_replayed_notification_changes_nothing(payer: Browser, paying: ServerProcess) -> None:
    """The signature alone counts: neither a cookie nor the page that a request comes from does."""
    line = await begin(payer, "deposit")
    body = msgspec.json.encode(PaymentReport(line.payment, "paid", "EUR", AMOUNT))
    for _ in range(4):
        assert (await notify(paying, body, Origin="https://elsewhere.example")).status_code == 204
    assert (await reaches(payer, line.payment, "confirmed")).paid_minor == AMOUNT
    assert await euros(payer) == AMOUNT


async def test_a_payment_of_another_provider_can_not_be_notified(
    payer: Browser, paying: ServerProcess
) -> None:
    line = await begin(payer, "deposit", order(currency="SC"))
    body = msgspec.json.encode(PaymentReport(line.payment, "paid", "SC", AMOUNT))
    assert code_of(await notify(paying, body)) == "no_such_payment"
