"""Holds on withdrawals after a change of the account's credentials.

Whoever takes an account over changes its credentials first. The owner is told by mail, and has a day before
money leaves. Staff may release a held withdrawal earlier, or refuse it.
"""

from msgspec.structs import replace

from croupier.accounts.payment_states import PaymentEvent, PaymentState
from croupier.accounts.payments import Payment, PaymentNews, PaymentTimes, changed
from croupier.refusal import Refused

HOLD_MS = 24 * 3_600_000
DECISIONS: frozenset[PaymentEvent] = frozenset({"released", "refused"})
UNSENT: frozenset[PaymentState] = frozenset({"requested", "held"})
"""States of a withdrawal that the provider doesn't know yet."""


def changed_unless_held(
    payment: Payment, news: PaymentNews, at: PaymentTimes, credentials_changed_ms: int
) -> Payment:
    """Return the payment after an event; after a change of credentials, a withdrawal is held, not sent.

    Its next attempt is due when the hold ends. One that staff release goes on; a later change of credentials
    holds it again. Refuse `not_held` where staff decide about any other payment.
    """
    if news.event in DECISIONS:
        _check_held(payment, at.now_ms)
    if news.event == "released":
        return replace(payment, held_until_ms=0, released_ms=at.now_ms, due_ms=at.now_ms)
    until_ms = _hold_ends_ms(payment, credentials_changed_ms)
    is_sent = news.event == "cleared" and payment.state in UNSENT
    if not is_sent or at.now_ms >= until_ms:
        return replace(changed(payment, news, at), held_until_ms=0)
    held = changed(payment, PaymentNews("held"), at)
    return replace(held, held_until_ms=until_ms, due_ms=until_ms, attempts=0)


def _hold_ends_ms(payment: Payment, credentials_changed_ms: int) -> int:
    """Return until when a payment is held because of the last change of credentials; 0: it isn't."""
    is_held = payment.direction == "withdrawal" and credentials_changed_ms > payment.released_ms
    return credentials_changed_ms + HOLD_MS if is_held else 0


def _check_held(payment: Payment, now_ms: int) -> None:
    if payment.state != "held" or payment.held_until_ms <= now_ms:
        raise Refused("not_held", payment=payment.id)
