"""Transactions of other repositories in the ledger's database."""

from collections.abc import Callable
from concurrent.futures import Future
from typing import Generic, NamedTuple, Protocol, TypeVar

from croupier.ledger.entries import Entry
from croupier.ledger.sql.connection import Connection

T = TypeVar("T")


class Recorded(NamedTuple, Generic[T]):
    """The result of some work, and the entries to post in the same transaction."""

    result: T
    entries: tuple[Entry, ...]


class Transactions(Protocol):
    """A ledger's store, as the other repositories in its database use it."""

    def run(self, work: Callable[[Connection], T]) -> Future[T]:
        """Do another small write in the writer's order and group of commits.

        `work` must neither begin nor end a transaction; when it raises, its writes are undone and the future
        fails with that exception. A writer process needs a function of a module, or a partial of one.
        """

    def read(self, work: Callable[[Connection], T]) -> Future[T]:
        """Do queries on one state, which has all writes whose futures are resolved before this one.

        Unlike `run`, it keeps no other server from writing.
        """

    def run_recorded(self, work: Callable[[Connection], Recorded[T]]) -> Future[T]:
        """Do as `run` does, and post the entries in the same transaction: all is committed, or nothing.

        The future has the result, or fails as that of `run` or of `Ledger.post`.
        """
