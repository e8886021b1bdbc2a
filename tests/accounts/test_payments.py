"""The state machine of payments: duplicates, reordering and lateness move no money twice."""

import itertools

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from croupier.accounts.payment_entries import change_entries, opening_entries
from croupier.accounts.payment_reports import event_of, is_hint
from croupier.accounts.payment_states import ENDED, FIRST, IN_SUSPENSE, NEXT, PAID, Direction, PaymentState
from croupier.accounts.payments import (
    LATE_MS,
    Payment,
    PaymentChange,
    PaymentNews,
    PaymentReport,
    PaymentTimes,
    changed,
)
from croupier.ledger.entries import Entry
from croupier.ledger.entry_checks import check
from croupier.ledger.reference_posting import net_amounts

AMOUNT, NOW = 2_500, 1_800_000_000_000
AT = PaymentTimes(NOW, NOW + 1_000, NOW + 2_000)
DIRECTIONS: tuple[Direction, ...] = ("deposit", "withdrawal")
LATE: list[tuple[PaymentState, PaymentState]] = [
    ("created", "confirmed"),
    ("pending", "confirmed"),
    ("expired", "in_suspense"),
    ("denied", "in_suspense"),
]
MOVED = {"paid": AMOUNT, "withheld": AMOUNT, "in_part": 1_000}
OUTCOMES = st.sampled_from(["pending", "paid", "denied", "not_known"])
EVENTS = st.sampled_from(sorted({event for by in NEXT.values() for each in by.values() for event in each}))


def payment(direction: Direction, state: PaymentState | None = None) -> Payment:
    return Payment(
        "pay_1", "p_ann", direction, "EUR", AMOUNT, NOW, NOW + 1, state or FIRST[direction], NOW, due_ms=NOW
    )


def step(known: Payment, news: PaymentNews, at: PaymentTimes = AT, cash_minor: int = 10**9) -> PaymentChange:
    """Return a payment's change by an event, of a player with this cash."""
    after = changed(known, news, at)
    return PaymentChange(known, after, change_entries(known, after, cash_minor))


def report(outcome: str, amount: int = AMOUNT, currency: str = "EUR") -> PaymentReport:
    return PaymentReport("pay_1", outcome, currency, amount)  # type: ignore[arg-type]


def moved(entries: list[Entry], kind: str) -> int:
    """Return what the entries add to the player's account of a kind."""
    return sum(
        amount for entry in entries for account, amount in net_amounts(entry).items() if account.kind == kind
    )


@example("deposit", ["charged_back", "paid", "charged_back", "paid"])
@given(st.sampled_from(DIRECTIONS), st.lists(EVENTS, max_size=12))
def test_whatever_happens_money_moves_once(direction: Direction, events: list[str]) -> None:
    """The sum of the player's accounts and the cashier's is zero in every state."""
    now = payment(direction)
    entries = list(opening_entries(now))
    for event in events:
        made = step(now, PaymentNews(event, MOVED.get(event, 0)), cash_minor=moved(entries, "cash"))  # type: ignore[arg-type]
        now, entries = made.after, [*entries, *made.entries]
    for entry in entries:
        check(entry)
    held = {kind: moved(entries, kind) for kind in ("cash", "withdrawing", "suspense", "debt", "cashier")}
    assert sum(held.values()) == 0
    assert len({entry.key for entry in entries}) == len(entries)
    assert held["withdrawing"] >= 0 <= held["suspense"]
    assert held["debt"] <= 0
    assert held["suspense"] == (now.moved_minor if now.state in IN_SUSPENSE else 0)
    if direction == "deposit":
        credited = now.moved_minor if now.state in PAID and now.state not in IN_SUSPENSE else 0
        assert held["cash"] + held["debt"] == credited
    else:
        assert held["cashier"] == (now.moved_minor if now.state in PAID else 0)


@pytest.mark.parametrize("direction", DIRECTIONS)
def test_every_state_but_the_first_is_reached(direction: Direction) -> None:
    reached = {FIRST[direction]} | {state for by in NEXT[direction].values() for state in by.values()}
    assert reached == set(NEXT[direction])


def test_a_withdrawal_that_has_been_sent_returns_only_if_it_is_denied() -> None:
    steps = NEXT["withdrawal"]
    back = {event for by in steps.values() for event, state in by.items() if state == "returned"}
    assert back == {"denied", "came_back", "refused"}
    assert [state for state, by in steps.items() if "refused" in by] == ["held"], "staff refuse it before"


@pytest.mark.parametrize(("state", "then"), LATE)
def test_what_is_paid_late_is_held_in_suspense(state: PaymentState, then: PaymentState) -> None:
    made = step(payment("deposit", state), PaymentNews("paid", AMOUNT))
    account = "cash" if then == "confirmed" else "suspense"
    assert (made.after.state, moved(list(made.entries), account)) == (then, AMOUNT)
    again = step(made.after, PaymentNews("paid", AMOUNT))
    assert (again.after.state, again.entries) == (then, ())


@pytest.mark.parametrize(
    ("direction", "amount", "currency", "asked", "event"),
    [
        ("deposit", AMOUNT, "EUR", False, "paid"),
        ("deposit", AMOUNT + 1, "EUR", False, "differs"),
        ("deposit", AMOUNT - 1, "EUR", True, "paid"),
        ("deposit", 0, "EUR", True, "differs"),
        ("deposit", AMOUNT, "USD", True, "differs"),
        ("withdrawal", AMOUNT, "EUR", False, "paid"),
        ("deposit", AMOUNT + 1, "EUR", True, "withheld"),
        ("withdrawal", AMOUNT - 1, "EUR", True, "in_part"),
        ("withdrawal", AMOUNT - 1, "EUR", False, "differs"),
        ("withdrawal", AMOUNT + 1, "EUR", True, "differs"),
    ],
)
def test_an_amount_is_believed_if_it_is_exact_or_was_asked_for(
    direction: Direction, amount: int, currency: str, asked: bool, event: str
) -> None:
    news = event_of(payment(direction), report("paid", amount, currency), asked=asked)
    assert news is not None
    assert news.event == event


def test_the_amount_that_was_paid_is_credited() -> None:
    news = event_of(payment("deposit", "disputed"), report("paid", 1_000), asked=True)
    assert news is not None
    made = step(payment("deposit", "disputed"), news)
    assert (made.after.moved_minor, moved(list(made.entries), "cash")) == (1_000, 1_000)


def test_only_a_denied_withdrawal_and_what_differs_are_asked_about() -> None:
    hints = set()
    for direction, outcome, amount in itertools.product(
        DIRECTIONS, ("pending", "paid", "denied"), (AMOUNT, AMOUNT + 1)
    ):
        news = event_of(payment(direction), report(outcome, amount), asked=False)
        assert news is not None
        if is_hint(payment(direction), news):
            hints.add((direction, outcome, amount))
    denied = {("withdrawal", "denied", AMOUNT), ("withdrawal", "denied", AMOUNT + 1)}
    assert hints == denied | {(direction, "paid", AMOUNT + 1) for direction in DIRECTIONS}


@given(st.sampled_from(DIRECTIONS), st.data())
def test_an_ended_payment_is_asked_about_no_more_unless_it_may_be_paid_late(
    direction: Direction, data: st.DataObject
) -> None:
    state = data.draw(st.sampled_from(sorted(NEXT[direction])))
    news = PaymentNews(data.draw(EVENTS), AMOUNT)
    after = changed(payment(direction, state), news, AT)
    assert bool(after.due_ms) == (after.state not in ENDED or after.state == "expired")


def test_an_expired_deposit_is_given_up_after_some_days() -> None:
    late = PaymentTimes(NOW + LATE_MS, NOW + LATE_MS, NOW + LATE_MS + 1)
    assert changed(payment("deposit", "expired"), PaymentNews("asked"), late).due_ms == 0


def test_the_link_to_pay_is_forgotten_at_the_end() -> None:
    pending = changed(payment("deposit"), PaymentNews("accepted", redirect="https://pay.example"), AT)
    assert pending.redirect == "https://pay.example"
    assert changed(pending, PaymentNews("denied"), AT).redirect == ""
