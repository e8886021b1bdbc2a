"""Carries payments on: orders, inquiries and identity checks, until each payment has ended.

A state is durable before the provider is called for it, so a payment that a crash interrupts is carried on
from there. An order without an answer is never repeated or given up blindly: the provider is asked first.
"""

import asyncio
import logging
from collections import defaultdict
from collections.abc import Awaitable, Callable, Coroutine, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from typing import Any

from croupier import clock
from croupier.accounts.payment_reports import event_of, is_expected
from croupier.accounts.payment_states import PaymentEvent, PaymentState
from croupier.accounts.payments import Payment, PaymentChange, PaymentNews, PaymentReport, PaymentTimes
from croupier.accounts.repository import PaymentRepository
from croupier.admission.ledger_gateway import LedgerGateway
from croupier.money.payments.play_money import NoProvider
from croupier.money.payments.provider import IdentityCheck, PaymentProvider
from croupier.outside.due_work import DueWork, delay_ms
from croupier.outside.no_answer import NoAnswer
from croupier.protocol.payment_wire import STATUS_MAX

RETRY_MS_MIN, RETRY_MS_MAX = 2_000, 600_000
"""Time to the first inquiry, which doubles with each further one up to the maximum."""
UNCLEARED: frozenset[PaymentState] = frozenset({"requested", "held"})
ORDERED: frozenset[PaymentState] = frozenset({"created", "sent", "unknown"})
"""States of payments that are ordered again if the provider doesn't know them."""
UNREFUNDED: frozenset[PaymentEvent | None] = frozenset({"paid", "withheld", None})
"""News of a deposit that is being sent back which show that its refund wasn't ordered."""
UNPAID: frozenset[PaymentState] = frozenset({"created", "pending"})

log = logging.getLogger(__name__)


class PaymentDriver:
    """Asks providers to carry payments out, and about their outcomes.

    `on_change` is called after each durable change of a payment. Call `load` first.

    `on_contradiction` is called if the provider's status can't be true of a payment, which it doesn't change.
    `lock` holds the locks of players' bonuses.
    """

    def __init__(
        self,
        gateway: LedgerGateway,
        payments: PaymentRepository,
        providers: Mapping[str, PaymentProvider],
        identity: IdentityCheck,
        on_change: Callable[[PaymentChange], None],
        on_contradiction: Callable[[Payment, PaymentReport], Awaitable[None]],
        lock: Callable[[Sequence[str]], AbstractAsyncContextManager[None]],
    ) -> None:
        self._gateway = gateway
        self._payments = payments
        self._providers = providers
        self._identity = identity
        self._on_change = on_change
        self._on_contradiction = on_contradiction
        self._lock = lock
        self._inquiries = DueWork()

    def load(self, payments: Sequence[Payment]) -> None:
        """Carry these payments on when they are due."""
        for payment in payments:
            self._inquiries.put(payment.id, payment.due_ms)

    @property
    def waiting(self) -> int:
        """The number of payments that haven't ended."""
        return len(self._inquiries)

    # --- one payment

    async def begin(self, added: PaymentChange) -> Payment:
        """Order a payment if it is new; return it as it is then."""
        payment = added.after
        if added.before is not None:
            return payment
        with self._inquiries.claimed([payment.id]):
            self._follow(added)
            return await self._begun(payment)

    async def apply(self, payment: Payment, news: PaymentNews) -> Payment:
        """Apply an event durably and return the payment after it."""
        async with self._lock([payment.player]):  # the deposit may bring a bonus
            written = self._payments.change(payment.id, news, times(payment.attempts))
            change = await self._gateway.recorded(written)
            self._follow(change)
        return change.after

    def ask_soon(self, payment: Payment) -> None:
        """Ask the provider about a payment at once, even if it has ended."""
        self._inquiries.put(payment.id, 0)

    def _follow(self, change: PaymentChange) -> None:
        after = change.after
        if after.due_ms:
            self.load([after])
        else:
            self._inquiries.drop(after.id)
        if change.before is None or change.before.state != after.state or change.entries:
            log.info("payment %s: %s", after.id, after.state)
            self._on_change(change)

    async def _begun(self, payment: Payment) -> Payment:
        """Clear the payment if necessary, then order it."""
        if payment.state in UNCLEARED:
            payment = await self.apply(payment, await self._cleared(payment))
        return await self.order(payment) if payment.state in ORDERED else payment

    async def _cleared(self, payment: Payment) -> PaymentNews:
        try:
            answer = await self._identity.check(payment)
        except NoAnswer as error:
            log.warning("payment %s: no answer of the identity service: %s", payment.id, error)
            return PaymentNews("held", reason=payment.reason)
        match answer.status:
            case "approved":
                return PaymentNews("cleared")
            case "pending":
                return PaymentNews("held", reason=answer.reason)
            case "refused":
                return PaymentNews("denied", reason=answer.reason)

    async def order(self, payment: Payment) -> Payment:
        """Order what a payment's state asks for, once however often it is ordered."""
        provider = self._provider(payment.currency)
        orders = {"deposit": provider.deposit, "withdrawal": provider.withdraw}
        order = provider.refund if payment.state == "returning" else orders[payment.direction]
        try:
            report = await order(payment)
        except NoAnswer as error:
            log.warning("payment %s: no answer of the provider: %s", payment.id, error)
            return await self.apply(payment, PaymentNews("no_answer"))
        return await self._believe(payment, report)

    async def _believe(self, payment: Payment, report: PaymentReport) -> Payment:
        """Apply an answer of the provider, unless it contradicts the payment."""
        news = event_of(payment, report, asked=True) or PaymentNews("no_answer")
        if not is_expected(payment, news, asked=True):
            await self._on_contradiction(payment, report)
            news = PaymentNews("asked")
        return await self.apply(payment, news)

    def _provider(self, currency: str) -> PaymentProvider:
        return self._providers.get(currency, NO_PROVIDER)

    # --- all payments that are due

    async def run(self) -> None:
        """Carry payments on until the task is cancelled."""
        await self._inquiries.run(self.work, "carrying payments on", log)

    async def work(self) -> None:
        """Carry on everything that is due now."""
        due = self._inquiries.due()[:STATUS_MAX]
        found = [await self._gateway.durable(self._payments.find(payment)) for payment in due]
        with self._inquiries.claimed(due) as claimed:
            mine = [payment for payment in found if payment and payment.id in claimed]
            asked = defaultdict[PaymentProvider, list[Payment]](list)
            for payment in mine:
                if payment.state not in UNCLEARED:
                    asked[self._provider(payment.currency)].append(payment)
            clearing = [self._begun(payment) for payment in mine if payment.state in UNCLEARED]
            await _all(*clearing, *(self._ask(*each) for each in asked.items()))

    async def _ask(self, provider: PaymentProvider, payments: Sequence[Payment]) -> None:
        """Ask a provider about payments, and act on its answer."""
        try:
            reports = await provider.status(payments)
        except NoAnswer as error:
            log.warning("no answer of the provider about %d payments: %s", len(payments), error)
            reports = {}
        await _all(*(self._answered(payment, reports.get(payment.id)) for payment in payments))

    async def _answered(self, payment: Payment, report: PaymentReport | None) -> None:
        news = event_of(payment, report, asked=True) if report else None
        event = news.event if news else None
        is_late = payment.state in UNPAID and clock.now_ms() >= payment.expires_ms
        if report is None:
            await self.apply(payment, PaymentNews("asked"))
        elif is_late and event in (None, "accepted"):
            await self.apply(payment, PaymentNews("expired"))
        elif payment.state == "returning" and event in UNREFUNDED:
            await self.order(payment)
        elif news:
            await self._believe(payment, report)
        elif payment.state in ORDERED:
            await self.order(payment)
        else:
            await self.apply(payment, PaymentNews("asked"))


NO_PROVIDER = NoProvider()


async def _all(*work: Coroutine[Any, Any, object]) -> None:
    """Finish all of the work, then raise the first error of any."""
    for result in await asyncio.gather(*work, return_exceptions=True):
        if isinstance(result, BaseException):
            raise result


def times(attempts: int) -> PaymentTimes:
    """Return the present time, and those of the next inquiry after so many: back-off with jitter."""
    now_ms = clock.now_ms()
    return PaymentTimes(now_ms, now_ms + _delay_ms(0), now_ms + _delay_ms(attempts + 1))


def _delay_ms(attempts: int) -> int:
    return delay_ms(attempts, RETRY_MS_MIN, RETRY_MS_MAX)
