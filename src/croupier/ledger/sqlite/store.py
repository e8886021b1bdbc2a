"""The ledger in one SQLite file."""

from collections.abc import Callable, Sequence
from concurrent.futures import Future
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from sqlite3 import Connection
from threading import Lock
from typing import IO, Any, Self, TypeVar

import sqlalchemy
from sqlalchemy.pool import QueuePool

from croupier.ledger.chain import JournalRow, entry_of
from croupier.ledger.entries import Entry, Posted
from croupier.ledger.protocol import Recorded
from croupier.ledger.sqlite.batch import FIND_KEY
from croupier.ledger.sqlite.connection import lock_database, open_reader, open_writer
from croupier.ledger.sqlite.queries import LedgerQueries
from croupier.ledger.sqlite.writer import Writer
from croupier.ledger.sqlite.writer_client import WriterClient
from croupier.refusal import Refused

T = TypeVar("T")

FIND_BALANCES = "SELECT currency, kind, balance_minor FROM account WHERE owner = ?"


class SqliteReader(LedgerQueries):
    """The reads of `Ledger`, of books that may be open elsewhere; what they mean is told there."""

    def __init__(self, path: Path) -> None:
        super().__init__(reader_engine(path))
        self._reader, self._reader_free = open_reader(path), Lock()

    def balances(self, player: str) -> dict[str, dict[str, int]]:
        by_currency: dict[str, dict[str, int]] = {}
        for currency, kind, balance in self._read(FIND_BALANCES, player):
            by_currency.setdefault(currency, {})[kind] = balance
        return by_currency

    def entry(self, key: str) -> Entry | None:
        return next((entry_of(JournalRow(*row)) for row in self._read(FIND_KEY, key)), None)

    def close(self) -> None:
        self._engine.dispose()
        with self._reader_free:
            self._reader.close()

    def _read(self, query: str, by: str) -> list[Any]:
        with self._reader_free:
            return self._reader.execute(query, (by,)).fetchall()


class SqliteLedger(SqliteReader):
    """Follows `Ledger`."""

    def __init__(self, path: Path, held: IO[str], writer: Writer | WriterClient) -> None:
        super().__init__(path)
        self._writer = writer
        self._held = held

    @classmethod
    def open(cls, path: Path, *, migrate: Callable[[Path], None]) -> Self:
        """Hold the books at `path`, bring their tables up to date by `migrate`, and open them.

        They are written in a thread. DatabaseLocked when another process has them open.
        """
        with ExitStack() as undone:
            held = undone.enter_context(lock_database(path))
            migrate(path)
            ledger = cls(path, held, Writer(open_writer(path)))
            undone.pop_all()
        return ledger

    @classmethod
    def open_with_writer_process(
        cls, path: Path, *, migrate: Callable[[Path], None], gone: Callable[[], None] = lambda: None
    ) -> Self:
        """The same, but they are written in a process of its own, see Clerk: what is `run` must suit him."""
        with ExitStack() as undone:
            held = undone.enter_context(lock_database(path))
            clerk = WriterClient(held, gone)
            undone.callback(clerk.close)
            migrate(path)
            clerk.opens(path)
            ledger = cls(path, held, clerk)
            undone.pop_all()
        return ledger

    def post(self, entries: Sequence[Entry]) -> Future[tuple[Posted, ...]]:
        return self._writer.post(tuple(entries))

    def post_each(self, entries: Sequence[Entry]) -> Future[tuple[Posted | Refused, ...]]:
        return self._writer.post_each(tuple(entries))

    def prepare(self, entries: Sequence[Entry]) -> Future[bool]:
        return self._writer.prepare(tuple(entries))

    def run(self, work: Callable[[Connection], T]) -> Future[T]:
        return self._writer.run(work)

    def run_recorded(self, work: Callable[[Connection], Recorded[T]]) -> Future[T]:
        return self._writer.run_recorded(work)

    def close(self) -> None:
        """Does what was handed in, then moves the log into the file."""
        super().close()
        self._writer.close()
        self._held.close()


def reader_engine(path: Path) -> sqlalchemy.Engine:
    """An engine that can only read; each use of a connection sees one state of the books."""
    engine = sqlalchemy.create_engine("sqlite://", creator=partial(open_reader, path), poolclass=QueuePool)

    @sqlalchemy.event.listens_for(engine, "begin")
    def _begin(connection: sqlalchemy.Connection) -> None:
        connection.exec_driver_sql("BEGIN")

    return engine
