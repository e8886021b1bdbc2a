"""Payments that are reversed, paid in part, or contradicted: each moves money once, and staff are told."""

import pytest
from msgspec import convert
from msgspec.structs import replace

from croupier.accounts.payments import Payment, PaymentOutcome
from croupier.action_log import ASKED, ActionNote
from croupier.ledger import entries, payment_entries
from croupier.ledger.sqlite.store import SqliteLedger
from croupier.protocol.signatures import SignedBody
from croupier.protocol.wire import CashierRequest
from croupier.refusal import Refused
from tests.money.payments.process import START, Process

pytestmark = pytest.mark.anyio
Report = tuple[PaymentOutcome, int, int]
"""Outcome, amount and what was reversed."""
DEPOSITS: list[tuple[list[Report], str, int]] = [
    ([("paid", 500, 0), ("refunded", 500, 500)], "refunded", 0),
    ([("paid", 500, 0), ("charged_back", 500, 500)], "charged_back", 0),
    ([("paid", 500, 0), ("refunded", 500, 200)], "partly_reversed", 300),
    ([("paid", 500, 0), ("refunded", 500, 200), ("charged_back", 500, 350)], "partly_reversed", 150),
    ([("paid", 500, 0), ("refunded", 500, 200), ("refunded", 500, 500)], "refunded", 0),
    ([("paid", 300, 0), ("charged_back", 300, 300)], "charged_back", 0),
    ([("paid", 500, 0), ("denied", 0, 0)], "charged_back", 0),
    ([("refunded", 500, 500)], "refunded", 0),
    ([("denied", 0, 0), ("refunded", 500, 500)], "refunded", 0),
]
WITHDRAWALS: list[tuple[list[Report], str, int]] = [
    ([("paid", 500, 0), ("returned", 500, 500)], "payout_returned", 0),
    ([("paid", 500, 0), ("returned", 500, 200)], "partly_paid", -300),
    ([("paid", 500, 0), ("denied", 0, 0)], "payout_returned", 0),
    ([("paid", 300, 0)], "partly_paid", -300),
    ([("paid", 300, 0), ("returned", 300, 300)], "payout_returned", 0),
    ([("returned", 500, 500)], "returned", 0),
    ([("denied", 0, 0), ("paid", 500, 0)], "paid", -500),
    ([("paid", 500, 0), ("returned", 500, 500), ("paid", 500, 0)], "paid", -500),
]


async def begin(process: Process, kind: str) -> Payment:
    process.orders.append((kind, CashierRequest(f"r{len(process.orders)}", "EUR", 500)))
    order = process.service.deposit if kind == "deposit" else process.service.withdraw
    return await order(process.player, process.orders[-1][1])


async def say(process: Process, payment: Payment, report: Report) -> None:
    """Let the provider report this in its status and in two notifications."""
    outcome, amount, back = report
    process.provider.say(payment.id, outcome, "EUR", amount, back)
    for _ in range(2):
        try:
            await process.service.notified(SignedBody("", "", payment.id.encode()))
        except Refused as refused:
            assert refused.code == "payment_differs"
        await process.service.driver.work()
        await process.service.debts.work()


def told(process: Process, payment: Payment) -> list[str]:
    """Return the states of which the event log tells staff."""
    notes = process.notes(ASKED, limit=10_000)
    found = [convert(note.body, ActionNote).details for note in reversed(notes)]
    return [one["state"] for one in found if one.get("payment") == payment.id]


async def reported(ledger: SqliteLedger, kind: str, reports: list[Report]) -> tuple[Process, Payment]:
    process = Process(ledger)
    await process.start()
    payment = await begin(process, kind)
    for report in reports:
        await say(process, payment, report)
    await process.start()
    return process, (await process.service.of(process.player.id))[0]


@pytest.mark.parametrize(("reports", "state", "change"), DEPOSITS)
async def test_a_reversed_deposit_moves_its_money_back(
    ledger: SqliteLedger, reports: list[Report], state: str, change: int
) -> None:
    process, payment = await reported(ledger, "deposit", reports)
    assert (payment.state, payment.moved_minor, payment.ended) == (state, change, True)
    assert process.held()["cash"] == START + change
    assert told(process, payment)[-1] == state


@pytest.mark.parametrize(("reports", "state", "change"), WITHDRAWALS)
async def test_a_withdrawal_that_comes_back_or_is_paid_in_part_moves_its_money_once(
    ledger: SqliteLedger, reports: list[Report], state: str, change: int
) -> None:
    process, payment = await reported(ledger, "withdraw", reports)
    assert (payment.state, payment.moved_minor, payment.ended) == (state, -change, True)
    held = process.held()
    assert (held["cash"], held["withdrawing"]) == (START + change, 0)
    assert state == "returned" or told(process, payment)[-1] == state


async def test_a_charge_back_above_the_balance_is_a_debt_that_money_pays(ledger: SqliteLedger) -> None:
    process = Process(ledger)
    await process.start()
    payment = await begin(process, "deposit")
    await say(process, payment, ("paid", 500, 0))
    await process.spend(START + 300)
    await say(process, payment, ("charged_back", 500, 500))
    held = process.held()
    assert (held["cash"], held["debt"]) == (0, -300)
    assert process.service.debts.owed(process.player.id) == {"EUR": 300}
    with pytest.raises(Refused, match="in_debt"):
        await begin(process, "withdraw")
    await process.start()
    assert process.service.debts.owed(process.player.id) == {"EUR": 300}, "a restart knows it"
    other = await begin(process, "deposit")
    await say(process, other, ("paid", 500, 0))
    assert (process.held()["cash"], process.held()["debt"]) == (200, 0)
    assert process.service.debts.owed(process.player.id) == {}


async def test_a_charge_back_stops_a_withdrawal_that_was_not_sent(ledger: SqliteLedger) -> None:
    process = Process(ledger)
    process.provider.cleared = replace(process.provider.cleared, status="pending")
    await process.start()
    payment = await begin(process, "deposit")
    await say(process, payment, ("paid", 500, 0))
    await begin(process, "withdraw")
    await process.spend(START)
    await say(process, payment, ("charged_back", 500, 500))
    assert process.held()["debt"] == -500
    process.provider.cleared = replace(process.provider.cleared, status="approved")
    await process.service.ask(process.id_of(1))
    await process.service.driver.work()
    await process.service.debts.work()
    assert (await process.found(1)).state == "returned"
    assert (process.held()["cash"], process.held()["debt"]) == (0, 0)


async def test_a_charge_back_that_is_won_is_held_for_staff(ledger: SqliteLedger) -> None:
    process, payment = await reported(
        ledger, "deposit", [("paid", 500, 0), ("charged_back", 500, 500), ("paid", 500, 0)]
    )
    assert payment.state == "in_suspense"
    await process.service.decide(payment.id, "credited")
    assert (process.held()["cash"], process.held()["suspense"]) == (START + 500, 0)


IMPOSSIBLE: list[tuple[str, list[Report], Report]] = [
    ("deposit", [], ("returned", 500, 500)),
    ("deposit", [("paid", 500, 0)], ("paid", 501, 0)),
    ("deposit", [("paid", 500, 0), ("refunded", 500, 500)], ("charged_back", 500, 500)),
    ("deposit", [("denied", 0, 0)], ("refunded", 500, 501)),
    ("withdraw", [("paid", 500, 0)], ("refunded", 500, 500)),
    ("withdraw", [("denied", 0, 0)], ("paid", 501, 0)),
]


@pytest.mark.parametrize(("kind", "reports", "then"), IMPOSSIBLE)
async def test_an_impossible_report_is_refused_and_staff_are_told(
    ledger: SqliteLedger, kind: str, reports: list[Report], then: Report
) -> None:
    process, payment = await reported(ledger, kind, reports)
    before, outcome = process.held(), then[0]
    process.provider.say(payment.id, outcome, "EUR", *then[1:])
    with pytest.raises(Refused, match=r"payment_contradicted|payment_differs"):
        await process.service.notified(SignedBody("", "", payment.id.encode()))
    await process.service.driver.work()
    assert process.held() == before
    assert (await process.service.of(process.player.id))[0].state in (payment.state, "disputed")
    if payment.ended:
        assert process.service.events["contradicted"] >= 2, "the notification and the status"
        assert told(process, payment)[-1] == payment.state


async def test_outdated_reports_are_accepted(ledger: SqliteLedger) -> None:
    process, payment = await reported(ledger, "deposit", [("paid", 500, 0), ("refunded", 500, 500)])
    for outcome, amount, back in (("pending", 0, 0), ("paid", 500, 0), ("refunded", 500, 200)):
        process.provider.say(payment.id, outcome, "EUR", amount, back)  # type: ignore[arg-type]
        await process.service.notified(SignedBody("", "", payment.id.encode()))
    process.provider.say(payment.id, "refunded", "EUR", 500, 500)
    await process.service.driver.work()
    assert process.service.events["contradicted"] == 0
    assert process.held()["cash"] == START


async def test_debt_is_never_positive(ledger: SqliteLedger) -> None:
    process = Process(ledger)
    entry = payment_entries.debt_repaid(f"over:{process.player.id}", 1, process.player.id, "EUR", 1)
    with pytest.raises(Refused, match="not_covered"):
        ledger.post([entry]).result()
    assert entries.PLAYER_KINDS.isdisjoint({entries.DEBT})
