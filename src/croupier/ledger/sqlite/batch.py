"""Entering sequences of entries in SQLite: what they touch is learnt, worked out on sheets, and written.

The hot statements, by hand. They run in the writer's transaction, inside a savepoint that undoes
all of them when this raises.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from sqlite3 import Connection

from croupier.ledger.cache import Slate
from croupier.ledger.chain import Row, row_of
from croupier.ledger.entries import Entry, Posted
from croupier.ledger.posting import Sheet
from croupier.ledger.sqlite.batching import portions
from croupier.ledger.sqlite.statements import write
from croupier.refusal import Refused

Answer = tuple[Posted, ...] | Exception
"""Where the entries of a sequence stand; or why none of them does."""

ROW = "SELECT seq, key, kind, at_ms, player, table_id, round, moves, shares, body FROM journal"
FIND_KEY = ROW + " WHERE key = ?"
FIND_KEYS = ROW + " WHERE key IN ({})"


class Page:
    """Sequences on their way into the journal: worked out on the slate, and not written yet.

    `answers`: to each, in their order; what refuses them is told in `Ledger.post`.
    """

    def __init__(self, connection: Connection, slate: Slate, sequences: Sequence[Sequence[Entry]]) -> None:
        entries = [entry for sequence in sequences for entry in sequence]
        slate.learn(connection, entries)
        self._connection = connection
        self._slate = slate
        self._head, self._last_account = slate.head, slate.last_account
        self._seq = slate.head.seq
        self._known = _known(connection, entries)
        self._rows: list[Row] = []
        self._sheets: list[Sheet] = []
        self.answers = [self._answer(sequence) for sequence in sequences]

    def write(self) -> None:
        write(self._connection, self._slate, self._rows, self._sheets)

    def take_back(self) -> None:
        """The slate is as it was; what was written is undone elsewhere."""
        for sheet in reversed(self._sheets):
            sheet.take_back()
        self._slate.head = self._head
        if self._slate.last_account != self._last_account:  # it knows accounts that were never opened
            self._slate.stale = True

    def _answer(self, sequence: Sequence[Entry]) -> Answer:
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
        sheet = Sheet(self._slate, self._seq)
        try:
            entered = [sheet.enter(entry) for entry in sequence]
            assert sheet.balanced(), f"postings that don't sum to zero: {sequence}"
            rows = [row_of(each.seq, each.entry) for each in entered if each.entry]
        except BaseException:
            sheet.take_back()
            raise
        self._sheets.append(sheet)
        self._rows += rows
        self._seq = sheet.seq
        for row in rows:
            self._known[row.key] = row
        return tuple([Posted(each.seq, False, each.cash_minor, each.refused) for each in entered])


def enter(connection: Connection, slate: Slate, sequences: Sequence[Sequence[Entry]]) -> list[Answer]:
    """Each sequence whole or not at all, in this order, written in the transaction that has begun."""
    page = Page(connection, slate, sequences)
    try:
        page.write()
    except BaseException:
        slate.stale = True
        raise
    return page.answers


def _known(connection: Connection, entries: Iterable[Entry]) -> dict[str, Row]:
    """The rows that already have a key of `entries`."""
    known = {}
    for keys in portions([entry.key for entry in entries]):
        for row in connection.execute(FIND_KEYS.format(",".join("?" * len(keys))), keys):
            known[row[1]] = Row(*row)
    return known
