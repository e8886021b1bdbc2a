"""PostgreSQL connections: psycopg behind the ledger's `Connection`."""

import logging
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, suppress
from functools import lru_cache
from itertools import count
from typing import TYPE_CHECKING, Any, TypeVar

from croupier.extras import require
from croupier.ledger.protocol import DatabaseUnusable
from croupier.ledger.sql import loop_guard
from croupier.ledger.sql.databases import PostgresqlUrl

if TYPE_CHECKING:
    import psycopg

T = TypeVar("T")

VERSION_MIN = 140_000
PARAMETERS: Mapping[str, str | int] = {
    "application_name": "croupier",
    "connect_timeout": 3,  # a host that doesn't answer is asked again, see RECONNECT_S
    "keepalives_idle": 5,
    "keepalives_interval": 2,
    "keepalives_count": 3,
    "tcp_user_timeout": 10_000,  # ms: otherwise a server that vanished is noticed after a quarter of an hour
}
"""Defaults, which the URL may override."""
WRITER_SETTINGS = {
    "default_transaction_isolation": "read committed",  # what follows the lock sees the last commit
    "synchronous_commit": "on",  # a database's own default may lose acknowledged commits
    "lock_timeout": "2s",  # then a frozen writer loses its lock
}
READER_SETTINGS = {
    "default_transaction_isolation": "repeatable read",  # a transaction sees one state
    "default_transaction_read_only": "on",
}
PREPARED_MAX = 400
STREAMED = 2_000
MARK = re.compile(r"\?")


class PostgresqlConnection:
    """Follows `Connection`.

    If it's pipelined, statements are sent without waiting for their results, which saves most of the round
    trips of a transaction. An error is raised by the next result that is read, or by `flush`.
    """

    def __init__(self, connection: "psycopg.Connection[Any]", *, pipelined: bool = False) -> None:
        self._connection = connection
        self._stack = ExitStack()
        self._streams = count(1)
        self._pipeline = self._stack.enter_context(connection.pipeline()) if pipelined else None

    @property
    def is_lost(self) -> bool:
        return self._connection.closed

    def execute(self, statement: str, parameters: Sequence[Any] = (), /) -> "PostgresqlCursor":
        cursor = self._connection.cursor()
        # Prepared at once or never: psycopg believes that a statement is prepared if it was to be on a later
        # use, and an error before it kept the server from doing so.
        prepare = bool(parameters)
        self.guarded(lambda: cursor.execute(numbered(statement), parameters or None, prepare=prepare))
        return PostgresqlCursor(self, cursor)

    def executemany(self, statement: str, parameters: Iterable[Sequence[Any]], /) -> "PostgresqlCursor":
        cursor = self._connection.cursor()
        self.guarded(lambda: cursor.executemany(numbered(statement), parameters))
        return PostgresqlCursor(self, cursor)

    def stream(self, query: str, parameters: Sequence[Any]) -> Iterator[Any]:
        """Yield the rows of a query, of which a few thousand are in memory at a time."""
        import psycopg

        name = f"stream{next(self._streams)}"
        with psycopg.RawServerCursor(self._connection, name) as cursor:
            cursor.itersize = STREAMED
            yield from cursor.execute(numbered(query), parameters or None)

    def flush(self) -> None:
        """Return once all statements have succeeded; raise the first error."""
        if self._pipeline:
            self.guarded(self._pipeline.sync)

    def guarded(self, work: Callable[[], T]) -> T:
        """Do some work; after an error, make the connection accept statements again."""
        try:
            return work()
        except Exception as error:
            _remove_details(error)
            if _ends_connection(error):
                self._connection.close()  # otherwise it may seem usable until the server has closed it
            if self._pipeline:
                with suppress(Exception):
                    self._pipeline.sync()
            raise

    def close(self) -> None:
        with suppress(Exception):  # a lost connection
            self._stack.close()
        self._connection.close()


class PostgresqlCursor:
    """Follows `Cursor`."""

    def __init__(self, connection: PostgresqlConnection, cursor: "psycopg.Cursor[Any]") -> None:
        self._connection = connection
        self._cursor = cursor

    @property
    def rowcount(self) -> int:
        self._connection.flush()
        return self._cursor.rowcount

    @property
    def status(self) -> str:
        """Return what the statement did, such as COMMIT."""
        self._connection.flush()
        return self._cursor.statusmessage or ""

    def fetchone(self) -> Any:
        return self._connection.guarded(self._cursor.fetchone)

    def fetchall(self) -> list[Any]:
        return self._connection.guarded(self._cursor.fetchall)

    def __iter__(self) -> Iterator[Any]:
        return iter(self.fetchall())


@lru_cache(maxsize=1000)
def numbered(statement: str) -> str:
    """Return the statement with $1, $2 ... in place of each `?` outside quotes."""
    numbers = count(1)
    parts = statement.split("'")
    parts[::2] = [MARK.sub(lambda _: f"${next(numbers)}", part) for part in parts[::2]]
    return "'".join(parts)


def open_writer(url: PostgresqlUrl) -> PostgresqlConnection:
    """Open a writing connection, which begins and ends transactions explicitly."""
    return PostgresqlConnection(connect(url, WRITER_SETTINGS), pipelined=True)


def open_reader(url: PostgresqlUrl) -> PostgresqlConnection:
    """Open a read-only connection."""
    loop_guard.check_off_loop()
    return PostgresqlConnection(connect(url, READER_SETTINGS))


def connect(url: PostgresqlUrl, settings: Mapping[str, str]) -> "psycopg.Connection[Any]":
    """Connect with these session settings; DatabaseUnusable if the server or the URL is unsuitable."""
    require("postgresql")
    import psycopg

    from croupier.ledger.postgresql.silence import WatchfulConnection

    logging.getLogger("psycopg").setLevel(logging.ERROR)  # its warnings are of errors that are raised too
    parameters = {**PARAMETERS, **_parsed(url)}
    connection = WatchfulConnection.connect(**parameters, autocommit=True, cursor_factory=psycopg.RawCursor)
    connection.ask_with = parameters
    if connection.info.server_version < VERSION_MIN:
        connection.close()
        raise DatabaseUnusable(
            f"{url} is PostgreSQL {connection.info.server_version // 10_000}: 14 is needed"
        )
    connection.prepared_max = PREPARED_MAX
    _adapt(connection)
    calls = ", ".join(f"set_config('{name}', '{value}', false)" for name, value in settings.items())
    connection.execute(f"SELECT {calls}")
    return connection


def connect_for_sqlalchemy(url: PostgresqlUrl, settings: Mapping[str, str]) -> "psycopg.Connection[Any]":
    """Connect as SQLAlchemy needs it: it begins transactions and has parameters of its own form."""
    import psycopg

    connection = connect(url, settings)
    connection.autocommit = False
    connection.cursor_factory = psycopg.Cursor
    return connection


def is_outage(error: BaseException | None) -> bool:
    """Return whether the server doesn't answer, rather than refuse a statement."""
    import psycopg

    return isinstance(error, psycopg.OperationalError)


def _ends_connection(error: Exception) -> bool:
    """Return whether the server closes the connection after this error, such as at its shutdown."""
    severity = getattr(getattr(error, "diag", None), "severity_nonlocalized", None)
    return severity in ("FATAL", "PANIC")


def _remove_details(error: Exception) -> None:
    """Leave the main line of a database error: further lines may quote rows, with names and hashes."""
    if primary := getattr(getattr(error, "diag", None), "message_primary", None):
        error.args = (primary,)


def _parsed(url: PostgresqlUrl) -> dict[str, Any]:
    import psycopg

    try:
        return psycopg.conninfo.conninfo_to_dict(url.text)
    except psycopg.ProgrammingError:
        # Not with its text, which may quote the password.
        raise DatabaseUnusable(f"{url} has options that PostgreSQL doesn't know") from None


def _adapt(connection: "psycopg.Connection[Any]") -> None:
    """Send all integers as bigint, so that a statement has one plan, and read sums of them as integers."""
    from psycopg.adapt import Buffer, Loader
    from psycopg.types.numeric import Int8BinaryDumper

    from croupier.ledger.postgresql.arrays import ArrayDumper

    class SumLoader(Loader):
        def load(self, data: Buffer) -> int | float:
            text = bytes(data).decode()
            return float(text) if "." in text else int(text)

    connection.adapters.register_dumper(int, Int8BinaryDumper)
    connection.adapters.register_dumper(list, ArrayDumper)
    connection.adapters.register_loader("numeric", SumLoader)
