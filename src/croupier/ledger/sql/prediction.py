"""Sequences that are likely to be posted, and a store that doesn't write them ahead."""

from collections.abc import Callable, Sequence
from concurrent.futures import Future

from croupier.ledger.entries import Entry, Posted


class PredictedSequence:
    """A sequence that is likely to be posted; `done`: whether the first attempt to prepare it succeeded."""

    def __init__(self, entries: Sequence[Entry], done: Future[bool]) -> None:
        assert entries, "nothing to prepare"
        self.entries = list(entries)
        self.done = done
        self.attempts = 0

    def resolve(self, prepared: bool) -> None:
        if not self.done.done():
            self.done.set_result(prepared)

    def overlaps(self, sequence: Sequence[Entry]) -> bool:
        """Return whether the sequence posts the first entry's key, with whatever content."""
        return any(entry.key == self.entries[0].key for entry in sequence)

    def begins(self, sequence: Sequence[Entry]) -> bool:
        """Return whether the sequence begins with exactly these entries."""
        return list(sequence[: len(self.entries)]) == self.entries


class NoPreparation:
    """Follows `Preparation`: nothing is prepared."""

    is_prepared = is_due = False

    def enqueue(self, predicted: PredictedSequence) -> None:
        predicted.resolve(False)

    def drop(self, sequence: Sequence[Entry]) -> None:
        pass

    def prepare(self, interrupted: Callable[[PredictedSequence], bool]) -> None:
        pass

    def complete(self, _sequence: Sequence[Entry]) -> tuple[Posted, ...] | None:
        return None

    def discard(self) -> None:
        pass

    def close(self) -> None:
        pass
