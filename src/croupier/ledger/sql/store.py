"""The ledger in an SQL database: queries on connections that only read, and a writer."""

from collections.abc import Callable
from concurrent.futures import Future
from typing import TypeVar

import sqlalchemy

from croupier.ledger.sql.connection import Connection
from croupier.ledger.sql.queries import LedgerQueries
from croupier.ledger.sql.reports import ReportQueries
from croupier.ledger.sql.transactions import Recorded
from croupier.ledger.sql.writer import Writer
from croupier.ledger.sql.writer_client import WriterClient

T = TypeVar("T")


class SqlReader(LedgerQueries):
    """Implements `LedgerReader`, also for a database that another process has open."""

    def __init__(self, engine: sqlalchemy.Engine) -> None:
        super().__init__(engine)
        self.reports = ReportQueries(engine)

    def close(self) -> None:
        self._engine.dispose()


class SqlLedger(SqlReader):
    """Implements `Ledger`; `post`, `post_each`, `post_groups` and `prepare` are those of the writer.

    `is_shared`: other processes may write the database too.
    """

    is_shared = True

    def __init__(self, engine: sqlalchemy.Engine, writer: Writer | WriterClient) -> None:
        super().__init__(engine)
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
