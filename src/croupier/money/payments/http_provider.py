"""The reference provider over HTTP, and the identity service."""

from collections.abc import Mapping, Sequence
from functools import partial

import msgspec

from croupier import clock, tracing
from croupier.accounts.payments import Payment, PaymentReport
from croupier.outside.no_answer import NoAnswer
from croupier.outside.signed_client import SignedClient
from croupier.protocol.payment_wire import (
    IdentityAnswer,
    IdentityQuestion,
    PaymentOrder,
    StatusAnswer,
    StatusQuestion,
)
from croupier.protocol.signatures import Secret, SignedBody, check_signature


class HttpProvider:
    """Speaks the reference protocol, see `protocol.payment_wire`."""

    def __init__(self, client: SignedClient, secret: Secret, return_url: str) -> None:
        self._client = client
        self._secret = secret
        self._return_url = return_url

    async def deposit(self, payment: Payment) -> PaymentReport:
        return await self._order("/deposit", payment)

    async def withdraw(self, payment: Payment) -> PaymentReport:
        return await self._order("/withdraw", payment)

    async def refund(self, payment: Payment) -> PaymentReport:
        return await self._order("/refund", payment)

    async def status(self, payments: Sequence[Payment]) -> Mapping[str, PaymentReport]:
        question = StatusQuestion(tuple(payment.id for payment in payments))
        with tracing.span("payment /status", {"payments": len(payments)}):
            answer = await self._client.ask("/status", question, StatusAnswer)
        return {report.payment: report for report in answer.reports}

    def notified(self, signed: SignedBody) -> PaymentReport:
        """Check the signature before anything of the body is read."""
        check_signature(self._secret, signed, clock.now_ms() // 1000)
        return msgspec.json.decode(signed.body, type=PaymentReport)

    async def _order(self, path: str, payment: Payment) -> PaymentReport:
        order = PaymentOrder(
            payment.id,
            payment.player,
            payment.currency,
            payment.moved_minor if path == "/refund" else payment.amount_minor,
            self._return_url,
            payment.expires_ms if path == "/deposit" else 0,
        )
        with tracing.span(f"payment {path}", {"payment": payment.id}):
            return await self._client.ask(path, order, PaymentReport, partial(_check_report, payment))


def _check_report(payment: Payment, report: PaymentReport) -> None:
    if report.payment != payment.id or report.outcome == "not_known":
        raise NoAnswer(f"a report on another payment than {payment.id}")


class HttpIdentityCheck:
    """Asks an identity service about each withdrawal."""

    def __init__(self, client: SignedClient) -> None:
        self._client = client

    async def check(self, payment: Payment) -> IdentityAnswer:
        question = IdentityQuestion(payment.id, payment.player, payment.currency, payment.amount_minor)
        with tracing.span("payment identity check", {"payment": payment.id}):
            return await self._client.ask("", question, IdentityAnswer)
