"""Payments of a player over HTTP."""

import asyncio
import time

from croupier.integration.payment_provider.provider import ProviderDecision
from croupier.protocol import wire
from tests.support.browser_connection import Browser, fetch_balances, new_req
from tests.support.payment_provider import ProviderProcess

AMOUNT = 5_000
POLL_S, ENDS_WITHIN_S = 0.05, 60.0


def order(amount: int = AMOUNT, currency: str = "EUR") -> wire.CashierRequest:
    return wire.CashierRequest(new_req(), currency, amount)


async def begin(browser: Browser, kind: str, request: wire.CashierRequest | None = None) -> wire.PaymentLine:
    return await browser.post(f"/api/payments/{kind}", wire.PaymentLine, request or order())


async def listed(browser: Browser) -> wire.PaymentList:
    return await browser.get("/api/payments", wire.PaymentList)


async def reaches(browser: Browser, payment: str, *states: str) -> wire.PaymentLine:
    """Wait until a payment is in one of these states."""
    until = time.monotonic() + ENDS_WITHIN_S
    while True:
        lines = [one for one in (await listed(browser)).payments if one.payment == payment]
        if lines and lines[0].state in states:
            return lines[0]
        assert time.monotonic() < until, lines
        await asyncio.sleep(POLL_S)


async def euros(browser: Browser) -> int:
    return next(one.balance_minor for one in await fetch_balances(browser) if one.currency == "EUR")


async def paid_in(browser: Browser, provider: ProviderProcess, amount: int = AMOUNT) -> None:
    """Deposit money and wait until it is there."""
    line = await begin(browser, "deposit", order(amount))
    provider.decide(ProviderDecision(line.payment, "paid"))
    await reaches(browser, line.payment, "confirmed")
