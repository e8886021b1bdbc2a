"""The provider of play money, and the identity check that clears everybody."""

from collections.abc import Mapping, Sequence

from croupier.accounts.payments import Payment, PaymentReport
from croupier.outside.no_answer import NoAnswer
from croupier.protocol.payment_wire import IdentityAnswer

NOT_CONFIGURED = "no provider is configured for the currency"


class PlayMoney:
    """Confirms every payment at once."""

    async def deposit(self, payment: Payment) -> PaymentReport:
        return PaymentReport(payment.id, "paid", payment.currency, payment.amount_minor)

    async def withdraw(self, payment: Payment) -> PaymentReport:
        return PaymentReport(payment.id, "paid", payment.currency, payment.amount_minor)

    async def refund(self, payment: Payment) -> PaymentReport:
        minor = payment.moved_minor
        return PaymentReport(payment.id, "refunded", payment.currency, minor, minor)

    async def status(self, payments: Sequence[Payment]) -> Mapping[str, PaymentReport]:
        """Know no payment, so that one that a crash has interrupted is ordered again."""
        return {payment.id: PaymentReport(payment.id, "not_known") for payment in payments}


class NoProvider:
    """Stands for the provider of a currency that is no longer configured: its payments wait."""

    async def deposit(self, _: Payment) -> PaymentReport:
        raise NoAnswer(NOT_CONFIGURED)

    async def withdraw(self, _: Payment) -> PaymentReport:
        raise NoAnswer(NOT_CONFIGURED)

    async def refund(self, _: Payment) -> PaymentReport:
        raise NoAnswer(NOT_CONFIGURED)

    async def status(self, _: Sequence[Payment]) -> Mapping[str, PaymentReport]:
        raise NoAnswer(NOT_CONFIGURED)


class ClearsEverybody:
    """The identity check of a server without an identity service."""

    async def check(self, _: Payment) -> IdentityAnswer:
        return IdentityAnswer("approved")
