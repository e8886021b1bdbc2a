"""Bonuses as the transaction of a payment reads them: nothing can change them before it commits."""

from collections.abc import Iterator
from functools import reduce

from croupier.accounts.bonus import Bonus, granted, opted_in
from croupier.accounts.payment_rules import is_allowed_in
from croupier.accounts.payments import Payment, credit_key
from croupier.ledger.bonus_entries import BONUS, ENDS, EVENTS, GRANTS, OPT_INS, bonus_grant
from croupier.ledger.entries import Entry
from croupier.ledger.sql.connection import Connection
from croupier.refusal import Refused
from croupier.storage.sql.payment_facts import PaymentFacts, entries_by_prefix

FIRST_DEPOSIT = "first deposit "
FIND_CONFIRMED = f"""SELECT {", ".join(Payment.__struct_fields__)} FROM payment
    WHERE player = ? AND currency = ? AND created_ms >= ? AND direction = 'deposit' AND state = 'confirmed'
    ORDER BY changed_ms, id"""  # noqa: S608 - names of fields
HAS_WITHDRAWN = """SELECT 1 FROM journal AS j JOIN posting AS p ON p.seq = j.seq
    JOIN account AS a ON a.id = p.account_id
    WHERE j.player = ? AND j.kind IN ('withdrawal', 'withdrawal_requested')
    AND j.seq > (SELECT seq FROM journal WHERE key = ?) AND a.kind = 'cash' AND a.currency = ? LIMIT 1"""


def due_grants(connection: Connection, facts: PaymentFacts, player: str, now_ms: int) -> tuple[Entry, ...]:
    """Return the grants of the bonuses that a player has opted in to, and that a first deposit brings now.

    The deposit has to stay: one after which the player has withdrawn brings nothing. Nothing is granted
    during a break, to a closed account, or to a player whose jurisdiction is now none of the bonus's.
    """
    restrictions = facts.restrictions(player)
    if restrictions.closed or restrictions.is_barred(now_ms):
        return ()
    return tuple(
        _grant(bonus, deposit, now_ms)
        for bonus in _waiting(connection, player)
        if is_allowed_in(facts.jurisdiction(player), bonus.terms.jurisdictions)
        and (deposit := _first_deposit(connection, bonus))
    )


def check_ended(connection: Connection, payment: Payment, further: tuple[Entry, ...]) -> None:
    """Refuse `bonus_forfeit` for a withdrawal that leaves a bonus in its currency active."""
    ended = {entry.key for entry in further}
    for bonus in _active(connection, payment.player):
        if bonus.currency == payment.currency and f"{ENDS}{bonus.player}:{bonus.id}" not in ended:
            minor = bonus.balance_minor + bonus.in_play_minor
            raise Refused("bonus_forfeit", currency=bonus.currency, amount_minor=minor)


def ends_of_reversed(connection: Connection, deposit: Payment) -> tuple[Entry, ...]:
    """Return the end of the bonus that a deposit has brought which is now reversed."""
    return tuple(
        bonus.end_entry("cancelled", deposit.changed_ms)
        for grant, bonus in _active_with_grants(connection, deposit.player)
        if grant.body["reason"] == f"{FIRST_DEPOSIT}{deposit.id}"
    )


def _grant(bonus: Bonus, deposit: Payment, now_ms: int) -> Entry:
    minor, terms = bonus.terms.matched_minor(deposit.moved_minor), bonus.terms.from_now(now_ms).as_json()
    of = bonus.id, now_ms, bonus.player, bonus.currency, minor
    return bonus_grant(*of, terms, f"{FIRST_DEPOSIT}{deposit.id}")


def _first_deposit(connection: Connection, bonus: Bonus) -> Payment | None:
    """Return the first deposit since the player opted in that has stayed and brings anything."""
    of = bonus.player, bonus.currency, bonus.granted_ms
    for row in connection.execute(FIND_CONFIRMED, of).fetchall():
        deposit = Payment(*row)
        withdrawn = bonus.player, credit_key(deposit), bonus.currency
        if (
            bonus.terms.matched_minor(deposit.moved_minor)
            and connection.execute(HAS_WITHDRAWN, withdrawn).fetchone() is None
        ):
            return deposit
    return None


def _waiting(connection: Connection, player: str) -> Iterator[Bonus]:
    """Yield the bonuses that a player has opted in to, and that were neither granted nor cancelled."""
    over = {
        entry.body[BONUS]
        for prefix in (GRANTS, ENDS)
        for entry in entries_by_prefix(connection, f"{prefix}{player}:")
    }
    for note in entries_by_prefix(connection, f"{OPT_INS}{player}:"):
        if note.body[BONUS] not in over:
            yield opted_in(note)


def _active(connection: Connection, player: str) -> Iterator[Bonus]:
    return (bonus for _, bonus in _active_with_grants(connection, player))


def _active_with_grants(connection: Connection, player: str) -> Iterator[tuple[Entry, Bonus]]:
    ended = {entry.body[BONUS] for entry in entries_by_prefix(connection, f"{ENDS}{player}:")}
    for grant in entries_by_prefix(connection, f"{GRANTS}{player}:"):
        bonus = granted(grant)
        if bonus.id not in ended:
            yield grant, reduce(Bonus.after, entries_by_prefix(connection, f"{EVENTS}{bonus.id}:"), bonus)
