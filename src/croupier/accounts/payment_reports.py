"""The event that a payment provider's report amounts to."""

from croupier.accounts.payment_states import EARLIER, SAME, PaymentEvent
from croupier.accounts.payments import Payment, PaymentNews, PaymentOutcome, PaymentReport, next_state

REVERSED: dict[PaymentOutcome, tuple[str, PaymentEvent]] = {
    "refunded": ("deposit", "refunded"),
    "charged_back": ("deposit", "charged_back"),
    "returned": ("withdrawal", "came_back"),
}
"""The direction of payments that can end like this, and the event."""


def event_of(payment: Payment, report: PaymentReport, *, asked: bool) -> PaymentNews | None:
    """Return the event that a provider's report amounts to; None if it says nothing about the payment.

    A report of another amount is accepted only if the provider was `asked`.
    """
    match report.outcome:
        case "not_known":
            return None
        case "pending":
            return PaymentNews("accepted", redirect=report.redirect, reason=report.reason)
        case "denied":
            return PaymentNews("denied", reason=report.reason)
        case "paid":
            return _paid(payment, report, asked=asked)
        case _:
            return _reversed(payment, report)


def is_hint(payment: Payment, news: PaymentNews) -> bool:
    """Return whether an unasked report must be confirmed by asking.

    It differs, takes money back, or changes a payment that has ended.
    """
    is_withdrawal = payment.direction == "withdrawal"
    is_back = news.event in ("in_part", "refunded", "charged_back", "came_back")
    return news.event == "differs" or is_back or payment.ended or (news.event == "denied" and is_withdrawal)


def is_expected(payment: Payment, news: PaymentNews, *, asked: bool) -> bool:
    """Return whether an event follows from a payment's state, reports it again, or was overtaken by it.

    The answer to an inquiry can't be overtaken.
    """
    is_internal = news.event == "no_answer"
    if is_internal or next_state(payment, news) or news.event in SAME.get(payment.state, ()):
        return True
    if news.event == "in_part" and payment.state in ("partly_reversed", "partly_paid"):
        return not asked or news.moved_minor == payment.moved_minor
    return not asked and news.event in {"accepted", *EARLIER.get(payment.state, ())}


def _paid(payment: Payment, report: PaymentReport, *, asked: bool) -> PaymentNews:
    amount = report.amount_minor
    if report.currency != payment.currency or not amount or report.reversed_minor:
        return _differs(report)
    if amount == (payment.moved_minor if payment.state in ("confirmed", "paid") else payment.amount_minor):
        return PaymentNews("paid", amount)
    if payment.state == "partly_paid" and amount == payment.moved_minor:
        return PaymentNews("in_part", amount)
    is_open = not payment.ended or payment.state == "expired"
    if not asked or not is_open:
        return _differs(report)
    if amount > payment.amount_minor:
        return _differs(report) if payment.direction == "withdrawal" else _too_much(report)
    return PaymentNews("paid" if payment.direction == "deposit" else "in_part", amount)


def _reversed(payment: Payment, report: PaymentReport) -> PaymentNews:
    direction, event = REVERSED[report.outcome]
    left = report.amount_minor - report.reversed_minor
    is_possible = direction == payment.direction and report.currency == payment.currency
    if not is_possible or left < 0 or not report.reversed_minor:
        return _differs(report)
    return PaymentNews("in_part" if left else event, left, reason=report.reason)


def _too_much(report: PaymentReport) -> PaymentNews:
    return PaymentNews("withheld", report.amount_minor, reason="More was paid than ordered.")


def _differs(report: PaymentReport) -> PaymentNews:
    back = f" less {report.reversed_minor}" if report.reversed_minor else ""
    said = f"The provider reports {report.outcome} {report.amount_minor}{back} {report.currency}."
    return PaymentNews("differs", reason=said)
