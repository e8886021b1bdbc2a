"""The journal entries of a payment's changes. `cash_minor` is the player's cash at that moment."""

from collections.abc import Callable
from typing import NamedTuple

from croupier.accounts.payment_states import IN_SUSPENSE, ORDERED_WITHDRAWALS, PaymentState
from croupier.accounts.payments import Payment, credit_key, key
from croupier.ledger import entries, payment_entries
from croupier.ledger.entries import Entry, Kind

REVERSALS: dict[PaymentState, Kind] = {"partly_reversed": "refund", "refunded": "refund"}


class _Step(NamedTuple):
    """A change of a payment, and the player's cash."""

    before: Payment
    after: Payment
    cash_minor: int

    @property
    def of(self) -> tuple[int, str, str]:
        return self.after.changed_ms, self.after.player, self.after.currency

    @property
    def unique(self) -> str:
        """The key of an entry that a payment may have several times."""
        return f"{key(self.after)}:{self.after.state}:{self.after.changed_ms}"


def opening_entries(payment: Payment) -> tuple[Entry, ...]:
    """Return the entries of a new payment: a withdrawal's money leaves the balance at once."""
    if payment.direction == "deposit":
        return ()
    of = payment.created_ms, payment.player, payment.currency, payment.amount_minor
    return (entries.withdrawal_requested(f"{key(payment)}:requested", *of),)


def change_entries(before: Payment, after: Payment, cash_minor: int) -> tuple[Entry, ...]:
    """Return the entries of a change of state, or of the amount that is left of a payment."""
    if (before.state, before.moved_minor) == (after.state, after.moved_minor):
        return ()
    made = _MADE.get(after.state)
    return made(_Step(before, after, cash_minor)) if made else ()


def _confirmed(step: _Step) -> tuple[Entry, ...]:
    minor = step.after.moved_minor
    if step.before.state in IN_SUSPENSE:
        return (payment_entries.deposit_released(step.unique, *step.of, minor),)
    return (entries.deposit(credit_key(step.after), *step.of, minor),)


def _in_suspense(step: _Step) -> tuple[Entry, ...]:
    if step.before.state in IN_SUSPENSE:
        return ()
    minor = step.after.moved_minor
    reason = step.after.reason
    return (payment_entries.deposit_held(step.unique, *step.of, minor, reason),)


def _reversed(step: _Step) -> tuple[Entry, ...]:
    """Return the entry of a deposit's reversal, wherever its money is; none if it never came."""
    minor = step.before.moved_minor - step.after.moved_minor
    reason = step.after.reason
    if not minor:
        return ()
    if step.before.state in IN_SUSPENSE:
        return (payment_entries.deposit_sent_back(step.unique, *step.of, minor, reason),)
    return (_reversal(step, REVERSALS.get(step.after.state, "charge_back"), minor),)


def _paid(step: _Step) -> tuple[Entry, ...]:
    minor = step.after.moved_minor
    if step.before.state in ORDERED_WITHDRAWALS:
        return (entries.withdrawal_paid(f"{key(step.after)}:paid", *step.of, minor),)
    return (_reversal(step, "payout_repeated", minor),)


def _partly_paid(step: _Step) -> tuple[Entry, ...]:
    """Return the entries of a payout in part, the rest of which is the player's again."""
    paid = step.after.moved_minor
    reason = step.after.reason
    if step.before.state not in ORDERED_WITHDRAWALS:
        return _payout_returned(step)
    rest = step.after.amount_minor - paid
    back = f"{key(step.after)}:returned"
    return (
        entries.withdrawal_paid(f"{key(step.after)}:paid", *step.of, paid),
        entries.withdrawal_returned(back, *step.of, rest, reason),
    )


def _returned(step: _Step) -> tuple[Entry, ...]:
    minor = step.after.amount_minor
    reason = step.after.reason
    return (entries.withdrawal_returned(f"{key(step.after)}:returned", *step.of, minor, reason),)


def _payout_returned(step: _Step) -> tuple[Entry, ...]:
    minor = step.before.moved_minor - step.after.moved_minor
    reason = step.after.reason
    return (payment_entries.payout_returned(step.unique, *step.of, minor, reason),)


def _reversal(step: _Step, kind: Kind, minor: int) -> Entry:
    return payment_entries.reversal(step.unique, kind, *step.of, minor, step.cash_minor, step.after.reason)


_MADE: dict[PaymentState, Callable[[_Step], tuple[Entry, ...]]] = {
    "confirmed": _confirmed,
    "in_suspense": _in_suspense,
    "partly_reversed": _reversed,
    "refunded": _reversed,
    "charged_back": _reversed,
    "paid": _paid,
    "partly_paid": _partly_paid,
    "returned": _returned,
    "payout_returned": _payout_returned,
}
"""The function that makes a state's entries; the other states move nothing."""
