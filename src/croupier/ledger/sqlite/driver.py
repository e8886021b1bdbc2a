"""The writing connection to an SQLite file."""

from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from croupier.ledger.cache import LedgerCache
from croupier.ledger.sql.connection import Connection
from croupier.ledger.sqlite.connection import open_writer
from croupier.ledger.sqlite.speculation import SpeculativeTransaction
from croupier.ledger.sqlite.wal import WalMaintenance

T = TypeVar("T")


class SqliteDriver:
    """Follows `Driver`. The process has the database to itself, so the cache is always up to date."""

    defers_errors = False

    def __init__(self, path: Path) -> None:
        self.connection = open_writer(path)
        self.cache = LedgerCache()
        self.speculation = SpeculativeTransaction(self.connection, self.cache)
        self.maintenance = WalMaintenance(self.connection, lambda: self.speculation.discarded_rows)

    def begin(self, ask: Callable[[Connection], T]) -> T:
        self.connection.execute("BEGIN IMMEDIATE")
        return ask(self.connection)

    def flush(self) -> None:
        """Do nothing: a statement is carried out before `execute` returns."""

    def undo(self, savepoint: str) -> None:
        self.connection.execute(f"ROLLBACK TO {savepoint}")
        self.connection.execute(f"RELEASE {savepoint}")

    def roll_back(self) -> bool:
        self.cache.stale = True
        self.connection.execute("ROLLBACK")
        return True

    def commit(self) -> None:
        self.connection.execute("COMMIT")

    def read(self, work: Callable[[Connection], T]) -> T:
        self.connection.execute("BEGIN")
        try:
            return work(self.connection)
        finally:
            self.connection.execute("COMMIT")

    def recover(self, error: Exception) -> bool:
        raise error

    def close(self) -> None:
        self.connection.close()
