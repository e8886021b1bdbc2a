"""A payment as a state machine, without I/O: the state after each event, and the entries to post.

A deposit moves money when the provider reports that it was paid. A withdrawal moves money to the account
`withdrawing` at once. From there it goes to the cashier, or back if the payment was denied.
"""

from collections.abc import Mapping
from typing import Annotated, Literal, NamedTuple

from msgspec import Meta, Struct
from msgspec.structs import replace

from croupier.ledger import entries
from croupier.ledger.entries import MOVE_MINOR_MAX, Entry
from croupier.refusal import Refused

Direction = Literal["deposit", "withdrawal"]
PaymentState = Literal[
    "created",
    "pending",
    "confirmed",
    "denied",
    "expired",
    "requested",
    "held",
    "sent",
    "unknown",
    "paid",
    "returned",
    "disputed",
]
PaymentEvent = Literal[
    "accepted", "paid", "denied", "differs", "expired", "no_answer", "asked", "held", "cleared"
]
"""`differs`: the provider reports another amount or currency; `no_answer`: it doesn't answer an order;
`asked`: an inquiry without news; `cleared`: the player is identified."""
PaymentOutcome = Literal["pending", "paid", "denied", "not_known"]

FIRST: Mapping[Direction, PaymentState] = {"deposit": "created", "withdrawal": "requested"}
NEXT: Mapping[Direction, Mapping[PaymentState, Mapping[PaymentEvent, PaymentState]]] = {
    "deposit": {
        "created": {
            "accepted": "pending",
            "paid": "confirmed",
            "denied": "denied",
            "differs": "disputed",
            "expired": "expired",
        },
        "pending": {"paid": "confirmed", "denied": "denied", "differs": "disputed", "expired": "expired"},
        "disputed": {"paid": "confirmed", "denied": "denied"},
        "expired": {"paid": "confirmed", "differs": "disputed"},
        "denied": {"paid": "confirmed", "differs": "disputed"},
        "confirmed": {},
    },
    "withdrawal": {
        "requested": {"cleared": "sent", "held": "held", "denied": "returned"},
        "held": {"cleared": "sent", "denied": "returned"},
        "sent": {"no_answer": "unknown", "paid": "paid", "denied": "returned", "differs": "disputed"},
        "unknown": {"accepted": "sent", "paid": "paid", "denied": "returned", "differs": "disputed"},
        "disputed": {"paid": "paid", "denied": "returned"},
        "paid": {},
        "returned": {},
    },
}
"""The next state by direction, state and event. All other events, such as duplicates, change nothing."""
OPEN_DEPOSITS: frozenset[PaymentState] = frozenset({"created", "pending", "disputed"})
"""States of deposits that a deposit limit counts before they are in the ledger."""
ENDED: frozenset[PaymentState] = frozenset({"confirmed", "denied", "expired", "paid", "returned"})
STUCK: frozenset[PaymentState] = frozenset({"disputed", "held", "unknown"})
"""States in which a payment waits for its provider or for an identity check, however long that takes."""
LATE_MS = 3 * 24 * 3600 * 1000
"""Time after its creation during which inquiries about an expired deposit continue."""
OPEN_MAX = 20
"""Maximum number of one player's payments that haven't ended."""


class Payment(Struct, frozen=True):
    """One deposit or withdrawal, whose id is its idempotency key everywhere.

    `moved_minor` is the amount that was actually paid, 0 until then; `due_ms` is the time of the next
    inquiry, 0 for none; `attempts` is the number of inquiries in this state.
    """

    id: str
    player: str
    direction: Direction
    currency: str
    amount_minor: int
    created_ms: int
    expires_ms: int
    state: PaymentState
    changed_ms: int
    moved_minor: int = 0
    redirect: str = ""
    reason: str = ""
    due_ms: int = 0
    attempts: int = 0

    @property
    def ended(self) -> bool:
        return self.state in ENDED

    def is_same(self, other: "Payment") -> bool:
        """Return whether both come from the same request."""
        return self.request == other.request

    @property
    def request(self) -> tuple[str, str, str, int]:
        return self.player, self.direction, self.currency, self.amount_minor


class PaymentReport(Struct, frozen=True, forbid_unknown_fields=True):
    """A provider's report on a payment. `redirect`: the page where the player pays."""

    payment: Annotated[str, Meta(min_length=1, max_length=40)]
    outcome: PaymentOutcome
    currency: Annotated[str, Meta(max_length=8)] = ""
    amount_minor: Annotated[int, Meta(ge=0, le=MOVE_MINOR_MAX)] = 0
    redirect: Annotated[str, Meta(max_length=2_000, pattern=r"^(https?://[!-~]+)?(?!\n)$")] = ""
    reason: Annotated[str, Meta(max_length=200)] = ""


class PaymentNews(Struct, frozen=True):
    """An event, with the details to keep. `moved_minor` is the amount that was paid."""

    event: PaymentEvent
    moved_minor: int = 0
    redirect: str = ""
    reason: str = ""


class PaymentTimes(NamedTuple):
    """The time of an event, and of the next inquiry: `due_ms` if the state changes, else `again_ms`."""

    now_ms: int
    due_ms: int
    again_ms: int


class PaymentChange(NamedTuple):
    """A payment before and after an event, and the entries of the change. `before` is None if it is new."""

    before: Payment | None
    after: Payment
    entries: tuple[Entry, ...] = ()


def opening_entries(payment: Payment) -> tuple[Entry, ...]:
    """Return the entries of a new payment: a withdrawal's money leaves the balance at once."""
    if payment.direction == "deposit":
        return ()
    return (entries.withdrawal_requested(f"{key(payment)}:requested", *_moved(payment, payment.created_ms)),)


def changed(payment: Payment, news: PaymentNews, at: PaymentTimes) -> PaymentChange:
    """Return the change by an event: of the state, or only of the time of the next inquiry."""
    state = NEXT[payment.direction][payment.state].get(news.event)
    if state is None:
        return PaymentChange(payment, _asked_again(payment, at.again_ms))
    is_paid = state in ("confirmed", "paid")
    after = replace(
        payment,
        state=state,
        changed_ms=at.now_ms,
        moved_minor=news.moved_minor if is_paid else 0,
        redirect=news.redirect or ("" if state in ENDED else payment.redirect),
        reason="" if is_paid else news.reason or payment.reason,
        due_ms=0 if state in ENDED and state != "expired" else at.due_ms,
        attempts=0,
    )
    return PaymentChange(payment, after, _entries(after))


def _asked_again(payment: Payment, again_ms: int) -> Payment:
    is_over = payment.ended and (payment.state != "expired" or again_ms > payment.created_ms + LATE_MS)
    return replace(payment, due_ms=0 if is_over else again_ms, attempts=payment.attempts + 1)


def event_of(payment: Payment, report: PaymentReport, *, asked: bool) -> PaymentNews | None:
    """Return the event that a provider's report amounts to; None if it says nothing about the payment.

    A report that differs is accepted only if the provider was `asked`, and then only for a deposit's amount.
    """
    match report.outcome:
        case "not_known":
            return None
        case "pending":
            return PaymentNews("accepted", redirect=report.redirect, reason=report.reason)
        case "denied":
            return PaymentNews("denied", reason=report.reason)
    return _paid(payment, report, asked=asked)


def is_hint(payment: Payment, news: PaymentNews) -> bool:
    """Return whether an unasked report must be confirmed by asking: it differs, or it returns money."""
    return news.event == "differs" or (news.event == "denied" and payment.direction == "withdrawal")


def credit_key(payment: Payment) -> str:
    """Return the key of the entry that credits a deposit."""
    return f"{key(payment)}:confirmed"


def key(payment: Payment) -> str:
    """Return the beginning of the keys of a payment's entries."""
    return f"payment:{payment.id}"


def check_same(known: Payment, asked: Payment) -> None:
    """Refuse `key_reused` for another payment with the id of a known one."""
    if not known.is_same(asked):
        raise Refused("key_reused", req=asked.id)


def _paid(payment: Payment, report: PaymentReport, *, asked: bool) -> PaymentNews:
    amount, currency = report.amount_minor, report.currency
    is_exact = (amount, currency) == (payment.amount_minor, payment.currency)
    is_deposit = payment.direction == "deposit" and currency == payment.currency and amount > 0
    if is_exact or (asked and is_deposit):
        return PaymentNews("paid", amount)
    return PaymentNews("differs", reason=f"The provider reports {amount} {currency}.")


def _moved(payment: Payment, at_ms: int) -> tuple[int, str, str, int]:
    return at_ms, payment.player, payment.currency, payment.moved_minor or payment.amount_minor


def _entries(after: Payment) -> tuple[Entry, ...]:
    """Return the entries of the state that a payment has just reached."""
    moved = _moved(after, after.changed_ms)
    match after.state:
        case "confirmed":
            return (entries.deposit(credit_key(after), *moved),)
        case "paid":
            return (entries.withdrawal_paid(f"{key(after)}:paid", *moved),)
        case "returned":
            return (entries.withdrawal_returned(f"{key(after)}:returned", *moved, after.reason),)
        case _:
            return ()
