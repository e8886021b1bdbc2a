"""Deposits paid too late, or above a limit, are held until staff credit them or send them back."""

from unittest.mock import patch

import pytest

from croupier import clock
from croupier.accounts.payments import Payment
from croupier.accounts.responsible_gaming import AccountClosed, Barred, LimitSet, RestrictionChange
from croupier.ledger.sqlite.store import SqliteLedger
from croupier.protocol.signatures import SignedBody
from croupier.protocol.wire import CashierRequest
from croupier.refusal import Refused
from tests.money.payments.process import START, Process

pytestmark = pytest.mark.anyio
LIMIT, MINUTE_MS, FAR_MS = 2_000, 60_000, 2**53 - 1
DAILY = LimitSet("deposit", "day", "EUR", LIMIT, 0)


async def begin(process: Process, minor: int) -> Payment:
    request = CashierRequest(f"r{len(process.orders)}", "EUR", minor)
    process.orders.append(("deposit", request))
    return await process.service.deposit(process.player, request)


async def started(ledger: SqliteLedger, *changes: RestrictionChange) -> Process:
    process = Process(ledger)
    await process.start()
    for change in changes:
        await process.restrict(change)
    return process


async def work(process: Process, later_ms: int = 0) -> None:
    now_ms = clock.now_ms() + later_ms
    with patch.object(clock, "now_ms", lambda: now_ms):
        await process.service.driver.work()


async def pay(process: Process, number: int) -> str:
    """Let the provider pay a deposit, whatever it said before; return the payment's state then."""
    order = process.orders[number][1]
    payment = process.id_of(number)
    process.provider.say(payment, "paid", order.currency, order.amount_minor)
    await process.service.notified(SignedBody("", "", payment.encode()))
    await work(process)
    return (await process.found(number)).state


def accounts(process: Process) -> dict[str, int]:
    held = process.held()
    return {kind: held.get(kind, 0) - (START if kind == "cash" else 0) for kind in ("cash", "suspense")}


async def test_expired_and_denied_deposits_credit_nothing_above_the_limit(ledger: SqliteLedger) -> None:
    """The limit let three times its amount in."""
    process = await started(ledger, DAILY)
    await begin(process, LIMIT)
    process.decide(0, "denied")
    await work(process)
    await begin(process, LIMIT)
    await work(process, 2 * MINUTE_MS)
    await begin(process, LIMIT)
    assert [one.state for one in await process.service.of(process.player.id)] == [
        "pending",
        "expired",
        "denied",
    ]
    assert [await pay(process, number) for number in (2, 1, 0)] == [
        "confirmed",
        "in_suspense",
        "in_suspense",
    ]
    assert accounts(process) == {"cash": LIMIT, "suspense": 2 * LIMIT}
    listed = {one.id for one in await process.service.stuck()}
    assert {process.id_of(0), process.id_of(1)} <= listed, "staff see them"


@pytest.mark.parametrize(
    ("change", "state"),
    [
        (LimitSet("deposit", "day", "EUR", 499, 0), "in_suspense"),
        (LimitSet("deposit", "day", "EUR", 500, 0), "confirmed"),
        (LimitSet("deposit", "week", "USD", 1, 0), "confirmed"),
        (Barred("exclusion", FAR_MS), "in_suspense"),
        (Barred("time_out", FAR_MS), "confirmed"),
        (AccountClosed("Ada", "asked to"), "in_suspense"),
    ],
)
async def test_conditions_of_a_credit_hold_when_the_money_arrives(
    ledger: SqliteLedger, change: RestrictionChange, state: str
) -> None:
    process = await started(ledger)
    await begin(process, 500)
    await process.restrict(change)
    assert await pay(process, 0) == state
    assert accounts(process)["cash" if state == "confirmed" else "suspense"] == 500


async def test_more_than_was_ordered_is_held(ledger: SqliteLedger) -> None:
    process = await started(ledger)
    payment = await begin(process, 500)
    process.provider.say(payment.id, "paid", "EUR", 501)
    await process.service.ask(payment.id)
    await work(process)
    assert accounts(process) == {"cash": 0, "suspense": 501}


async def test_deposits_begun_on_another_node_count(ledger: SqliteLedger) -> None:
    one = await started(ledger, DAILY)
    other = Process(ledger, one.player)
    await other.start()
    await begin(one, LIMIT)
    with pytest.raises(Refused, match="over_own_limit"):
        await other.service.deposit(other.player, CashierRequest("other", "EUR", 1))


async def test_a_break_that_another_node_knows_forbids_a_deposit(ledger: SqliteLedger) -> None:
    one = await started(ledger)
    other = Process(ledger, one.player)
    await other.start()
    await one.restrict(Barred("time_out", FAR_MS))
    with pytest.raises(Refused, match="barred"):
        await begin(other, 500)


async def test_staff_credit_what_the_limit_allows(ledger: SqliteLedger) -> None:
    process = await started(ledger, DAILY)
    await begin(process, 1_500)
    process.decide(0, "denied")
    await work(process)
    await begin(process, 600)
    assert [await pay(process, 1), await pay(process, 0)] == ["confirmed", "in_suspense"]
    with pytest.raises(Refused, match="over_own_limit"):
        await process.service.decide(process.id_of(0), "credited")
    await process.restrict(LimitSet("deposit", "day", "EUR", 2_100, 0))
    await process.service.decide(process.id_of(0), "credited")
    assert ((await process.found(0)).state, accounts(process)) == (
        "confirmed",
        {"cash": 2_100, "suspense": 0},
    )
    with pytest.raises(Refused, match="over_own_limit"):
        await begin(process, 1)
    with pytest.raises(Refused, match="not_in_suspense"):
        await process.service.decide(process.id_of(0), "sent_back")


@pytest.mark.parametrize("failures", [[], ["before"], ["after"], ["before", "before", "after"]])
async def test_staff_send_a_late_payment_back(ledger: SqliteLedger, failures: list[str]) -> None:
    process = await started(ledger)
    await begin(process, 500)
    process.decide(0, "denied")
    await work(process)
    assert await pay(process, 0) == "in_suspense"
    process.provider.failures = failures
    await process.service.decide(process.id_of(0), "sent_back")
    for _ in range(3):
        await work(process, MINUTE_MS)
    assert ((await process.found(0)).state, accounts(process)) == ("refunded", {"cash": 0, "suspense": 0})


async def test_a_refusal_to_decide_changes_nothing(ledger: SqliteLedger) -> None:
    process = await started(ledger)
    payment = await begin(process, 500)
    with pytest.raises(Refused, match="not_in_suspense"):
        await process.service.decide(payment.id, "credited")
    with pytest.raises(Refused, match="no_such_payment"):
        await process.service.decide("pay_0", "credited")
    assert (await process.found(0)) == payment
