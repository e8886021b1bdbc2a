"""Facts about a player that the transaction of a payment reads: nothing can change them before it commits."""

from collections.abc import Iterator
from functools import reduce

from croupier.accounts.payment_rules import JURISDICTIONS, LIMIT_ANSWERS, PaymentRules
from croupier.accounts.payment_states import OPEN_DEPOSITS
from croupier.accounts.responsible_gaming import NOTES, PlayerRestrictions
from croupier.ledger.chain import JournalRow, entry_of
from croupier.ledger.entries import Entry
from croupier.ledger.sql.connection import Connection

FIND_ENTRIES = """SELECT seq, key, kind, at_ms, player, table_id, round, moves, shares, body FROM journal
    WHERE key >= ? AND key < ?"""
FIND_BALANCE = "SELECT balance_minor FROM account WHERE owner = ? AND kind = ? AND currency = ?"
SUM_DEPOSITS = """SELECT coalesce(sum(p.amount_minor), 0) FROM journal AS j
    JOIN posting AS p ON p.seq = j.seq JOIN account AS a ON a.id = p.account_id
    WHERE j.player = ? AND j.kind = 'deposit' AND j.at_ms >= ? AND a.kind = 'cash' AND a.currency = ?"""
SUM_CREDITED_NOW = """SELECT coalesce(sum(moved_minor), 0) FROM payment
    WHERE player = ? AND currency = ? AND changed_ms >= ? AND direction = 'deposit' AND state = 'confirmed'
    AND NOT EXISTS (SELECT 1 FROM journal WHERE key >= 'payment:' || payment.id || ':confirmed'
        AND key < 'payment:' || payment.id || ':confirmed;')"""
SUM_OPEN = f"""SELECT coalesce(sum(amount_minor), 0) FROM payment
    WHERE player = ? AND currency = ? AND direction = 'deposit'
    AND state IN ({", ".join("?" * len(OPEN_DEPOSITS))})"""  # noqa: S608 - question marks


class PaymentFacts:
    """Follows `DepositFacts`."""

    def __init__(self, connection: Connection, rules: PaymentRules) -> None:
        self.rules = rules
        self._connection = connection

    def jurisdiction(self, player: str) -> str:
        last = self._last(f"{JURISDICTIONS}{player}:")
        named = str(last.body["jurisdiction"]) if last else ""
        return named or self.rules.jurisdiction

    def limit_answered_ms(self, player: str) -> int | None:
        last = self._last(f"{LIMIT_ANSWERS}{player}:")
        return last.at_ms if last else None

    def restrictions(self, player: str) -> PlayerRestrictions:
        notes = entries_by_prefix(self._connection, f"{NOTES}{player}:")
        return reduce(PlayerRestrictions.after_note, notes, PlayerRestrictions())

    def deposited_minor(self, player: str, currency: str, since_ms: int) -> int:
        """Return the sum of the credited deposits, with those whose entries follow in this transaction."""
        booked = self._sum(SUM_DEPOSITS, player, since_ms, currency)
        return booked + self._sum(SUM_CREDITED_NOW, player, currency, since_ms)

    def open_deposits_minor(self, player: str, currency: str) -> int:
        return self._sum(SUM_OPEN, player, currency, *sorted(OPEN_DEPOSITS))

    def balance_minor(self, player: str, kind: str, currency: str) -> int:
        """Return the balance of one of a player's accounts."""
        row = self._connection.execute(FIND_BALANCE, (player, kind, currency)).fetchone()
        return row[0] if row else 0

    def _last(self, prefix: str) -> Entry | None:
        """Return the last of the entries whose keys have a prefix."""
        return max(entries_by_prefix(self._connection, prefix), key=lambda entry: entry.key, default=None)

    def _sum(self, query: str, *parameters: str | int) -> int:
        return int(self._connection.execute(query, parameters).fetchone()[0])


def entries_by_prefix(connection: Connection, prefix: str) -> Iterator[Entry]:
    """Yield the entries whose keys have a prefix, in their order in the journal."""
    after = prefix[:-1] + chr(ord(prefix[-1]) + 1)
    found = connection.execute(FIND_ENTRIES, (prefix, after)).fetchall()
    for row in sorted(found):  # with ORDER BY, SQLite would scan the table
        yield entry_of(JournalRow(*row))
