"""Write a likely sequence ahead, in a transaction that isn't committed.

Readers see nothing of it. When exactly this sequence is posted, only the entries that follow it and the
commit remain to be done. Any other work that comes first rolls it back, and it is prepared again afterwards.
"""

from collections import deque
from collections.abc import Callable, Sequence
from functools import partial
from sqlite3 import Connection, OperationalError
from typing import NamedTuple

from croupier.ledger.cache import LedgerCache
from croupier.ledger.entries import Entry, Posted
from croupier.ledger.sql.batch import Batch
from croupier.ledger.sql.prediction import PredictedSequence

ATTEMPTS_MAX = 3
"""Attempts to prepare one sequence: where much else is posted, more would gain nothing."""
PROGRESS_STEPS = 20_000
"""Steps of SQLite's virtual machine, about half a millisecond, between checks for other work."""


class PreparedSequence(NamedTuple):
    predicted: PredictedSequence
    batch: Batch


class SpeculativeTransaction:
    """Follows `Preparation`. `discarded_rows` counts rows that were changed and rolled back."""

    def __init__(self, connection: Connection, cache: LedgerCache) -> None:
        self.discarded_rows = 0
        self._connection = connection
        self._cache = cache
        self._queue: deque[PredictedSequence] = deque()
        self._prepared: PreparedSequence | None = None
        self._changes_before = 0
        """Rows that the connection had changed before this was prepared."""

    @property
    def is_prepared(self) -> bool:
        return self._prepared is not None

    @property
    def is_due(self) -> bool:
        return bool(self._queue) and not self.is_prepared

    def enqueue(self, predicted: PredictedSequence) -> None:
        self._queue.append(predicted)

    def drop(self, sequence: Sequence[Entry]) -> None:
        for predicted in [predicted for predicted in self._queue if predicted.overlaps(sequence)]:
            self._queue.remove(predicted)
            predicted.resolve(False)

    def prepare(self, interrupted: Callable[[PredictedSequence], bool]) -> None:
        predicted = self._queue.popleft()
        predicted.attempts += 1
        self._changes_before = self._connection.total_changes
        self._connection.execute("BEGIN IMMEDIATE")
        self._connection.set_progress_handler(partial(interrupted, predicted), PROGRESS_STEPS)
        try:
            self._prepared = PreparedSequence(predicted, self._write(predicted.entries))
        except Exception as error:  # noqa: BLE001 - raised again when the sequence is posted
            self._connection.set_progress_handler(None, 0)
            self._roll_back()
            if isinstance(error, OperationalError):  # interrupted
                self._retry(predicted)
        else:
            self._connection.set_progress_handler(None, 0)
        predicted.resolve(self.is_prepared)

    def complete(self, sequence: Sequence[Entry]) -> tuple[Posted, ...] | None:
        if self._prepared is None or not self._prepared.predicted.begins(sequence):
            self.discard()
            return None
        (predicted, batch), self._prepared = self._prepared, None
        try:
            rest = self._write(sequence[len(predicted.entries) :])
        except Exception:  # noqa: BLE001 - posting the sequence in the usual way raises the same
            self._roll_back(batch)
            return None
        return _posted(batch) + _posted(rest)

    def discard(self) -> None:
        if self._prepared is not None:
            (predicted, batch), self._prepared = self._prepared, None
            self._roll_back(batch)
            self._retry(predicted)

    def close(self) -> None:
        self.discard()
        for predicted in self._queue:
            predicted.resolve(False)

    def _write(self, sequence: Sequence[Entry]) -> Batch:
        """Write a sequence in the open transaction; when this raises, the cache is unchanged."""
        batch = Batch(self._connection, self._cache, [sequence])
        try:
            _posted(batch)
            batch.write()
        except BaseException:
            batch.undo()
            raise
        return batch

    def _roll_back(self, *batches: Batch) -> None:
        if self._connection.in_transaction:  # SQLite has rolled back by itself if it was interrupted
            self._connection.execute("ROLLBACK")
        for batch in batches:
            batch.undo()
        self.discarded_rows += self._connection.total_changes - self._changes_before

    def _retry(self, predicted: PredictedSequence) -> None:
        if predicted.attempts < ATTEMPTS_MAX:
            self._queue.append(predicted)


def _posted(batch: Batch) -> tuple[Posted, ...]:
    """Return the result of the batch's only sequence; raise if it or a share is refused, or a duplicate.

    A sequence that is posted alone may leave out refused shares, but it may also be the part of another one.
    """
    (result,) = batch.results
    if isinstance(result, Exception):
        raise result
    for refused in (refused for posted in result for refused in posted.refused if refused):
        raise refused
    assert not any(posted.duplicate for posted in result), "posted before"
    return result
