"""Notes in the staff's event log of what providers do to payments."""

from msgspec import Struct

from croupier.accounts.payment_states import REPORTED, PaymentState
from croupier.accounts.payments import Payment, PaymentChange, PaymentReport
from croupier.action_log import Actor, finished_action
from croupier.clock import now_ms
from croupier.ledger.entries import Entry

PROVIDER = Actor("payment provider", "server")


class PaymentEventRecord(Struct, frozen=True, tag_field="t", tag="payment_event"):
    """Record of a change of a payment which staff have to know. `amount_minor` is what is left of it."""

    payment: str
    player: str
    direction: str
    state: PaymentState
    before: PaymentState
    currency: str
    amount_minor: int
    reason: str


class PaymentContradiction(Struct, frozen=True, tag_field="t", tag="payment_contradicted"):
    """Record of a report that can't be true of a payment in its state, and wasn't followed."""

    payment: str
    player: str
    state: PaymentState
    outcome: str
    currency: str
    amount_minor: int
    reversed_minor: int
    reason: str


def change_notes(change: PaymentChange) -> tuple[Entry, ...]:
    """Return the notes of a change that staff have to know; none of another."""
    before, after = change.before, change.after
    is_repeated = before is not None and before.state != "paid" and after.state == "paid" and before.ended
    if before is None or not (after.state in REPORTED or is_repeated):
        return ()
    states = after.state, before.state
    record = PaymentEventRecord(
        after.id, after.player, after.direction, *states, after.currency, after.moved_minor, after.reason
    )
    return finished_action(PROVIDER, record, after.changed_ms)


def contradiction_notes(payment: Payment, report: PaymentReport) -> tuple[Entry, ...]:
    """Return the notes of a report that was refused."""
    said = report.outcome, report.currency, report.amount_minor, report.reversed_minor, report.reason
    record = PaymentContradiction(payment.id, payment.player, payment.state, *said)
    return finished_action(PROVIDER, record, now_ms(), "payment_contradicted")
