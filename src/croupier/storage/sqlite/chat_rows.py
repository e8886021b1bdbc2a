"""Chat rows: `ChatRows` in SQLite."""

from collections.abc import Sequence
from concurrent.futures import Future
from functools import partial
from sqlite3 import Connection

from croupier.ledger.sqlite.audited_rows import RowKey, rows_note
from croupier.ledger.sqlite.transactions import Recorded, Transactions
from croupier.runtime.live.chat.rows import ChatRow

ADD = "INSERT INTO chat (table_id, at_ms, what, note) VALUES (?, ?, ?, ?)"
DELETE_OLD = """DELETE FROM chat WHERE seq IN (SELECT seq FROM chat ORDER BY seq LIMIT ?) AND at_ms < ?
    RETURNING seq"""
FIND_NEWEST = """SELECT seq, what, note FROM chat WHERE table_id = :table AND what = 'Muted'
    UNION SELECT * FROM
    (SELECT seq, what, note FROM chat WHERE table_id = :table ORDER BY seq DESC LIMIT :limit)
    ORDER BY seq"""


class SqliteChatRows:
    """Follows `ChatRows`."""

    def __init__(self, store: Transactions) -> None:
        self._store = store

    def add(self, rows: Sequence[ChatRow], at_ms: int, forget_ms: int) -> Future[None]:
        return self._store.run_recorded(partial(add, rows=tuple(rows), at_ms=at_ms, forget_ms=forget_ms))

    def newest(self, table: str, limit: int) -> Future[list[tuple[str, str]]]:
        return self._store.run(partial(newest, table=table, limit=limit))


def add(connection: Connection, rows: Sequence[ChatRow], at_ms: int, forget_ms: int) -> Recorded[None]:
    added = [connection.execute(ADD, row).lastrowid for row in rows]
    deleted = [seq for (seq,) in connection.execute(DELETE_OLD, (2 * len(rows), forget_ms))]
    changed = [RowKey("chat", seq) for seq in (*deleted, *added) if seq is not None]
    return Recorded(None, (rows_note(connection, changed, at_ms),))


def newest(connection: Connection, table: str, limit: int) -> list[tuple[str, str]]:
    found = connection.execute(FIND_NEWEST, {"table": table, "limit": limit})
    return [(what, note) for _, what, note in found]
