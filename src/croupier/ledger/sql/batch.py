"""Post sequences of entries to SQLite: load what they touch, apply them to the cache, write the result.

Everything runs in the writer's transaction, inside a savepoint that undoes it when this raises.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from croupier.ledger.cache import LedgerCache
from croupier.ledger.chain import JournalRow, row_of
from croupier.ledger.entries import Entry, Posted
from croupier.ledger.posting import EntryResult, UnitOfWork
from croupier.ledger.sql.cache_loading import AskedRounds, ask_rounds, load
from croupier.ledger.sql.chunks import chunks
from croupier.ledger.sql.connection import Connection, Cursor
from croupier.ledger.sql.statements import write
from croupier.refusal import Refused

PostResult = tuple[Posted, ...] | Exception
"""The positions of a sequence's entries; or the reason why none of them is posted."""

ROW = "SELECT seq, key, kind, at_ms, player, table_id, round, moves, shares, body FROM journal"
FIND_KEY = ROW + " WHERE key = ?"
FIND_KEYS = ROW + " WHERE key IN ({})"


class AskedRows(NamedTuple):
    """Results of queries that are sent with others before the first is read, which saves round trips.

    `known`: the journal's rows that have a key of some entries; `rounds`: their rounds that aren't cached.
    """

    known: Sequence[Cursor]
    rounds: AskedRounds


class Batch:
    """Sequences applied to the cache and not yet written; `results` has one result for each.

    `Ledger.post` lists the reasons to refuse a sequence.
    """

    def __init__(
        self,
        connection: Connection,
        cache: LedgerCache,
        sequences: Sequence[Sequence[Entry]],
        asked: AskedRows | None = None,
    ) -> None:
        """`asked`: what `ask` has returned for at least these sequences, if nothing was written since."""
        asked = asked or ask(connection, cache, sequences)
        load(cache, connection, [entry for sequence in sequences for entry in sequence], asked.rounds)
        self._connection = connection
        self._cache = cache
        self._head, self._last_account = cache.head, cache.last_account
        self._seq = cache.head.seq
        self._known = {row[1]: JournalRow(*row) for rows in asked.known for row in rows}
        self._rows: list[JournalRow] = []
        self._units: list[UnitOfWork] = []
        self.results = [self._result(sequence) for sequence in sequences]

    def write(self) -> None:
        write(self._connection, self._cache, self._rows, self._units)

    def undo(self) -> None:
        """Restore the cache; the caller rolls the transaction back."""
        for unit in reversed(self._units):
            unit.undo()
        self._cache.head = self._head
        if self._cache.last_account != self._last_account:  # it holds ids of accounts that were rolled back
            self._cache.stale = True

    def _result(self, sequence: Sequence[Entry]) -> PostResult:
        """Post all of the sequence or nothing."""
        try:
            return self._duplicates(sequence) or self._post(sequence)
        except Exception as error:  # noqa: BLE001 - passed to the caller who posted the sequence
            return error

    def _duplicates(self, sequence: Sequence[Entry]) -> tuple[Posted, ...]:
        """Return where the entries stand if all of them were posted before, unchanged; nothing if none was.

        Refused where only some were, or with other content.
        """
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

    def _post(self, sequence: Sequence[Entry]) -> tuple[Posted, ...]:
        unit = UnitOfWork(self._cache, self._seq)
        try:
            results = [unit.apply(entry) for entry in sequence]
            if len(sequence) > 1:
                _check_accepted(results)
            assert unit.balanced(), f"postings that don't sum to zero: {sequence}"
            rows = [row_of(each.seq, each.entry) for each in results if each.entry]
        except BaseException:
            unit.undo()
            raise
        self._units.append(unit)
        self._rows += rows
        self._seq = unit.seq
        for row in rows:
            self._known[row.key] = row
        return tuple([Posted(each.seq, False, each.cash_minor, each.refused) for each in results])


def post_sequences(
    connection: Connection,
    cache: LedgerCache,
    sequences: Sequence[Sequence[Entry]],
    asked: AskedRows | None = None,
) -> list[PostResult]:
    """Post each sequence whole or not at all, in order, in the open transaction."""
    batch = Batch(connection, cache, sequences, asked)
    try:
        batch.write()
    except BaseException:
        cache.stale = True
        raise
    return batch.results


def _check_accepted(results: Iterable[EntryResult]) -> None:
    """Raise the first refusal of a share: of several entries all are posted, or none."""
    for refused in (refused for result in results for refused in result.refused if refused):
        raise refused


def ask(connection: Connection, cache: LedgerCache, sequences: Iterable[Sequence[Entry]]) -> AskedRows:
    """Ask what is needed to post these sequences; it is read later."""
    entries = [entry for sequence in sequences for entry in sequence]
    every = chunks([entry.key for entry in entries])
    known = [connection.execute(FIND_KEYS.format(",".join("?" * len(keys))), keys) for keys in every]
    return AskedRows(known, ask_rounds(cache, connection, entries))
