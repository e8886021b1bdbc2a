"""Bonuses as the transaction of a payment reads them: nothing can change them before it commits."""

from collections.abc import Iterator
from functools import reduce

from croupier.accounts.bonus import Bonus, BonusEnd, granted, opted_in
from croupier.accounts.payment_rules import is_allowed_in
from croupier.accounts.payments import Payment, PostedEntries, credit_key
from croupier.ledger.bonus_entries import BONUS, ENDS, EVENTS, GRANTS, OPT_INS, bonus_grant
from croupier.ledger.entries import Entry
from croupier.ledger.sql.connection import Connection
from croupier.ledger.sql.transactions import Recorded
from croupier.refusal import Refused
from croupier.storage.sql.payment_facts import PaymentFacts, entries_by_prefix

FIRST_DEPOSIT = "first deposit "
FIND_KEY = "SELECT 1 FROM journal WHERE key = ?"
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


def check_ended(connection: Connection, player: str, currency: str, further: tuple[Entry, ...]) -> None:
    """Refuse `bonus_forfeit` for a withdrawal whose entries don't end the player's bonus as it is now."""
    ended = {entry.key: entry.moves for entry in further}
    for bonus in _active(connection, player):
        end = bonus.end_entry("withdrawn", 0)
        if bonus.currency == currency and ended.pop(end.key, None) != end.moves:
            raise _not_agreed(bonus)
    if ended:  # another node has ended the bonus
        raise Refused("bonus_forfeit", currency=currency, amount_minor=0)


def end_bonus(
    connection: Connection, player: str, bonus: str, why: BonusEnd, now_ms: int, agreed_minor: int | None
) -> Recorded[PostedEntries]:
    """Return the end of a bonus as it is now."""
    found = [one for one in (*_active(connection, player), *_waiting(connection, player)) if one.id == bonus]
    if not found:
        raise Refused("no_such_bonus", bonus=bonus)
    if agreed_minor not in (None, _lost_minor(found[0])):
        raise _not_agreed(found[0])
    end = found[0].end_entry(why, now_ms)
    return Recorded(PostedEntries((end,)), (end,))


def end_due_bonuses(connection: Connection, players: tuple[str, ...], now_ms: int) -> Recorded[PostedEntries]:
    """Return the ends of the players' bonuses that have to end now, as they are now."""
    ends = tuple(
        bonus.end_entry(why, now_ms)
        for player in players
        for bonus in _active(connection, player)
        if (why := bonus.due_end(now_ms))
    )
    return Recorded(PostedEntries(ends), ends)


def check_only_one(connection: Connection, added: Bonus, now_ms: int) -> None:
    """Refuse `bonus_active` beside another bonus in its currency that is active or waits for a deposit."""
    others = (*_active(connection, added.player), *_waiting(connection, added.player))
    if any(
        other.currency == added.currency and other.id != added.id and not other.due_end(now_ms)
        for other in others
    ):
        raise Refused("bonus_active", currency=added.currency)


def withdraw_play_money(
    connection: Connection, withdrawal: Entry, ends: tuple[Entry, ...]
) -> Recorded[PostedEntries]:
    """Return a withdrawal and the ends of the player's bonus, which it has to end as it is now."""
    if connection.execute(FIND_KEY, (withdrawal.key,)).fetchone():
        return Recorded(PostedEntries(()), (withdrawal,))  # the ledger compares it with the one it has
    check_ended(connection, withdrawal.player, withdrawal.moves[0].debit.currency, ends)
    return Recorded(PostedEntries((withdrawal, *ends)), (withdrawal, *ends))


def _lost_minor(bonus: Bonus) -> int:
    """Return what its player loses when a bonus ends now."""
    return bonus.balance_minor + bonus.in_play_minor


def _not_agreed(bonus: Bonus) -> Refused:
    return Refused("bonus_forfeit", currency=bonus.currency, amount_minor=_lost_minor(bonus))


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
