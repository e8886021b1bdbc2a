"""The transactions of a writer, as each store carries them out, and its work ahead of time and when idle."""

from collections.abc import Callable, Sequence
from typing import Protocol, TypeVar

from croupier.ledger.cache import LedgerCache
from croupier.ledger.entries import Entry, Posted
from croupier.ledger.sql.connection import Connection
from croupier.ledger.sql.prediction import PredictedSequence

T = TypeVar("T")


class Preparation(Protocol):
    """Writes likely sequences ahead, in a transaction that isn't committed."""

    @property
    def is_prepared(self) -> bool:
        """Return whether a transaction is open, to be completed or discarded before another begins."""

    @property
    def is_due(self) -> bool:
        """Return whether a sequence waits to be prepared, and none is."""

    def enqueue(self, predicted: PredictedSequence) -> None: ...

    def drop(self, sequence: Sequence[Entry]) -> None:
        """Remove queued predictions that the posted sequence overlaps."""

    def prepare(self, interrupted: Callable[[PredictedSequence], bool]) -> None:
        """Write the next queued sequence, unless it's refused or `interrupted` says that other work waits."""

    def complete(self, sequence: Sequence[Entry]) -> tuple[Posted, ...] | None:
        """Write the rest of `sequence` if it begins with what is prepared; the caller commits all of it.

        Otherwise return None, with no transaction open.
        """

    def discard(self) -> None:
        """Roll back what is prepared, if anything."""

    def close(self) -> None:
        """Discard what is prepared and every queued prediction."""


class Maintenance(Protocol):
    """Looks after the database in idle moments."""

    @property
    def overdue(self) -> bool:
        """Return whether it is needed though work waits."""

    @property
    def idle_delay_s(self) -> float | None:
        """Time without work after which to run; None if there is nothing to do."""

    def count_commit(self) -> None: ...

    def run(self) -> None: ...


class Driver(Protocol):
    """The writing connection, whose transactions no other writer's overlap; used in the writer's thread."""

    @property
    def connection(self) -> Connection: ...

    @property
    def cache(self) -> LedgerCache: ...

    @property
    def speculation(self) -> Preparation: ...

    @property
    def maintenance(self) -> Maintenance: ...

    @property
    def defers_errors(self) -> bool:
        """Return whether waiting for a statement's error, as savepoints need, costs a round trip."""

    def begin(self, ask: Callable[[Connection], T]) -> T:
        """Begin a transaction and return what `ask` returns, whose queries are sent with its begin.

        They are the transaction's first. The cache is up to date in it, or stale.
        """

    def flush(self) -> None:
        """Return once all statements executed so far have succeeded; raise the error of one that hasn't."""

    def undo(self, savepoint: str) -> None:
        """Undo what was done since a savepoint, and release it."""

    def roll_back(self) -> bool:
        """Undo the transaction; return False if the connection is lost."""

    def commit(self) -> None: ...

    def read(self, work: Callable[[Connection], T]) -> T:
        """Do queries in a transaction of their own, which only reads."""

    def recover(self, error: Exception) -> bool:
        """Connect again after an error of the connection; return whether the transaction was committed.

        If it wasn't, nothing of it remains. Any other error is raised again.
        """

    def close(self) -> None: ...


def ask_nothing(_: Connection) -> None:
    """Begin a transaction that needs no queries: see `Driver.begin`."""
