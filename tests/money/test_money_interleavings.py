"""Every pair of money operations, the second at each await of the first: conditions hold at the effect.

The journal's order decides what was forbidden when.
"""

import contextlib
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator, Sequence
from itertools import count
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest

from croupier import clock
from croupier.accounts.documents import Document, Documents, DocumentVersion
from croupier.accounts.identity import Identity, Player
from croupier.accounts.payments import DueGrants, Payment, PaymentNews
from croupier.accounts.responsible_gaming import Measure
from croupier.admission.player_limits import PlayerLimits
from croupier.app import server as app
from croupier.gateway.server import Server
from croupier.ledger import entries
from croupier.ledger.entries import Entry, Ticket
from croupier.ledger.sql.transactions import Recorded
from croupier.players.queries import jurisdiction_note
from croupier.protocol.wire import CashierRequest
from croupier.storage.sql import bonus_rows, payments
from tests.dealing.waiting_round import assert_ledger_valid
from tests.faults.limits.surroundings import SLOW_PAYMENTS
from tests.money.bonus.test_bonus_offers import CONFIG, EUR, GIFT, MATCH
from tests.support.in_process import server_dealing
from tests.support.stepping import interleave

pytestmark = pytest.mark.anyio
DEPOSIT, FAR_MS = 1_000, 3_600_000
VERSION = DocumentVersion("1", "2026-01-01", "First version.")
RULES = Document("rules", "Rules", "Play fair.", True, (VERSION,))
Operation = Callable[["Case"], Coroutine[Any, Any, None]]
AWAITS_MAX = 40
WITHDRAWALS = ("withdrawal", "withdrawal_requested")
_cases = count(1)


class Case:
    """A new player with own money, a bonus that waits for a deposit, and open payments.

    `seq` is the last of the journal before the player's first entry.
    """

    def __init__(self, server: Server, player: Player, seq: int) -> None:
        self.server = server
        self.player = player
        self._seq = seq
        self._requests = count(1)

    async def prepare(self) -> None:
        now, player = clock.now_ms(), self.player.id
        own = entries.grant(f"own:{player}", now, player, EUR, 5_000, "a test")
        await self.server.gateway.post([own, jurisdiction_note(player, now, "MT")])
        await self.server.offers.accept(self.player, MATCH.digest)
        self.deposit = await self.server.payments.deposit(self.player, self.request(DEPOSIT))
        self.withdrawal = await self.server.payments.withdraw(self.player, self.request(100))

    def request(self, minor: int, forfeit_minor: int = 0) -> CashierRequest:
        return CashierRequest(f"r{next(self._requests)}", EUR, minor, forfeit_minor)

    async def apply(self, payment: Payment, news: PaymentNews) -> None:
        await self.server.payments.driver.apply(payment, news)

    def journal(self) -> list[Entry]:
        """Return the player's entries, oldest first."""
        part = self.server.ledger.after(self._seq, ())
        assert not part.more
        return [entry for _, entry in part.entries if entry.player == self.player.id]


# --- operations


async def deposit(case: Case) -> None:
    await case.server.payments.deposit(case.player, case.request(600))


async def confirm(case: Case) -> None:
    await case.apply(case.deposit, PaymentNews("paid", DEPOSIT))


async def charge_back(case: Case) -> None:
    await case.apply(case.deposit, PaymentNews("charged_back"))


async def charge_back_after(case: Case) -> None:
    """Confirm a deposit, and charge it back."""
    await confirm(case)
    await charge_back(case)


async def withdraw(case: Case) -> None:
    await case.server.payments.withdraw(case.player, case.request(DEPOSIT))


async def withdraw_play_money(case: Case) -> None:
    """Withdraw by the cashier of play money, without agreeing to lose a bonus."""
    await case.server.cashier.withdraw(case.player, case.request(700))


async def pay_out(case: Case) -> None:
    await case.apply(case.withdrawal, PaymentNews("paid", 100))


async def grant(case: Case) -> None:
    await cancel_bonus(case)
    await case.server.bonuses.grant(case.player.id, GIFT.name, "a test")


async def accept_offer(case: Case) -> None:
    await cancel_bonus(case)
    await case.server.offers.accept(case.player, GIFT.digest)


async def cancel_bonus(case: Case) -> None:
    for bonus in case.server.bonuses.history(case.player.id):
        if bonus.status in ("opted_in", "active"):
            await case.server.bonuses.give_up(case.player.id, bonus.bonus, bonus.balance_minor)


async def take_break(case: Case) -> None:
    await case.server.restrictions.bar(case.player.id, "time_out", clock.now_ms() + FAR_MS)


async def exclude(case: Case) -> None:
    await case.server.restrictions.bar(case.player.id, "exclusion", clock.now_ms() + FAR_MS)


async def limit(case: Case) -> None:
    await case.server.restrictions.set_limit(case.player.id, Measure("deposit", "day", EUR), DEPOSIT - 1)


async def bet(case: Case) -> None:
    ticket = Ticket(f"round:{case.player.id}", case.player.id, "table", EUR)
    opened = entries.deal(ticket, f"deal:{case.player.id}", clock.now_ms(), number="#1", staked_minor=50)
    await case.server.bonuses.post(case.player.id, [opened])


async def accept_terms(case: Case) -> None:
    await case.server.acceptance.accept(case.player.id, "rules", "1")


OPERATIONS: tuple[Operation, ...] = (
    deposit,
    confirm,
    charge_back,
    charge_back_after,
    withdraw,
    withdraw_play_money,
    pay_out,
    grant,
    accept_offer,
    cancel_bonus,
    take_break,
    exclude,
    limit,
    bet,
    accept_terms,
)


# --- what must hold


def faults(case: Case) -> Iterator[str]:
    """Yield what the journal has that was forbidden when it was posted."""
    journal = case.journal()
    bars = limits = excluded = False
    credited_minor, bonuses = 0, dict[str, Entry]()
    for entry in journal:
        change = entry.body if entry.key.startswith("care:") else {}
        if bars and (entry.kind in ("bonus_grant", "deal") or entry.key.startswith("bonus_opt_in:")):
            yield f"{entry.kind} during a break"
        if entry.kind == "deposit":
            credited_minor += entry.moves[0].amount_minor
            if excluded:
                yield "a deposit credited after an exclusion"
            if limits and credited_minor >= DEPOSIT:
                yield "a deposit credited above a limit"
        if entry.kind == "bonus_grant":
            bonuses[str(entry.body["bonus"])] = entry
        if entry.kind in ("bonus_forfeit", "bonus_convert"):
            bonuses.pop(str(entry.body["bonus"]), None)
        bars = bars or change.get("type") == "barred"
        excluded = excluded or change.get("why") == "exclusion"
        limits = limits or change.get("type") == "limit"
    yield from _bonus_faults(case, journal, bonuses)


def _bonus_faults(case: Case, journal: Sequence[Entry], active: dict[str, Entry]) -> Iterator[str]:
    """Yield active bonuses whose deposit didn't stay, and bonus money without a bonus."""
    credited = withdrawn = reversed_ = False
    for entry in journal:
        credited = credited or entry.kind == "deposit"
        withdrawn = withdrawn or (credited and entry.kind in WITHDRAWALS)
        reversed_ = reversed_ or entry.kind == "charge_back"
    of_deposit = [one for one in active.values() if str(one.body["reason"]).startswith("first deposit")]
    if of_deposit and (withdrawn or reversed_):
        yield "a bonus without its deposit"
    held = case.server.ledger.balances(case.player.id)[EUR]
    granted = sum(one.moves[0].amount_minor for one in active.values())
    if held.get("bonus", 0) > granted:
        yield "bonus money without a bonus"
    if any(minor < 0 for kind, minor in held.items() if kind != "debt"):
        yield "a negative balance"


# --- running


@contextlib.asynccontextmanager
async def running(folder: Path) -> AsyncIterator[Server]:
    slow = patch.object(app, "payment_services", lambda *_: SLOW_PAYMENTS)
    config = CONFIG._replace(documents=Documents(documents={"rules": RULES}))
    with slow, server_dealing(folder, (), config) as server:
        await server.start()
        yield server


async def new_case(server: Server) -> Case:
    seq = server.ledger.last_seq()
    known = await server.sessions.signed_in(await server.sessions.add_guest())
    assert known is not None
    case = Case(server, known._replace(identity=Identity("account", f"ada{next(_cases)}")), seq)
    await case.prepare()
    return case


async def found_faults(server: Server, one: Operation, other: Operation) -> set[str]:
    """Return the faults with `other` at each await of `one`."""
    gateway, found = server.gateway, set[str]()
    for pause_at in range(1, AWAITS_MAX):
        case = await new_case(server)
        steps = await interleave(
            one(case), other(case), pause_at, lambda: gateway.writes.pending + gateway.reads.pending
        )
        await server.offers.work()
        found |= set(faults(case))
        if steps < pause_at:
            return found
    raise AssertionError("the operation has too many awaits")


@pytest.mark.parametrize("one", OPERATIONS, ids=lambda one: one.__name__)
async def test_no_interleaving_of_two_operations_passes_a_condition(tmp_path: Path, one: Operation) -> None:
    async with running(tmp_path) as server:
        for other in OPERATIONS:
            assert await found_faults(server, one, other) == set(), other.__name__
    assert_ledger_valid(tmp_path)


# --- planted faults


def credit_whatever_is_paid() -> Any:
    """Conditions are checked when a deposit begins, and not when it is credited."""
    return patch.object(payments, "withhold_if_forbidden", lambda _payment, news, *_: news)


def grant_afterwards() -> contextlib.AbstractContextManager[object]:
    """A first deposit's bonus is granted some time after the deposit, whatever was withdrawn since."""
    stack = contextlib.ExitStack()
    stack.enter_context(patch.object(payments, "_bonus_entries", lambda *_: ()))
    stack.enter_context(patch.object(bonus_rows, "HAS_WITHDRAWN", "SELECT 1 WHERE ? = ? AND ? = 'nothing'"))
    return stack


def restrict_once_durable() -> Any:
    """A break takes effect once it is durable, and not when it is posted."""
    return patch.object(PlayerLimits, "announce", lambda *_: contextlib.nullcontext())


def accept_during_a_break() -> Any:
    """A break is checked when a player accepts a bonus, and not in the transaction that grants it."""

    def add(_connection: object, added: Entry, **_: object) -> Recorded[DueGrants]:
        return Recorded(DueGrants((added,)), (added,))

    return patch.object(payments, "add_bonus", add)


def keep_the_bonus_of_a_reversed_deposit() -> Any:
    return patch.object(payments, "ends_of_reversed", lambda *_: ())


PLANTED: list[tuple[Callable[[], Any], Operation, Operation, str]] = [
    (credit_whatever_is_paid, exclude, confirm, "a deposit credited after an exclusion"),
    (credit_whatever_is_paid, limit, confirm, "a deposit credited above a limit"),
    (grant_afterwards, confirm, withdraw, "a bonus without its deposit"),
    (restrict_once_durable, take_break, bet, "deal during a break"),
    (accept_during_a_break, accept_offer, exclude, "bonus_grant during a break"),
    (keep_the_bonus_of_a_reversed_deposit, charge_back_after, withdraw, "a bonus without its deposit"),
]


@pytest.mark.parametrize(("plant", "one", "other", "fault"), PLANTED)
async def test_a_planted_fault_is_found(
    tmp_path: Path, plant: Callable[[], Any], one: Operation, other: Operation, fault: str
) -> None:
    async with running(tmp_path) as server:
        with plant():
            assert fault in await found_faults(server, one, other)
