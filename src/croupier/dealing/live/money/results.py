"""The results of a live table's rounds: noted in the ledger with the settlement, and read from there."""

from collections import deque

from msgspec import convert, to_builtins

from croupier.ledger import entries
from croupier.ledger.entries import Entry
from croupier.ledger.protocol import LedgerReader
from croupier.protocol.wire import PastResult
from croupier.tables.live.state import State
from croupier.tables.live.view import result

KEPT = 500
"""As many as a table's board ever shows."""


class RecentResults:
    """The last results of one table, read at the start and kept in memory."""

    def __init__(self, ledger: LedgerReader, table: str) -> None:
        notes = ledger.notes(_prefix(table), limit=KEPT)
        self._results = deque((_from_note(note, table) for note in reversed(notes)), maxlen=KEPT)

    def add(self, after: State) -> None:
        """Add the round that was settled by the step to this state."""
        self._results.append(_past_result(after))

    def last(self, count: int = KEPT) -> list[PastResult]:
        """Return results, oldest first, without cancelled rounds."""
        return list(self._results)[-count:]


def result_note(after: State, at_ms: int) -> Entry:
    """Return the note of the round that was settled by the step to this state."""
    table = after.setup.table.id
    body = to_builtins(_past_result(after))
    return entries.note(f"{_prefix(table)}{body.pop('round')}", at_ms, body, table=table)


def _from_note(note: Entry, table: str) -> PastResult:
    """A note has its round in the key only."""
    return convert({**note.body, "round": note.key.removeprefix(_prefix(table))}, PastResult)


def _past_result(after: State) -> PastResult:
    return PastResult(result(after), after.number, str(after.shoe_since_ms or ""), after.round)


def _prefix(table: str) -> str:
    """Return the prefix of the notes' keys, which sort by time as ids of rounds begin with it."""
    return f"result:{table}:"
