"""A payment as a state machine, without I/O: the state after each event.

A deposit moves money when the provider reports that it was paid. A withdrawal moves money to the account
`withdrawing` at once. From there it goes to the cashier, or back if the payment was denied. Each change that
moves money has its entries, see `payment_entries`.
"""

from collections.abc import Mapping
from typing import Annotated, Literal, NamedTuple

from msgspec import Meta, Struct
from msgspec.structs import replace

from croupier.accounts.payment_states import (
    ENDED,
    IN_SUSPENSE,
    NEXT,
    PAID,
    Direction,
    PaymentEvent,
    PaymentState,
)
from croupier.ledger.entries import MOVE_MINOR_MAX, Entry
from croupier.refusal import Refused

PaymentOutcome = Literal["pending", "paid", "denied", "refunded", "charged_back", "returned", "not_known"]
LATE_MS = 3 * 24 * 3600 * 1000
"""Time after its creation during which inquiries about an expired deposit continue."""
OPEN_MAX = 20
"""Maximum number of one player's payments that haven't ended."""


class Payment(Struct, frozen=True):
    """One deposit or withdrawal, whose id is its idempotency key everywhere.

    `moved_minor` is the amount that was actually paid, less what was reversed; 0 until then. `due_ms` is the
    time of the next inquiry, 0 for none; `attempts` is the number of inquiries in this state.
    For `held_until_ms` and `released_ms`, see `withdrawal_holds`.
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
    held_until_ms: int = 0
    released_ms: int = 0

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
    """A provider's report on a payment. `redirect`: the page where the player pays.

    `amount_minor` is what was paid, and `reversed_minor` all that was refunded, charged back or returned.
    """

    payment: Annotated[str, Meta(min_length=1, max_length=40)]
    outcome: PaymentOutcome
    currency: Annotated[str, Meta(max_length=8)] = ""
    amount_minor: Annotated[int, Meta(ge=0, le=MOVE_MINOR_MAX)] = 0
    reversed_minor: Annotated[int, Meta(ge=0, le=MOVE_MINOR_MAX)] = 0
    redirect: Annotated[str, Meta(max_length=2_000, pattern=r"^(https?://[!-~]+)?(?!\n)$")] = ""
    reason: Annotated[str, Meta(max_length=200)] = ""


class PaymentNews(Struct, frozen=True):
    """An event, with the details to keep. `moved_minor` is the amount that was paid and not reversed."""

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


class CollectedDebts(NamedTuple):
    """The entries that pay a player's debts, and what they still owe, by currency."""

    owed_minor: Mapping[str, int]
    entries: tuple[Entry, ...]


class PostedEntries(NamedTuple):
    """The entries that a change has posted; none if it had been made before."""

    entries: tuple[Entry, ...]


class DueGrants(NamedTuple):
    """The grants of bonuses that a player's deposits have brought."""

    entries: tuple[Entry, ...]


def changed(payment: Payment, news: PaymentNews, at: PaymentTimes) -> Payment:
    """Return the payment after an event, with another state or only another time of the next inquiry."""
    state = next_state(payment, news)
    if state is None:
        return _asked_again(payment, at.again_ms)
    is_over = state in ENDED and state != "expired"
    return replace(
        payment,
        state=state,
        changed_ms=_changed_ms(payment, at.now_ms),
        moved_minor=_moved_minor(payment, news, state),
        redirect=news.redirect or ("" if state in ENDED | IN_SUSPENSE else payment.redirect),
        reason=news.reason if state in PAID else news.reason or payment.reason,
        due_ms=0 if is_over else at.due_ms,
        attempts=0,
    )


def _changed_ms(payment: Payment, now_ms: int) -> int:
    """Return the time of a change. It is in the keys of entries, and those of repeated states must differ."""
    may_repeat = payment.ended or payment.state in IN_SUSPENSE
    return max(now_ms, payment.changed_ms + 1) if may_repeat else now_ms


def next_state(payment: Payment, news: PaymentNews) -> PaymentState | None:
    """Return the state that an event leads to; None if it changes nothing."""
    state = NEXT[payment.direction][payment.state].get(news.event)
    if news.event == "in_part" and payment.ended and not 0 < news.moved_minor < payment.moved_minor:
        return None
    return state


def _moved_minor(payment: Payment, news: PaymentNews, state: PaymentState) -> int:
    if payment.state in IN_SUSPENSE and state in PAID:
        return payment.moved_minor
    return news.moved_minor if state in PAID else 0


def _asked_again(payment: Payment, again_ms: int) -> Payment:
    is_over = payment.ended and (payment.state != "expired" or again_ms > payment.created_ms + LATE_MS)
    return replace(payment, due_ms=0 if is_over else again_ms, attempts=payment.attempts + 1)


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
