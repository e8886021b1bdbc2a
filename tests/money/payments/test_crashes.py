"""Payments survive a crash at any step: credited once, paid once, and no unit is lost or made."""

import asyncio
from collections.abc import Iterator, Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from croupier.accounts.payment_states import ENDED
from croupier.accounts.payments import Payment
from croupier.ledger.sqlite.store import SqliteLedger
from tests.money.payments.conftest import audited_ledger
from tests.money.payments.process import START, Process

OUTCOME = st.sampled_from(["paid", "denied"])
PICK = st.integers(0, 5)
STEP = st.one_of(
    st.tuples(st.just("deposit"), st.integers(1, 3_000)),
    st.tuples(st.just("withdraw"), st.integers(1, 4_000)),
    st.tuples(st.just("again"), PICK),
    st.tuples(st.just("decide"), PICK, OUTCOME),
    st.tuples(st.just("notify"), PICK),
    st.tuples(st.just("work")),
    st.tuples(st.just("restart")),
)
FAILURES = st.lists(st.sampled_from(["answer", "before", "after"]), max_size=8)
CRASHES = st.sets(st.integers(1, 60), max_size=4)


@pytest.fixture(scope="module")
def ledger(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SqliteLedger]:
    """Open a ledger without the open payments of other tests, which each process would carry on."""
    with audited_ledger(tmp_path_factory.mktemp("crashes")) as ledger:
        yield ledger


@settings(max_examples=150)
@given(st.lists(STEP, max_size=14), FAILURES, CRASHES)
def test_no_crash_and_no_failure_moves_money_twice(
    ledger: SqliteLedger, steps: Sequence[tuple[object, ...]], failures: list[str], crashes: set[int]
) -> None:
    asyncio.run(_lived(Process(ledger), steps, failures, crashes))


async def _lived(
    process: Process, steps: Sequence[tuple[object, ...]], failures: list[str], crashes: set[int]
) -> None:
    await process.start()
    process.crashes.at, process.provider.failures = set(crashes), list(failures)
    for step in steps:
        await process.do(step)
    payments, provider = await process.settle(), process.provider
    assert set(provider.executed.values()) <= {1}
    assert {payment.id for payment in payments} == set(provider.executed), "every payment was ordered"
    expected = START
    for payment in payments:
        assert payment.state in ENDED, payment
        paid = provider.reports[payment.id].outcome == "paid"
        assert payment.state == _end(payment, paid=paid)
        expected += paid * payment.amount_minor * (1 if payment.direction == "deposit" else -1)
    held = process.held()
    assert (held["cash"], held.get("withdrawing", 0)) == (expected, 0)


def _end(payment: Payment, *, paid: bool) -> str:
    if payment.direction == "deposit":
        return "confirmed" if paid else "denied"
    return "paid" if paid else "returned"


def test_a_crash_is_met_at_every_step(ledger: SqliteLedger) -> None:
    """A deposit and a withdrawal, with a crash at each of their steps in turn."""
    steps = [("deposit", 500), ("decide", 0, "paid"), ("notify", 0), ("withdraw", 700), ("work",), ("work",)]
    for at in range(1, 24):
        asyncio.run(_lived(Process(ledger), steps, [], {at}))
