"""The chat in the ledger's database: each function does a small piece of work on the writer's connection."""

from collections.abc import Sequence
from sqlite3 import Connection
from typing import NamedTuple

from croupier.ledger.audited_rows import Key, rows_note
from croupier.ledger.protocol import Recorded


class ChatRow(NamedTuple):
    """`note` in JSON; `at_ms` is when it was made."""

    table: str
    at_ms: int
    what: str
    note: str


ADD = "INSERT INTO chat (table_id, at_ms, what, note) VALUES (?, ?, ?, ?)"
DELETE_OLD = """DELETE FROM chat WHERE seq IN (SELECT seq FROM chat ORDER BY seq LIMIT ?) AND at_ms < ?
    RETURNING seq"""


def add(connection: Connection, rows: Sequence[ChatRow], at_ms: int, forget_ms: int) -> Recorded[None]:
    """Add rows at `at_ms`, and delete a few of those older than `forget_ms`; the journal says so."""
    added = [connection.execute(ADD, row).lastrowid for row in rows]
    deleted = [seq for (seq,) in connection.execute(DELETE_OLD, (2 * len(rows), forget_ms))]
    changed = [Key("chat", seq) for seq in (*deleted, *added) if seq is not None]
    return Recorded(None, (rows_note(connection, changed, at_ms),))


def newest(connection: Connection, table: str, most: int) -> list[tuple[str, str]]:
    """What and note: the newest of a table, and whom the floor has muted, in their order."""
    rows = connection.execute(
        "SELECT seq, what, note FROM chat WHERE table_id = :table AND what = 'Muted' UNION SELECT * FROM"
        " (SELECT seq, what, note FROM chat WHERE table_id = :table ORDER BY seq DESC LIMIT :most)"
        " ORDER BY seq",
        {"table": table, "most": most},
    )
    return [(what, note) for _, what, note in rows]
