"""The ledger in one SQLite file."""

from collections.abc import Callable
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
from croupier.ledger.entries import Entry
from croupier.ledger.sqlite.batch import FIND_KEY
from croupier.ledger.sqlite.connection import lock_database, open_reader, open_writer
from croupier.ledger.sqlite.queries import LedgerQueries
from croupier.ledger.sqlite.reports import ReportQueries
from croupier.ledger.sqlite.transactions import Recorded
from croupier.ledger.sqlite.writer import Writer
from croupier.ledger.sqlite.writer_client import WriterClient

T = TypeVar("T")

FIND_BALANCES = "SELECT currency, kind, balance_minor FROM account WHERE owner = ?"


class SqliteReader(LedgerQueries):
    """Implements `LedgerReader`, also for a database that another process has open."""

    def __init__(self, path: Path) -> None:
        super().__init__(reader_engine(path))
        self.reports = ReportQueries(self._engine)
        self._reader, self._reader_lock = open_reader(path), Lock()

    def balances(self, owner: str) -> dict[str, dict[str, int]]:
        by_currency: dict[str, dict[str, int]] = {}
        for currency, kind, balance in self._read(FIND_BALANCES, owner):
            by_currency.setdefault(currency, {})[kind] = balance
        return by_currency

    def entry(self, key: str) -> Entry | None:
        return next((entry_of(JournalRow(*row)) for row in self._read(FIND_KEY, key)), None)

    def close(self) -> None:
        self._engine.dispose()
        with self._reader_lock:
            self._reader.close()

    def _read(self, query: str, parameter: str) -> list[Any]:
        with self._reader_lock:
            return self._reader.execute(query, (parameter,)).fetchall()


class SqliteLedger(SqliteReader):
    """Implements `Ledger`; `post`, `post_each`, `post_groups` and `prepare` are those of the writer."""

    def __init__(self, path: Path, lock: IO[str], writer: Writer | WriterClient) -> None:
        super().__init__(path)
        self._writer = writer
        self._lock = lock
        self.post = writer.post
        self.post_each = writer.post_each
        self.post_groups = writer.post_groups
        self.prepare = writer.prepare

    @classmethod
    def open(cls, path: Path, *, migrate: Callable[[Path], None]) -> Self:
        """Lock the database at `path`, bring its schema up to date with `migrate`, and write it in a thread.

        DatabaseLocked when another process has it open.
        """
        with ExitStack() as undo:
            lock = undo.enter_context(lock_database(path))
            migrate(path)
            ledger = cls(path, lock, Writer(open_writer(path)))
            undo.pop_all()
        return ledger

    @classmethod
    def open_with_writer_process(
        cls, path: Path, *, migrate: Callable[[Path], None], on_exit: Callable[[], None] = lambda: None
    ) -> Self:
        """Like `open`, but write in a process of its own; WriterClient says what `run` accepts then.

        `on_exit` is called if that process ends before the ledger is closed.
        """
        with ExitStack() as undo:
            lock = undo.enter_context(lock_database(path))
            client = WriterClient(lock, on_exit)
            undo.callback(client.close)
            migrate(path)
            client.open(path)
            ledger = cls(path, lock, client)
            undo.pop_all()
        return ledger

    def run(self, work: Callable[[Connection], T]) -> Future[T]:
        return self._writer.run(work)

    def run_recorded(self, work: Callable[[Connection], Recorded[T]]) -> Future[T]:
        return self._writer.run_recorded(work)

    def close(self) -> None:
        """Finish the pending work, checkpoint the log and unlock the database."""
        super().close()
        self._writer.close()
        self._lock.close()


def reader_engine(path: Path) -> sqlalchemy.Engine:
    """Return an engine of read-only connections; each use of one sees a single state of the database."""
    engine = sqlalchemy.create_engine("sqlite://", creator=partial(open_reader, path), poolclass=QueuePool)

    @sqlalchemy.event.listens_for(engine, "begin")
    def _begin(connection: sqlalchemy.Connection) -> None:
        connection.exec_driver_sql("BEGIN")

    return engine
