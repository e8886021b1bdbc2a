"""Forgeries of a database, and what the audit finds."""

import sqlite3
from collections.abc import Callable
from pathlib import Path

from croupier.ledger.audit import BadRow
from croupier.ledger.chain import START, JournalRow, link
from croupier.ledger.sql.verify import verify
from tests.ledger.sample_entries import ROUND

Forge = Callable[[sqlite3.Connection], object]
THIRD = ROUND._replace(round="r3", player="bob")
TABLE = "live table GC"


def forge(database: Path, forgery: Forge) -> BadRow | None:
    """Change the file with all rights, and return what the audit finds."""
    connection = sqlite3.connect(database)
    for (trigger,) in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'trigger'").fetchall():
        connection.execute(f"DROP TRIGGER {trigger}")
    connection.execute("PRAGMA ignore_check_constraints = 1")
    forgery(connection)
    assert connection.total_changes
    connection.commit()
    connection.close()
    return verify(database).bad


def recompute_chain(connection: sqlite3.Connection) -> None:
    head = START
    for *columns, _ in connection.execute("SELECT * FROM journal ORDER BY seq").fetchall():
        head = link(head, JournalRow(*columns))
        connection.execute("UPDATE journal SET hash = ? WHERE seq = ?", (head.hash, head.seq))
    connection.execute("UPDATE meta SET value = ? WHERE key = 'head'", (str(head),))
