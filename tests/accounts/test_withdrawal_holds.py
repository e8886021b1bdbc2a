"""Holds on withdrawals after a change of credentials, as values."""

import pytest

from croupier.accounts.payment_entries import change_entries
from croupier.accounts.payments import Payment, PaymentNews, PaymentTimes
from croupier.accounts.withdrawal_holds import HOLD_MS, changed_unless_held
from croupier.refusal import Refused

NOW_MS = 1_000_000_000
AT = PaymentTimes(NOW_MS, NOW_MS + 10, NOW_MS + 20)
CLEARED = PaymentNews("cleared")
ASKED = Payment("p", "ann", "withdrawal", "EUR", 500, 1, 2, "requested", 1)


def held(changed_ms: int = NOW_MS - 1) -> Payment:
    return changed_unless_held(ASKED, CLEARED, AT, changed_ms)


def test_a_withdrawal_is_held_for_a_day_after_a_change_of_credentials() -> None:
    after = held()
    until_ms = NOW_MS - 1 + HOLD_MS
    assert (after.state, after.held_until_ms, after.due_ms) == ("held", until_ms, until_ms)
    again = changed_unless_held(after, CLEARED, AT._replace(now_ms=until_ms - 1), NOW_MS - 1)
    assert (again.state, again.due_ms) == ("held", until_ms), "asking earlier changes nothing"
    sent = changed_unless_held(after, CLEARED, AT._replace(now_ms=until_ms), NOW_MS - 1)
    assert (sent.state, sent.held_until_ms) == ("sent", 0)


@pytest.mark.parametrize("changed_ms", [0, NOW_MS - HOLD_MS])
def test_without_a_recent_change_it_is_sent(changed_ms: int) -> None:
    assert held(changed_ms).state == "sent"


@pytest.mark.parametrize("event", ["denied", "held"])
def test_other_events_are_as_without_a_hold(event: str) -> None:
    news = PaymentNews(event)  # type: ignore[arg-type]
    after = changed_unless_held(ASKED, news, AT, NOW_MS - 1)
    assert (after.state, after.held_until_ms) == ({"denied": "returned", "held": "held"}[event], 0)


@pytest.mark.parametrize("state", ["sent", "paid", "returned", "unknown"])
def test_what_was_sent_is_never_held(state: str) -> None:
    payment = Payment("p", "ann", "withdrawal", "EUR", 500, 1, 2, state, 1)  # type: ignore[arg-type]
    assert changed_unless_held(payment, CLEARED, AT, NOW_MS - 1).state == state


def test_a_released_one_goes_on_until_credentials_change_again() -> None:
    released = changed_unless_held(held(), PaymentNews("released"), AT, NOW_MS - 1)
    assert (released.state, released.due_ms) == ("held", NOW_MS)
    assert changed_unless_held(released, CLEARED, AT, NOW_MS - 1).state == "sent"
    assert changed_unless_held(released, CLEARED, AT, NOW_MS + 1).held_until_ms == NOW_MS + 1 + HOLD_MS


def test_a_refused_one_returns_the_money() -> None:
    news = PaymentNews("refused", reason="Not asked for.")
    after = changed_unless_held(held(), news, AT, NOW_MS - 1)
    assert (after.state, after.reason) == ("returned", "Not asked for.")
    assert [entry.kind for entry in change_entries(held(), after, 0)] == ["withdrawal_returned"]


@pytest.mark.parametrize("payment", [ASKED, held(0)])
def test_staff_decide_on_nothing_else(payment: Payment) -> None:
    with pytest.raises(Refused, match="not_held"):
        changed_unless_held(payment, PaymentNews("refused"), AT, 0)
