"""Withdrawals after a change of the player's credentials: held for a day, released or refused by staff."""

import pytest

from croupier import clock
from croupier.accounts.devices import NewSession
from croupier.accounts.identity import Identity, NewGuest
from croupier.accounts.payment_states import PaymentDecision
from croupier.accounts.payments import Payment
from croupier.accounts.repository import StoredLogin
from croupier.accounts.withdrawal_holds import HOLD_MS
from croupier.ledger.sqlite.store import SqliteLedger
from croupier.protocol.payment_wire import IdentityAnswer
from croupier.protocol.wire import CashierRequest
from croupier.refusal import Refused
from croupier.storage.sql.accounts import SqlAccounts
from croupier.storage.sql.credential_changes import SqlCredentialChanges
from croupier.storage.sql.identities import SqlIdentities
from tests.money.payments.process import START, Process

pytestmark = pytest.mark.anyio
ORDER = CashierRequest("r0", "EUR", 500)


def change_password(ledger: SqliteLedger, process: Process, old: str = "one", new: str = "two") -> None:
    player = process.player.id
    login, session = StoredLogin(player, old), NewSession(player, f"{player}-{new}", "")
    SqlCredentialChanges(ledger).set_password(login, new, session, clock.now_ms()).result()


async def process_with_changed_password(ledger: SqliteLedger) -> Process:
    process = Process(ledger)
    player = process.player.id
    SqlAccounts(ledger).add_guests([NewGuest(player, "Ann", f"{player}-guest")], [], 1).result()
    session = NewSession(player, f"{player}-one", "")
    SqlIdentities(ledger).add(Identity("account", player), "one", session, 1).result()
    await process.start()
    change_password(ledger, process)
    return process


async def latest(process: Process) -> Payment:
    return (await process.service.of(process.player.id))[0]


def cash(ledger: SqliteLedger, process: Process) -> int:
    return ledger.balances(process.player.id)["EUR"]["cash"]


async def test_a_withdrawal_after_a_change_of_credentials_is_held_for_a_day(
    ledger: SqliteLedger, monkeypatch: pytest.MonkeyPatch
) -> None:
    process = await process_with_changed_password(ledger)
    asked_ms = clock.now_ms()
    held = await process.service.withdraw(process.player, ORDER)
    assert (held.state, held.due_ms) == ("held", held.held_until_ms)
    assert asked_ms - 60_000 < held.held_until_ms - HOLD_MS <= asked_ms
    assert cash(ledger, process) == START - 500
    assert not process.provider.executed, "the provider knows nothing of it"
    assert held in await process.service.stuck()
    await process.service.ask(held.id)
    await process.service.driver.work()
    assert await latest(process) == held, "asking sends it no earlier"
    await process.start()
    await process.service.driver.work()
    assert await latest(process) == held, "nor does a restart"
    monkeypatch.setattr(clock, "now_ms", lambda: held.held_until_ms)
    await process.service.driver.work()
    assert ((await latest(process)).state, process.provider.executed[held.id]) == ("sent", 1)


async def test_one_that_was_asked_for_before_the_change_is_held_too(ledger: SqliteLedger) -> None:
    process = await process_with_changed_password(ledger)
    process.provider.cleared = IdentityAnswer("pending", "Send a copy of your passport.")
    waiting = await process.service.withdraw(process.player, ORDER)
    assert (waiting.state, waiting.held_until_ms) == ("held", 0)
    process.provider.cleared = IdentityAnswer("approved")
    await process.service.ask(waiting.id)
    await process.service.driver.work()
    assert (await latest(process)).held_until_ms > clock.now_ms()


@pytest.mark.parametrize(
    ("decision", "state", "left"), [("released", "sent", START - 500), ("refused", "returned", START)]
)
async def test_staff_release_or_refuse_a_held_withdrawal(
    ledger: SqliteLedger, decision: PaymentDecision, state: str, left: int
) -> None:
    process = await process_with_changed_password(ledger)
    held = await process.service.withdraw(process.player, ORDER)
    await process.service.decide(held.id, decision, "Called back.")
    await process.service.driver.work()
    assert ((await latest(process)).state, cash(ledger, process)) == (state, left)
    with pytest.raises(Refused, match="not_held"):
        await process.service.decide(held.id, "refused", "Too late.")


async def test_staff_decide_nothing_about_other_payments(ledger: SqliteLedger) -> None:
    process = Process(ledger)
    await process.start()
    process.provider.cleared = IdentityAnswer("pending", "Send a copy of your passport.")
    waiting = await process.service.withdraw(process.player, ORDER)
    for payment, code in ((waiting.id, "not_held"), ("pay_0", "no_such_payment")):
        with pytest.raises(Refused, match=code):
            await process.service.decide(payment, "refused", "No.")
    assert (await latest(process)).state == "held"
