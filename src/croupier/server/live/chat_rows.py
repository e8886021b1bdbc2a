"""The chat in the ledger's database: each function does a small piece of work on the writer's connection."""

from collections.abc import Sequence
from sqlite3 import Connection
from typing import NamedTuple


class ChatRow(NamedTuple):
    """`note` in JSON; `at_ms` is when it was made."""

    table: str
    at_ms: int
    what: str
    note: str


def add(connection: Connection, rows: Sequence[ChatRow], forget_ms: int) -> None:
    """And let go of what is older than `forget_ms`, a little at a time."""
    connection.executemany("INSERT INTO chat (table_id, at_ms, what, note) VALUES (?, ?, ?, ?)", rows)
    connection.execute(
        "DELETE FROM chat WHERE seq IN (SELECT seq FROM chat ORDER BY seq LIMIT ?) AND at_ms < ?",
        (2 * len(rows), forget_ms),
    )


def newest(connection: Connection, table: str, most: int) -> list[tuple[str, str]]:
    """What and note: the newest of a table, and whom the floor has muted, in their order."""
    rows = connection.execute(
        "SELECT seq, what, note FROM chat WHERE table_id = :table AND what = 'Muted' UNION SELECT * FROM"
        " (SELECT seq, what, note FROM chat WHERE table_id = :table ORDER BY seq DESC LIMIT :most)"
        " ORDER BY seq",
        {"table": table, "most": most},
    )
    return [(what, note) for _, what, note in rows]
