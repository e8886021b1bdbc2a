"""What came up in the rounds of a live table: noted in the books with the settlement, and read from there."""

from collections import deque

from msgspec import convert, to_builtins

from croupier.ledger import entries
from croupier.ledger.entries import Entry
from croupier.ledger.protocol import LedgerReader
from croupier.protocol.wire import PastResult
from croupier.tables.live.state import State
from croupier.tables.live.view import result

KEPT = 500
"""Results that are told at once: as many as a table's board ever shows."""


class Results:
    """The last of one table: read when the house opens, and kept on, since thousands ask for them."""

    def __init__(self, ledger: LedgerReader, table: str) -> None:
        notes = ledger.notes(_prefix(table), limit=KEPT)
        self._every = deque((_noted(note, table) for note in reversed(notes)), maxlen=KEPT)

    def add(self, after: State) -> None:
        """Of a round that has just been settled."""
        self._every.append(_past(after))

    def last(self, most: int = KEPT) -> list[PastResult]:
        """Oldest first; a round that was cancelled has none."""
        return list(self._every)[-most:]


def result_note(after: State, at_ms: int) -> Entry:
    """Of a round that has just been settled."""
    table = after.setup.table.id
    body = to_builtins(_past(after))
    return entries.note(f"{_prefix(table)}{body.pop('round')}", at_ms, body, table=table)


def _noted(note: Entry, table: str) -> PastResult:
    """A note names its round in its key alone."""
    return convert({**note.body, "round": note.key.removeprefix(_prefix(table))}, PastResult)


def _past(after: State) -> PastResult:
    return PastResult(result(after), after.number, str(after.shoe_since_ms or ""), after.round)


def _prefix(table: str) -> str:
    """Of the notes' keys. Ids of rounds begin with the time: so the keys are in the order of dealing."""
    return f"result:{table}:"
