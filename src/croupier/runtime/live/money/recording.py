"""A round's record on its way into the books: in parts, so that its end waits for none but the last."""

from croupier.ledger import entries
from croupier.ledger.entries import Entry
from croupier.runtime.live.steps import Stepped
from croupier.tables.live.inputs import RoundNamed
from croupier.tables.live.record import line

BESIDE, ALONE = 100, 250
"""Lines at least of a part that goes with a commit which is made anyway, and of one that has its own.
Somebody waits for either, and a thousand lines keep the writer for some milliseconds."""


class Recording:
    """The inputs of a table's round, by which a dispute is settled.

    They are notes apart from the coup: who reads what became of his round has no use for what 10,000 players
    did. The keys of the parts are in the order of the lines.
    """

    def __init__(self, table: str) -> None:
        self._table = table
        self._lines: list[str] = []
        self._parts = 0

    def add(self, step: Stepped) -> None:
        """As of when it counted: it is played again so. A round's record begins with its name."""
        if isinstance(step.given, RoundNamed):
            self._lines.clear()
            self._parts = 0
        if step.after is not step.before:
            self._lines.append(line(step.given, step.after.now_ms))

    def part(self, round_: str, at_ms: int, *, least: int) -> list[Entry]:
        """The note with what isn't entered yet; none when that is less than `least`, or of no round."""
        if not round_ or len(self._lines) < least:
            return []
        self._parts += 1
        key, body = f"{round_}:record:{self._parts:06}", {"record": self._lines}
        self._lines = []
        return [entries.note(key, at_ms, body, table=self._table)]
