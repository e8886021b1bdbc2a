"""Payments: `PaymentRepository` in SQL. A payment and its entries change in one transaction."""

from collections.abc import Sequence
from concurrent.futures import Future
from functools import partial

from msgspec.structs import astuple

from croupier.accounts.bonus import BonusEnd, granted, opted_in
from croupier.accounts.deposit_conditions import check_new_deposit, withhold_if_forbidden
from croupier.accounts.payment_entries import change_entries, opening_entries
from croupier.accounts.payment_rules import PaymentRules, is_allowed_in
from croupier.accounts.payment_states import STUCK
from croupier.accounts.payments import (
    OPEN_MAX,
    CollectedDebts,
    DueGrants,
    Payment,
    PaymentChange,
    PaymentNews,
    PaymentTimes,
    PostedEntries,
    check_same,
)
from croupier.accounts.withdrawal_holds import changed_unless_held
from croupier.ledger.entries import Entry
from croupier.ledger.payment_entries import debt_repaid
from croupier.ledger.sql.audited_rows import RowKey, rows_note
from croupier.ledger.sql.connection import Connection
from croupier.ledger.sql.transactions import Recorded, Transactions
from croupier.money.payments.event_notes import change_notes
from croupier.refusal import Refused
from croupier.storage.sql import credential_changes
from croupier.storage.sql.bonus_rows import (
    check_ended,
    check_only_one,
    due_grants,
    end_bonus,
    end_due_bonuses,
    ends_of_reversed,
    withdraw_play_money,
)
from croupier.storage.sql.payment_facts import PaymentFacts
from croupier.storage.sql.upserts import upsert

COLUMNS = ", ".join(Payment.__struct_fields__)
FIND = f"SELECT {COLUMNS} FROM payment WHERE id = ?"  # noqa: S608 - names of fields
FIND_OF = f"SELECT {COLUMNS} FROM payment WHERE player = ? ORDER BY created_ms DESC, id LIMIT ?"  # noqa: S608
FIND_DUE = f"SELECT {COLUMNS} FROM payment WHERE due_ms > 0 AND due_ms <= ? ORDER BY due_ms LIMIT ?"  # noqa: S608
FIND_STUCK = f"""SELECT {COLUMNS} FROM payment WHERE due_ms > 0 AND state IN ({", ".join("?" * len(STUCK))})
    ORDER BY created_ms, id LIMIT ?"""  # noqa: S608
COUNT_OPEN = "SELECT count(*) FROM payment WHERE player = ? AND due_ms > 0 AND state != 'expired'"
FIND_DEBTS = (
    "SELECT currency, balance_minor FROM account WHERE owner = ? AND kind = 'debt' AND balance_minor < 0"
)
FIND_DEBTORS = "SELECT DISTINCT owner FROM account WHERE kind = 'debt' AND balance_minor < 0"
OWES = "It pays what is owed after a payment was reversed."
"""Reason for which a withdrawal isn't ordered."""
KEEP = upsert("payment", Payment.__struct_fields__)


class SqlPayments:
    """Follows `PaymentRepository`."""

    def __init__(self, store: Transactions) -> None:
        self._store = store
        self.rules = PaymentRules()

    def add(self, payment: Payment, further: Sequence[Entry] = ()) -> Future[PaymentChange]:
        work = partial(add, payment=payment, further=tuple(further), rules=self.rules)
        return self._store.run_recorded(work)

    def change(self, payment: str, news: PaymentNews, at: PaymentTimes) -> Future[PaymentChange]:
        return self._store.run_recorded(partial(change, payment=payment, news=news, at=at, rules=self.rules))

    def collect(self, player: str, now_ms: int) -> Future[CollectedDebts]:
        work = partial(collect, player=player, now_ms=now_ms, rules=self.rules)
        return self._store.run_recorded(work)

    def debtors(self) -> Future[tuple[str, ...]]:
        return self._store.run(debtors)

    def grant_due(self, player: str, now_ms: int) -> Future[DueGrants]:
        work = partial(grant_due, player=player, now_ms=now_ms, rules=self.rules)
        return self._store.run_recorded(work)

    def add_bonus(self, added: Entry) -> Future[DueGrants]:
        return self._store.run_recorded(partial(add_bonus, added=added, rules=self.rules))

    def end_due_bonuses(self, players: Sequence[str], now_ms: int) -> Future[PostedEntries]:
        return self._store.run_recorded(partial(end_due_bonuses, players=tuple(players), now_ms=now_ms))

    def withdraw_play_money(self, withdrawal: Entry, ends: Sequence[Entry]) -> Future[PostedEntries]:
        work = partial(withdraw_play_money, withdrawal=withdrawal, ends=tuple(ends))
        return self._store.run_recorded(work)

    def end_bonus(
        self, player: str, bonus: str, why: BonusEnd, now_ms: int, agreed_minor: int | None = None
    ) -> Future[PostedEntries]:
        of = partial(end_bonus, player=player, bonus=bonus, why=why)
        return self._store.run_recorded(partial(of, now_ms=now_ms, agreed_minor=agreed_minor))

    def find(self, payment: str) -> Future[Payment | None]:
        return self._store.run(partial(find, payment=payment))

    def of(self, player: str, most: int) -> Future[tuple[Payment, ...]]:
        return self._store.run(partial(of, player=player, most=most))

    def due(self, until_ms: int, most: int) -> Future[tuple[Payment, ...]]:
        return self._store.run(partial(due, until_ms=until_ms, most=most))

    def stuck(self, most: int) -> Future[tuple[Payment, ...]]:
        return self._store.run(partial(stuck, most=most))


def add(
    connection: Connection, payment: Payment, further: tuple[Entry, ...], rules: PaymentRules
) -> Recorded[PaymentChange]:
    if known := find(connection, payment.id):
        check_same(known, payment)
        return Recorded(PaymentChange(known, known), ())
    (count,) = connection.execute(COUNT_OPEN, (payment.player,)).fetchone()
    if count >= OPEN_MAX:
        raise Refused("too_many_payments", most=OPEN_MAX)
    facts = PaymentFacts(connection, rules)
    if payment.direction == "deposit":
        check_new_deposit(payment, facts)
    else:
        check_ended(connection, payment.player, payment.currency, further)
        _check_no_debt(facts, payment)
    return _kept(connection, facts, PaymentChange(None, payment, (*opening_entries(payment), *further)))


def change(
    connection: Connection, payment: str, news: PaymentNews, at: PaymentTimes, rules: PaymentRules
) -> Recorded[PaymentChange]:
    known = find(connection, payment)
    if known is None:
        raise Refused("no_such_payment", payment=payment)
    _check_decision(known, news)
    facts = PaymentFacts(connection, rules)
    if news.event == "cleared" and facts.balance_minor(known.player, "debt", known.currency):
        news = PaymentNews("denied", reason=OWES)
    allowed = withhold_if_forbidden(known, news, facts, at.now_ms)
    credentials_changed_ms = credential_changes.changed_ms(connection, known.player)
    after = changed_unless_held(known, allowed, at, credentials_changed_ms)
    if (after.state, after.moved_minor) == (known.state, known.moved_minor):
        connection.execute(KEEP, astuple(after))
        return Recorded(PaymentChange(known, after), ())
    cash_minor = facts.balance_minor(known.player, "cash", known.currency)
    return _kept(connection, facts, PaymentChange(known, after, change_entries(known, after, cash_minor)))


def collect(
    connection: Connection, player: str, now_ms: int, rules: PaymentRules
) -> Recorded[CollectedDebts]:
    facts = PaymentFacts(connection, rules)
    owed = dict[str, int]()
    posted = list[Entry]()
    for currency, balance_minor in connection.execute(FIND_DEBTS, (player,)).fetchall():
        paid_minor = min(-balance_minor, max(0, facts.balance_minor(player, "cash", currency)))
        owed[currency] = -balance_minor - paid_minor
        if paid_minor:
            key = f"debt:{player}:{currency}:{now_ms}:{balance_minor}"
            posted.append(debt_repaid(key, now_ms, player, currency, paid_minor))
    return Recorded(CollectedDebts(owed, tuple(posted)), tuple(posted))


def debtors(connection: Connection) -> tuple[str, ...]:
    return tuple(row[0] for row in connection.execute(FIND_DEBTORS).fetchall())


def grant_due(connection: Connection, player: str, now_ms: int, rules: PaymentRules) -> Recorded[DueGrants]:
    due_now = due_grants(connection, PaymentFacts(connection, rules), player, now_ms)
    return Recorded(DueGrants(due_now), due_now)


def add_bonus(connection: Connection, added: Entry, rules: PaymentRules) -> Recorded[DueGrants]:
    bonus = opted_in(added) if added.kind == "note" else granted(added)
    facts = PaymentFacts(connection, rules)
    facts.restrictions(bonus.player).check_not_barred(added.at_ms)
    if not is_allowed_in(facts.jurisdiction(bonus.player), bonus.terms.jurisdictions):
        raise Refused("no_such_bonus", bonus=bonus.terms.template)
    check_only_one(connection, bonus, added.at_ms)
    return Recorded(DueGrants((added,)), (added,))


def find(connection: Connection, payment: str) -> Payment | None:
    row = connection.execute(FIND, (payment,)).fetchone()
    return Payment(*row) if row else None


def of(connection: Connection, player: str, most: int) -> tuple[Payment, ...]:
    return tuple(Payment(*row) for row in connection.execute(FIND_OF, (player, most)))


def due(connection: Connection, until_ms: int, most: int) -> tuple[Payment, ...]:
    return tuple(Payment(*row) for row in connection.execute(FIND_DUE, (until_ms, most)))


def stuck(connection: Connection, most: int) -> tuple[Payment, ...]:
    return tuple(Payment(*row) for row in connection.execute(FIND_STUCK, (*sorted(STUCK), most)))


def _check_no_debt(facts: PaymentFacts, payment: Payment) -> None:
    """Refuse `in_debt` for a withdrawal of a player who owes in its currency: cash pays that first."""
    debt_minor = facts.balance_minor(payment.player, "debt", payment.currency)
    if debt_minor:
        raise Refused("in_debt", currency=payment.currency, amount_minor=-debt_minor)


def _check_decision(payment: Payment, news: PaymentNews) -> None:
    """Refuse staff who decide about a deposit that is no longer in suspense."""
    if news.event in ("credited", "sent_back") and payment.state != "in_suspense":
        raise Refused("not_in_suspense", payment=payment.id, state=payment.state)


def _kept(connection: Connection, facts: PaymentFacts, step: PaymentChange) -> Recorded[PaymentChange]:
    """Keep a payment's new state, with its digest and its entries."""
    after = step.after
    connection.execute(KEEP, astuple(after))
    note = rows_note(connection, [RowKey("payment", after.id)], after.changed_ms, after.player)
    step = step._replace(entries=(*step.entries, *_bonus_entries(connection, facts, step)))
    return Recorded(step, (note, *step.entries, *change_notes(step)))


def _bonus_entries(connection: Connection, facts: PaymentFacts, step: PaymentChange) -> tuple[Entry, ...]:
    """Return the grant of what a deposit brings, and the end of what a reversed one has brought."""
    after = step.after
    if after.direction == "withdrawal":
        return ()
    if after.state == "confirmed":
        return due_grants(connection, facts, after.player, after.changed_ms)
    return ends_of_reversed(connection, after) if step.entries else ()
