"""Forgeries of a database, and what the audit finds."""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from croupier.ledger.audit import BadRow
from croupier.ledger.chain import START, JournalRow, link
from croupier.ledger.postgresql.connection import PostgresqlConnection, connect
from croupier.ledger.sql.connection import Connection
from croupier.ledger.sql.databases import Database, PostgresqlUrl
from croupier.ledger.sql.verify import verify
from tests.ledger.sample_entries import ROUND

Forge = Callable[[Connection], object]
THIRD = ROUND._replace(round="r3", player="bob")
TABLE = "live table GC"
CHECK = "account_never_negative"
DEFINITION = f"SELECT pg_get_constraintdef(oid) FROM pg_constraint WHERE conname = '{CHECK}'"
WITHOUT_TRIGGERS = {"session_replication_role": "replica"}


def forge(database: Database, forgery: Forge) -> BadRow | None:
    """Change the database with all rights, and return what the audit finds."""
    change = _forge_file if isinstance(database, Path) else _forge_rows
    change(database, forgery)  # type: ignore[arg-type]
    return verify(database).bad


def _forge_file(path: Path, forgery: Forge) -> None:
    with closing(sqlite3.connect(path)) as connection:
        triggers = connection.execute("SELECT name FROM sqlite_schema WHERE type = 'trigger'").fetchall()
        for (trigger,) in triggers:
            connection.execute(f"DROP TRIGGER {trigger}")
        connection.execute("PRAGMA ignore_check_constraints = 1")
        forgery(connection)
        assert connection.total_changes
        connection.commit()


def _forge_rows(url: PostgresqlUrl, forgery: Forge) -> None:
    opened = PostgresqlConnection(connect(url, WITHOUT_TRIGGERS))
    with closing(opened) as connection, _unchecked(connection):
        forgery(connection)


@contextmanager
def _unchecked(connection: Connection) -> Iterator[None]:
    """Allow negative balances; the next test needs the constraint again."""
    (definition,) = connection.execute(DEFINITION).fetchone()
    connection.execute(f"ALTER TABLE account DROP CONSTRAINT {CHECK}")
    yield
    connection.execute(f"ALTER TABLE account ADD CONSTRAINT {CHECK} {definition} NOT VALID")


def recompute_chain(connection: Connection) -> None:
    head = START
    for *columns, _ in connection.execute("SELECT * FROM journal ORDER BY seq").fetchall():
        head = link(head, JournalRow(*columns))
        connection.execute("UPDATE journal SET hash = ? WHERE seq = ?", (head.hash, head.seq))
    connection.execute("UPDATE meta SET value = ? WHERE key = 'head'", (str(head),))
