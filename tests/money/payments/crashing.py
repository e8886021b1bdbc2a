"""A payment service that crashes at any step, and a provider that fails at any call."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from typing import TypeVar

from croupier.accounts.payment_rules import PaymentRules
from croupier.accounts.payments import (
    Payment,
    PaymentChange,
    PaymentNews,
    PaymentOutcome,
    PaymentReport,
    PaymentTimes,
)
from croupier.ledger.entries import Entry
from croupier.outside.no_answer import NoAnswer
from croupier.protocol.payment_wire import IdentityAnswer
from croupier.protocol.signatures import SignedBody
from croupier.storage.sql.payments import SqlPayments

T = TypeVar("T")


class Crash(Exception):
    """The process ends here: nothing in memory survives."""


class Crashes:
    """Counts the steps and crashes at the wanted ones."""

    def __init__(self) -> None:
        self.at: set[int] = set()
        self.steps = 0

    def step(self) -> None:
        self.steps += 1
        if self.steps in self.at:
            raise Crash


class CrashingPayments:
    """A repository with a step before and after each durable change."""

    rules = PaymentRules()

    def __init__(self, payments: SqlPayments, crashes: Crashes) -> None:
        self._payments = payments
        self._crashes = crashes
        self.find, self.of, self.due, self.stuck = payments.find, payments.of, payments.due, payments.stuck
        self.end_bonus = payments.end_bonus
        self.withdraw_play_money = payments.withdraw_play_money
        self.grant_due, self.collect, self.debtors = payments.grant_due, payments.collect, payments.debtors
        self.add_bonus = payments.add_bonus
        self.end_due_bonuses = payments.end_due_bonuses

    def add(self, payment: Payment, further: Sequence[Entry] = ()) -> Future[PaymentChange]:
        return self._between(lambda: self._payments.add(payment, further))

    def change(self, payment: str, news: PaymentNews, at: PaymentTimes) -> Future[PaymentChange]:
        return self._between(lambda: self._payments.change(payment, news, at))

    def _between(self, write: Callable[[], Future[PaymentChange]]) -> Future[PaymentChange]:
        self._crashes.step()
        written = write()
        written.exception()  # waits
        self._crashes.step()
        return written


class FailingProvider:
    """Executes each order once. `failures` are taken in turn: answer, no answer before, or none after."""

    def __init__(self, crashes: Crashes) -> None:
        self.crashes = crashes
        self.executed: Counter[str] = Counter()
        self.reports: dict[str, PaymentReport] = {}
        self.failures: list[str] = []
        self.next: dict[str, PaymentOutcome] = {}
        self.cleared = IdentityAnswer("approved")

    async def deposit(self, payment: Payment) -> PaymentReport:
        return self._order(payment)

    async def withdraw(self, payment: Payment) -> PaymentReport:
        return self._order(payment)

    async def refund(self, payment: Payment) -> PaymentReport:
        return self._call(lambda: self._refunded(payment))

    def _refunded(self, payment: Payment) -> PaymentReport:
        minor = payment.moved_minor
        self.reports[payment.id] = PaymentReport(payment.id, "refunded", payment.currency, minor, minor)
        return self.reports[payment.id]

    async def status(self, payments: Sequence[Payment]) -> Mapping[str, PaymentReport]:
        return self._call(
            lambda: {one.id: self.reports.get(one.id, PaymentReport(one.id, "not_known")) for one in payments}
        )

    async def check(self, _: Payment) -> IdentityAnswer:
        return self._call(lambda: self.cleared)

    def notified(self, signed: SignedBody) -> PaymentReport:
        """Return the present report on the payment that the body names."""
        return self.reports[signed.body.decode()]

    def decide(self, payment: str, outcome: PaymentOutcome, currency: str, amount: int) -> None:
        """End a payment, unless it has ended."""
        if self.reports[payment].outcome == "pending":
            self.say(payment, outcome, currency, amount)

    def say(
        self, payment: str, outcome: PaymentOutcome, currency: str, amount: int, reversed_: int = 0
    ) -> None:
        """Report this, whatever was reported before."""
        self.reports[payment] = PaymentReport(payment, outcome, currency, amount, reversed_)

    def _order(self, payment: Payment) -> PaymentReport:
        return self._call(lambda: self._executed(payment))

    def _executed(self, payment: Payment) -> PaymentReport:
        if payment.id not in self.reports:
            self.executed[payment.id] += 1
            self.reports[payment.id] = PaymentReport(payment.id, "pending")
        return self.reports[payment.id]

    def _call(self, answer: Callable[[], T]) -> T:
        self.crashes.step()
        failure = self.failures.pop(0) if self.failures else "answer"
        if failure == "before":
            raise NoAnswer(failure)
        answered = answer()
        self.crashes.step()
        if failure == "after":
            raise NoAnswer(failure)
        return answered
