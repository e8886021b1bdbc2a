"""The ledger in a PostgreSQL database."""

import asyncio
import re
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from functools import partial
from typing import Any, Self

import sqlalchemy

from croupier.ledger.postgresql.connection import (
    READER_SETTINGS,
    connect_for_sqlalchemy,
    is_outage,
)
from croupier.ledger.postgresql.driver import PostgresqlDriver
from croupier.ledger.protocol import DatabaseUnreachable
from croupier.ledger.sql import loop_guard
from croupier.ledger.sql.databases import PostgresqlUrl
from croupier.ledger.sql.store import SqlLedger, SqlReader
from croupier.ledger.sql.writer import Writer
from croupier.ledger.sql.writer_client import WriterClient

HINT = re.compile(r"\s+INDEXED BY \w+")
"""SQLite's, which PostgreSQL's planner doesn't need."""

DIALECT = "postgresql+psycopg://"
ENGINE: Mapping[str, bool] = {"use_native_hstore": False, "hide_parameters": True}
"""No error shows values, which may be personal."""
COPY_SETTINGS = {"default_transaction_isolation": "repeatable read", "synchronous_commit": "on"}


class PostgresqlReader(SqlReader):
    """Implements `LedgerReader`."""

    def __init__(self, url: PostgresqlUrl) -> None:
        super().__init__(reader_engine(url))


class PostgresqlLedger(SqlLedger):
    """Implements `Ledger`."""

    def __init__(self, url: PostgresqlUrl, writer: Writer | WriterClient) -> None:
        super().__init__(reader_engine(url), writer)

    @classmethod
    def open(cls, url: PostgresqlUrl, *, migrate: Callable[[PostgresqlUrl], None]) -> Self:
        """Bring the schema up to date with `migrate`, and write the database in a thread."""
        migrate(url)
        return cls(url, Writer(PostgresqlDriver(url)))

    @classmethod
    async def open_with_writer_process(
        cls,
        url: PostgresqlUrl,
        *,
        migrate: Callable[[PostgresqlUrl], None],
        on_exit: Callable[[], None] = lambda: None,
    ) -> Self:
        """Like `open`, but write in a process of its own; WriterClient says what `run` accepts then.

        `on_exit` is called if that process ends before the ledger is closed.
        """
        with ExitStack() as undo:
            client = WriterClient(on_exit)
            undo.callback(client.close)
            await asyncio.to_thread(migrate, url)
            client.open(url)
            ledger = cls(url, client)
            undo.pop_all()
        return ledger


def reader_engine(url: PostgresqlUrl) -> sqlalchemy.Engine:
    """Return an engine of read-only connections; each use of one sees a single state of the database."""
    creator = partial(connect_for_sqlalchemy, url, READER_SETTINGS)
    engine = sqlalchemy.create_engine(DIALECT, creator=creator, pool_pre_ping=True, **ENGINE)
    sqlalchemy.event.listen(engine, "engine_connect", loop_guard.check_connection)

    @sqlalchemy.event.listens_for(engine, "handle_error")
    def _tell_outages(context: sqlalchemy.engine.ExceptionContext) -> None:
        if is_outage(context.original_exception) and not context.is_pre_ping:  # which connects again
            raise DatabaseUnreachable(f"{url} can't be read") from context.original_exception

    @sqlalchemy.event.listens_for(engine, "before_cursor_execute", retval=True)
    def _without_hints(
        _connection: object, _cursor: object, statement: str, parameters: Any, *_: object
    ) -> tuple[str, Any]:
        return HINT.sub("", statement), parameters

    return engine


def writer_engine(url: PostgresqlUrl) -> sqlalchemy.Engine:
    """Return an engine for a copy of a database, which sees a single state of it."""
    creator = partial(connect_for_sqlalchemy, url, COPY_SETTINGS)
    return sqlalchemy.create_engine(DIALECT, creator=creator, **ENGINE)
