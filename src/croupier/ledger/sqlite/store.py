"""The ledger in one SQLite file."""

import asyncio
import sqlite3
from collections.abc import Callable
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import IO, Self

import sqlalchemy
from sqlalchemy.pool import QueuePool

from croupier.ledger.sql import loop_guard
from croupier.ledger.sql.store import SqlLedger, SqlReader
from croupier.ledger.sql.writer import Writer
from croupier.ledger.sql.writer_client import WriterClient
from croupier.ledger.sqlite.connection import lock_database, open_reader, open_writer
from croupier.ledger.sqlite.driver import SqliteDriver


class SqliteReader(SqlReader):
    """Implements `LedgerReader`, also for a database that another process has open."""

    def __init__(self, path: Path) -> None:
        super().__init__(reader_engine(path))


class SqliteLedger(SqlLedger):
    """Implements `Ledger`."""

    is_shared = False

    def __init__(self, path: Path, lock: IO[str], writer: Writer | WriterClient) -> None:
        super().__init__(reader_engine(path), writer)
        self._lock = lock

    @classmethod
    def open(cls, path: Path, *, migrate: Callable[[Path], None]) -> Self:
        """Lock the database at `path`, bring its schema up to date with `migrate`, and write it in a thread.

        DatabaseLocked when another process has it open.
        """
        with ExitStack() as undo:
            lock = undo.enter_context(lock_database(path))
            migrate(path)
            ledger = cls(path, lock, Writer(SqliteDriver(path)))
            undo.pop_all()
        return ledger

    @classmethod
    async def open_with_writer_process(
        cls, path: Path, *, migrate: Callable[[Path], None], on_exit: Callable[[], None] = lambda: None
    ) -> Self:
        """Like `open`, but write in a process of its own; WriterClient says what `run` accepts then.

        `on_exit` is called if that process ends before the ledger is closed.
        """
        with ExitStack() as undo:
            lock = undo.enter_context(await asyncio.to_thread(lock_database, path))
            client = WriterClient(on_exit, lock)
            undo.callback(client.close)
            await asyncio.to_thread(migrate, path)
            client.open(path)
            ledger = cls(path, lock, client)
            undo.pop_all()
        return ledger

    def close(self) -> None:
        """Finish the pending work, checkpoint the log and unlock the database."""
        super().close()
        self._lock.close()


def reader_engine(path: Path) -> sqlalchemy.Engine:
    """Return an engine of read-only connections; each use of one sees a single state of the database."""
    engine = _engine(partial(open_reader, path))
    sqlalchemy.event.listen(engine, "engine_connect", loop_guard.check_connection)

    @sqlalchemy.event.listens_for(engine, "begin")
    def _begin(connection: sqlalchemy.Connection) -> None:
        connection.exec_driver_sql("BEGIN")

    return engine


def writer_engine(path: Path) -> sqlalchemy.Engine:
    """Return an engine for a copy of a database, whose lock the caller has."""
    engine = _engine(partial(open_writer, path))

    @sqlalchemy.event.listens_for(engine, "begin")
    def _begin(connection: sqlalchemy.Connection) -> None:
        connection.exec_driver_sql("BEGIN IMMEDIATE")

    return engine


def _engine(connect: Callable[[], sqlite3.Connection]) -> sqlalchemy.Engine:
    """Return an engine whose errors show no values, which may be personal."""
    return sqlalchemy.create_engine("sqlite://", creator=connect, poolclass=QueuePool, hide_parameters=True)
