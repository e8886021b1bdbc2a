"""The payments of the reference provider, in memory, and the faults that it is told to have."""

import asyncio
import time
from collections.abc import Iterator
from typing import Literal

import httpx
import msgspec
from msgspec import Struct
from msgspec.structs import replace

from croupier.accounts.payment_states import Direction
from croupier.accounts.payments import PaymentReport
from croupier.protocol.payment_wire import IdentityAnswer, PaymentOrder
from croupier.protocol.signatures import Secret, signed_headers

Fault = Literal[
    "time_out",
    "error_500",
    "garbage",
    "drop_answer",
    "no_notification",
    "duplicate",
    "wrong_signature",
    "other_amount",
    "other_currency",
    "out_of_order",
    "late",
    "pays_expired",
]
"""The first four concern answers: `drop_answer` carries the order out and never says so. The others concern
notifications: `late` sends them with a time stamp that is too old. `pays_expired` takes money for deposits
that have expired."""
REVERSALS = ("refunded", "charged_back", "returned")
LATE_S = 3_600
OTHER_CURRENCY = "ZZZ"
WRONG = Secret(b"a secret that nobody shares")


class ProviderControl(Struct, frozen=True, forbid_unknown_fields=True):
    """A change of the provider's behaviour. None leaves it as it is."""

    faults: tuple[Fault, ...] | None = None
    pays_withdrawals: bool | None = None
    identity: IdentityAnswer | None = None
    notify_url: str | None = None


class ProviderDecision(Struct, frozen=True, forbid_unknown_fields=True):
    """The end of a payment, or its reversal. `amount_minor` 0: the ordered amount.

    `reversed_minor` is all that was refunded, charged back or returned; 0: all of it. `force`: contradict
    what was reported before.
    """

    payment: str
    outcome: Literal["paid", "denied", "refunded", "charged_back", "returned"]
    amount_minor: int = 0
    reversed_minor: int = 0
    force: bool = False


class ProviderLog(Struct, frozen=True):
    """Orders that were carried out, in order, and the statuses with which notifications were answered."""

    executed: tuple[tuple[Direction, str], ...]
    answers: tuple[int, ...]
    refunded: tuple[str, ...] = ()


class ReferenceProvider:
    """Orders by payment, each carried out once. `notify_url` receives the notifications."""

    def __init__(self, secret: Secret, notify_url: str) -> None:
        self.secret = secret
        self.faults: frozenset[Fault] = frozenset()
        self.identity = IdentityAnswer("approved")
        self._executed: list[tuple[Direction, str]] = []
        self._refunded: list[str] = []
        self._answers: list[int] = []
        self._notify_url = notify_url
        self._pays_withdrawals = True
        self._orders: dict[str, PaymentOrder] = {}
        self._reports: dict[str, PaymentReport] = {}
        self._sending: set[asyncio.Task[None]] = set()

    def control(self, change: ProviderControl) -> None:
        if change.faults is not None:
            self.faults = frozenset(change.faults)
        if change.pays_withdrawals is not None:
            self._pays_withdrawals = change.pays_withdrawals
        if change.identity is not None:
            self.identity = change.identity
        if change.notify_url is not None:
            self._notify_url = change.notify_url

    def order(self, direction: Direction, order: PaymentOrder, redirect: str) -> PaymentReport:
        """Carry an order out once, and return the present report on it."""
        if order.payment not in self._orders:
            self._orders[order.payment] = order
            self._reports[order.payment] = PaymentReport(order.payment, "pending", redirect=redirect)
            self._executed.append((direction, order.payment))
            if direction == "withdrawal" and self._pays_withdrawals:
                self.decide(ProviderDecision(order.payment, "paid"))
        return self._reports[order.payment]

    @property
    def log(self) -> ProviderLog:
        return ProviderLog(tuple(self._executed), tuple(self._answers), tuple(self._refunded))

    def refund(self, order: PaymentOrder) -> PaymentReport:
        """Send a deposit that was paid back to its payer, once; return the present report on it."""
        known = self.report(order.payment)
        if known.outcome == "paid":
            self._reports[order.payment] = replace(
                known, outcome="refunded", reversed_minor=known.amount_minor
            )
            self._refunded.append(order.payment)
        return self.report(order.payment)

    def is_expired(self, payment: str) -> bool:
        """Return whether it is too late to pay a deposit."""
        expires_ms = self._orders[payment].expires_ms
        return 0 < expires_ms <= time.time() * 1000 and "pays_expired" not in self.faults

    def report(self, payment: str) -> PaymentReport:
        return self._reports.get(payment, PaymentReport(payment, "not_known"))

    def find(self, payment: str) -> PaymentOrder | None:
        return self._orders.get(payment)

    def decide(self, decision: ProviderDecision) -> PaymentReport:
        """End or reverse a payment and notify the server. Only reversals follow an end, unless forced."""
        order, known = self._orders[decision.payment], self._reports[decision.payment]
        is_reversal = decision.outcome in REVERSALS
        if not decision.force and (known.outcome == "pending") == is_reversal:
            return known
        amount = decision.amount_minor or order.amount_minor
        back = (decision.reversed_minor or amount) if is_reversal else 0
        report = PaymentReport(order.payment, decision.outcome, order.currency, amount, back)
        self._reports[order.payment] = report
        task = asyncio.create_task(self._notify(report))
        self._sending.add(task)
        task.add_done_callback(self._sending.discard)
        return report

    async def _notify(self, report: PaymentReport) -> None:
        async with httpx.AsyncClient(timeout=10) as client:
            for each in self._notifications(report):
                self._answers.append(await self._send(client, each))

    def _notifications(self, report: PaymentReport) -> Iterator[PaymentReport]:
        """Yield the reports to send, as the faults have it."""
        if "no_notification" in self.faults:
            return
        if "other_amount" in self.faults:
            report = replace(report, amount_minor=report.amount_minor + 1)
        if "other_currency" in self.faults:
            report = replace(report, currency=OTHER_CURRENCY)
        yield report
        if "duplicate" in self.faults:
            yield report
        if "out_of_order" in self.faults:
            yield PaymentReport(report.payment, "pending")
            yield PaymentReport(report.payment, "denied")

    async def _send(self, client: httpx.AsyncClient, report: PaymentReport) -> int:
        """Send a notification; return the status, 0 without an answer."""
        body = msgspec.json.encode(report)
        secret = WRONG if "wrong_signature" in self.faults else self.secret
        sent_s = int(time.time()) - (LATE_S if "late" in self.faults else 0)
        headers = signed_headers(secret, body, sent_s) | {"Content-Type": "application/json"}
        try:
            return (await client.post(self._notify_url, content=body, headers=headers)).status_code
        except httpx.HTTPError:
            return 0
