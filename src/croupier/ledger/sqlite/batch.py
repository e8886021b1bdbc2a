"""Entering sequences of entries in SQLite: what they touch is learnt, worked out on sheets, and written.

The hot statements, by hand. They run in the writer's transaction, inside a savepoint that undoes
all of them when this raises.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from sqlite3 import Connection

from croupier.ledger.cache import LedgerCache
from croupier.ledger.chain import JournalRow, row_of
from croupier.ledger.entries import Entry, Posted
from croupier.ledger.posting import UnitOfWork
from croupier.ledger.sqlite.batching import chunks
from croupier.ledger.sqlite.statements import write
from croupier.refusal import Refused

PostResult = tuple[Posted, ...] | Exception
"""Where the entries of a sequence stand; or why none of them does."""

ROW = "SELECT seq, key, kind, at_ms, player, table_id, round, moves, shares, body FROM journal"
FIND_KEY = ROW + " WHERE key = ?"
FIND_KEYS = ROW + " WHERE key IN ({})"


class Batch:
    """Sequences on their way into the journal: worked out on the slate, and not written yet.

    `answers`: to each, in their order; what refuses them is told in `Ledger.post`.
    """

    def __init__(
        self, connection: Connection, cache: LedgerCache, sequences: Sequence[Sequence[Entry]]
    ) -> None:
        entries = [entry for sequence in sequences for entry in sequence]
        cache.load(connection, entries)
        self._connection = connection
        self._cache = cache
        self._head, self._last_account = cache.head, cache.last_account
        self._seq = cache.head.seq
        self._known = _known(connection, entries)
        self._rows: list[JournalRow] = []
        self._units: list[UnitOfWork] = []
        self.answers = [self._answer(sequence) for sequence in sequences]

    def write(self) -> None:
        write(self._connection, self._cache, self._rows, self._units)

    def undo(self) -> None:
        """The slate is as it was; what was written is undone elsewhere."""
        for unit in reversed(self._units):
            unit.undo()
        self._cache.head = self._head
        if self._cache.last_account != self._last_account:  # it knows accounts that were never opened
            self._cache.stale = True

    def _answer(self, sequence: Sequence[Entry]) -> PostResult:
        """All of it or nothing."""
        try:
            return self._again(sequence) or self._entered(sequence)
        except Exception as error:  # noqa: BLE001 - whatever it is, it belongs to who posted the sequence
            return error

    def _again(self, sequence: Sequence[Entry]) -> tuple[Posted, ...]:
        """All were posted before, as they are now; Refused when some of them were, or otherwise."""
        keys = [entry.key for entry in sequence]
        if len(keys) > 1 and len(set(keys)) < len(keys):
            raise Refused("key_reused", key=Counter(keys).most_common(1)[0][0])
        if self._known.keys().isdisjoint(keys):
            return ()
        for entry in sequence:
            row = self._known.get(entry.key)
            if row is None or row.content != row_of(row.seq, entry).content:
                raise Refused("key_reused", key=entry.key)
        return tuple(Posted(self._known[entry.key].seq, duplicate=True) for entry in sequence)

    def _entered(self, sequence: Sequence[Entry]) -> tuple[Posted, ...]:
        unit = UnitOfWork(self._cache, self._seq)
        try:
            entered = [unit.enter(entry) for entry in sequence]
            assert unit.balanced(), f"postings that don't sum to zero: {sequence}"
            rows = [row_of(each.seq, each.entry) for each in entered if each.entry]
        except BaseException:
            unit.undo()
            raise
        self._units.append(unit)
        self._rows += rows
        self._seq = unit.seq
        for row in rows:
            self._known[row.key] = row
        return tuple([Posted(each.seq, False, each.cash_minor, each.refused) for each in entered])


def enter(
    connection: Connection, cache: LedgerCache, sequences: Sequence[Sequence[Entry]]
) -> list[PostResult]:
    """Each sequence whole or not at all, in this order, written in the transaction that has begun."""
    batch = Batch(connection, cache, sequences)
    try:
        batch.write()
    except BaseException:
        cache.stale = True
        raise
    return batch.answers


def _known(connection: Connection, entries: Iterable[Entry]) -> dict[str, JournalRow]:
    """The rows that already have a key of `entries`."""
    known = {}
    for keys in chunks([entry.key for entry in entries]):
        for row in connection.execute(FIND_KEYS.format(",".join("?" * len(keys))), keys):
            known[row[1]] = JournalRow(*row)
    return known
