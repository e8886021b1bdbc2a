"""The connection to an SQL database, as the ledger and the repositories use it.

`sqlite3.Connection` is one; `postgresql.connection` adapts psycopg. Parameters are `?`. Statements
use what SQLite (3.38 and later) and PostgreSQL (14 and later) have in common.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Protocol, runtime_checkable


class Cursor(Protocol):
    """The result of a statement. Without RETURNING, read the number of changed rows from `rowcount`."""

    @property
    def rowcount(self) -> int: ...

    def fetchone(self) -> Any: ...

    def fetchall(self) -> list[Any]: ...

    def __iter__(self) -> Iterator[Any]: ...


class Connection(Protocol):
    """A connection; a writer begins and ends its transactions."""

    def execute(self, statement: str, parameters: Sequence[Any] = (), /) -> Cursor: ...

    def executemany(self, statement: str, parameters: Iterable[Sequence[Any]], /) -> Cursor: ...

    def close(self) -> None: ...


@runtime_checkable
class StreamingConnection(Connection, Protocol):
    """A connection that can yield the rows of a query while it reads them."""

    def stream(self, query: str, parameters: Sequence[Any]) -> Iterator[Any]: ...
