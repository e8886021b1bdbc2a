"""What is likely to be posted is written ahead, in pencil: in a transaction that isn't committed.

Nothing of it stands, and who reads the books sees none of it. When the very same is posted it is inked: what
comes with it and the commit are left to be done. Whatever else comes first has it rubbed out, and it is drawn
anew afterwards.
"""

from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from functools import partial
from sqlite3 import Connection, OperationalError
from typing import NamedTuple

from croupier.ledger.cache import LedgerCache
from croupier.ledger.entries import Entry, Posted
from croupier.ledger.sqlite.batch import Batch

ATTEMPTS_MAX = 3
"""So often it is drawn: where much else is posted it would gain nothing."""
PROGRESS_STEPS = 20_000
"""Steps of SQLite's machine, about half a millisecond, after which it looks whether anybody waits."""


class PredictedSequence:
    """A sequence that is likely to be posted. `done`: whether it could be drawn when that was first tried."""

    def __init__(self, entries: Sequence[Entry], done: Future[bool]) -> None:
        assert entries, "nothing to be pencilled"
        self.entries = list(entries)
        self.done = done
        self.tries = 0

    def tell(self, drawn: bool) -> None:
        if not self.done.done():
            self.done.set_result(drawn)

    def is_of(self, sequence: Sequence[Entry]) -> bool:
        """Whether the sequence posts it, if otherwise, too."""
        return any(entry.key == self.entries[0].key for entry in sequence)

    def begins(self, sequence: Sequence[Entry]) -> bool:
        """Whether the sequence begins with the very same."""
        return list(sequence[: len(self.entries)]) == self.entries


class PreparedSequence(NamedTuple):
    draft: PredictedSequence
    batch: Batch


class SpeculativeTransaction:
    """A writer's, in its thread. `vain`: how many rows were changed and rubbed out."""

    def __init__(self, connection: Connection, cache: LedgerCache) -> None:
        self.vain = 0
        self._connection = connection
        self._cache = cache
        self._wanted: deque[PredictedSequence] = deque()
        self._drawn: PreparedSequence | None = None
        self._before = 0
        """Rows changed before it was drawn."""

    @property
    def drawn(self) -> bool:
        """Whether a transaction has begun, which must come to its end before another."""
        return self._drawn is not None

    @property
    def waits(self) -> bool:
        """Whether something is to be drawn, and nothing is."""
        return bool(self._wanted) and not self.drawn

    def want(self, draft: PredictedSequence) -> None:
        self._wanted.append(draft)

    def forget(self, sequence: Sequence[Entry]) -> None:
        """It is posted now, so or otherwise."""
        for draft in [draft for draft in self._wanted if draft.is_of(sequence)]:
            self._wanted.remove(draft)
            draft.tell(False)

    def draw(self, disturbed: Callable[[PredictedSequence], bool]) -> None:
        """What is wanted next; not if it is refused, or something comes that must go first."""
        draft = self._wanted.popleft()
        draft.tries += 1
        self._before = self._connection.total_changes
        self._connection.execute("BEGIN IMMEDIATE")
        self._connection.set_progress_handler(partial(disturbed, draft), PROGRESS_STEPS)
        try:
            self._drawn = PreparedSequence(draft, self._written(draft.entries))
        except Exception as error:  # noqa: BLE001 - whoever posts it is told
            self._connection.set_progress_handler(None, 0)
            self._undo()
            if isinstance(error, OperationalError):  # it was disturbed
                self._again(draft)
        else:
            self._connection.set_progress_handler(None, 0)
        draft.tell(self.drawn)

    def ink(self, sequence: Sequence[Entry]) -> tuple[Posted, ...] | None:
        """The answer to it, if it begins with what is drawn: the whole of it is to be committed then.

        None: no transaction has begun.
        """
        if self._drawn is None or not self._drawn.draft.begins(sequence):
            self.rub_out()
            return None
        (draft, batch), self._drawn = self._drawn, None
        try:
            rest = self._written(sequence[len(draft.entries) :])
        except Exception:  # noqa: BLE001 - it is posted like any other then, and comes to the same
            self._undo(batch)
            return None
        return _stands(batch) + _stands(rest)

    def close(self) -> None:
        """Nothing that wasn't posted is there any more."""
        self.rub_out()
        for draft in self._wanted:
            draft.tell(False)

    def rub_out(self) -> None:
        """The books and the slate are as they were before anything was drawn."""
        if self._drawn is not None:
            (draft, batch), self._drawn = self._drawn, None
            self._undo(batch)
            self._again(draft)

    def _written(self, sequence: Sequence[Entry]) -> Batch:
        """In the transaction; raises, and the slate is as it was."""
        batch = Batch(self._connection, self._cache, [sequence])
        try:
            _stands(batch)
            batch.write()
        except BaseException:
            batch.undo()
            raise
        return batch

    def _undo(self, *batches: Batch) -> None:
        if self._connection.in_transaction:  # not when SQLite was stopped: then it has done so itself
            self._connection.execute("ROLLBACK")
        for batch in batches:
            batch.undo()
        self.vain += self._connection.total_changes - self._before

    def _again(self, draft: PredictedSequence) -> None:
        if draft.tries < ATTEMPTS_MAX:
            self._wanted.append(draft)


def _stands(batch: Batch) -> tuple[Posted, ...]:
    """The answer to its only sequence; raised, if that is refused or no news."""
    (answer,) = batch.answers
    if isinstance(answer, Exception):
        raise answer
    assert not any(posted.duplicate for posted in answer), "posted before"
    return answer
