"""The interface of payment providers and of identity services."""

from collections.abc import Mapping, Sequence
from typing import Protocol

from croupier.accounts.payments import Payment, PaymentReport
from croupier.protocol.payment_wire import IdentityAnswer
from croupier.protocol.signatures import SignedBody


class PaymentProvider(Protocol):
    """Carries out payments. An order may be repeated: the payment's id is its idempotency key.

    Every method raises NoAnswer if the outcome is unknown; it is then found out by `status`.
    """

    async def deposit(self, payment: Payment, /) -> PaymentReport:
        """Begin a deposit. Return `pending` with the page where the player pays, or the outcome."""

    async def withdraw(self, payment: Payment, /) -> PaymentReport:
        """Pay a withdrawal. Return `pending`, or the outcome, which is final."""

    async def refund(self, payment: Payment, /) -> PaymentReport:
        """Send a deposit back to whoever paid it. Return `paid` until that is done, then `refunded`."""

    async def status(self, payments: Sequence[Payment], /) -> Mapping[str, PaymentReport]:
        """Return a report on each payment, by its id."""


class NotifyingProvider(PaymentProvider, Protocol):
    """A provider that also sends reports by itself."""

    def notified(self, signed: SignedBody) -> PaymentReport:
        """Return the report that the provider has sent by itself; refuse `wrong_signature`."""


class IdentityCheck(Protocol):
    """Says whether a withdrawal may be paid to its player."""

    async def check(self, payment: Payment, /) -> IdentityAnswer:
        """Return the answer; raise NoAnswer if there is none."""
