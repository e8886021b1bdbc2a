"""The recording of a round's inputs, posted in parts: the end of the round waits for the last one only."""

from croupier.dealing.live.steps import TableStep
from croupier.ledger import entries
from croupier.ledger.entries import Entry
from croupier.tables.live.inputs import RoundNamed
from croupier.tables.live.record import record_line

SHARED_COMMIT_LINES, OWN_COMMIT_LINES = 100, 250
"""Minimum length of a part that shares another commit, and of one with a commit of its own.

A player waits for either, and a thousand lines take the writer milliseconds.
"""


class RoundRecording:
    """The inputs of a table's round, which settle disputes.

    They are notes of their own: a player's history doesn't need the inputs of 10,000 others. The keys of the
    parts are in the order of the lines.
    """

    def __init__(self, table: str) -> None:
        self._table = table
        self._lines: list[str] = []
        self._parts = 0

    def add(self, step: TableStep) -> None:
        """Record an input with the time it counted from. A recording starts with the round's name."""
        if isinstance(step.given, RoundNamed):
            self._lines.clear()
            self._parts = 0
        if step.after is not step.before:
            self._lines.append(record_line(step.given, step.after.now_ms))

    def next_part(self, round_: str, at_ms: int, *, least: int) -> list[Entry]:
        """Return a note of the lines that aren't posted yet; none for fewer than `least`."""
        if not round_ or len(self._lines) < least:
            return []
        self._parts += 1
        key, body = f"{round_}:record:{self._parts:06}", {"record": self._lines}
        self._lines = []
        return [entries.note(key, at_ms, body, table=self._table)]
