"""The ledger in an SQL database: queries on connections that only read, and a writer."""

from collections.abc import Callable, Sequence
from concurrent.futures import Future
from threading import Lock
from typing import Any, TypeVar

import sqlalchemy

from croupier.ledger.chain import JournalRow, entry_of
from croupier.ledger.entries import Entry
from croupier.ledger.sql.batch import FIND_KEY
from croupier.ledger.sql.connection import Connection
from croupier.ledger.sql.queries import LedgerQueries
from croupier.ledger.sql.reports import ReportQueries
from croupier.ledger.sql.transactions import Recorded
from croupier.ledger.sql.wide_amounts import join
from croupier.ledger.sql.writer import Writer
from croupier.ledger.sql.writer_client import WriterClient

T = TypeVar("T")

FIND_BALANCES = "SELECT currency, kind, balance_minor, balance_high FROM account WHERE owner = ?"


class SqlReader(LedgerQueries):
    """Implements `LedgerReader`, also for a database that another process has open."""

    def __init__(self, engine: sqlalchemy.Engine, connection: Connection) -> None:
        """Take an engine for the infrequent queries, and a connection for the others."""
        super().__init__(engine)
        self.reports = ReportQueries(engine)
        self._reader, self._reader_lock = connection, Lock()

    def balances(self, owner: str) -> dict[str, dict[str, int]]:
        by_currency: dict[str, dict[str, int]] = {}
        for currency, kind, minor, high in self._read(FIND_BALANCES, owner):
            by_currency.setdefault(currency, {})[kind] = join(minor, high)
        return by_currency

    def entry(self, key: str) -> Entry | None:
        return next((entry_of(JournalRow(*row)) for row in self._read(FIND_KEY, key)), None)

    def close(self) -> None:
        self._engine.dispose()
        with self._reader_lock:
            self._reader.close()

    def _read(self, query: str, parameter: str) -> Sequence[Any]:
        with self._reader_lock:
            return self._reader.execute(query, (parameter,)).fetchall()


class SqlLedger(SqlReader):
    """Implements `Ledger`; `post`, `post_each`, `post_groups` and `prepare` are those of the writer.

    `is_shared`: other processes may write the database too.
    """

    is_shared = True

    def __init__(
        self, engine: sqlalchemy.Engine, connection: Connection, writer: Writer | WriterClient
    ) -> None:
        super().__init__(engine, connection)
        self._writer = writer
        self.post = writer.post
        self.post_each = writer.post_each
        self.post_groups = writer.post_groups
        self.prepare = writer.prepare

    def run(self, work: Callable[[Connection], T]) -> Future[T]:
        return self._writer.run(work)

    def read(self, work: Callable[[Connection], T]) -> Future[T]:
        return self._writer.read(work)

    def run_recorded(self, work: Callable[[Connection], Recorded[T]]) -> Future[T]:
        return self._writer.run_recorded(work)

    def close(self) -> None:
        """Finish the pending work, then close."""
        super().close()
        self._writer.close()
