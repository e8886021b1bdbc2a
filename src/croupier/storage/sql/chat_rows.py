"""Chat rows: `ChatRows` in SQL."""

from collections.abc import Sequence
from concurrent.futures import Future
from functools import partial

from croupier.dealing.live.chat.rows import ChatRow
from croupier.ledger.sql.audited_rows import RowKey, rows_note
from croupier.ledger.sql.connection import Connection
from croupier.ledger.sql.transactions import Recorded, Transactions

ADD = "INSERT INTO chat (table_id, at_ms, what, note) VALUES (?, ?, ?, ?) RETURNING seq"
DELETE_OLD = """DELETE FROM chat WHERE seq IN (SELECT seq FROM chat ORDER BY seq LIMIT ?) AND at_ms < ?
    RETURNING seq"""
FIND_NEWEST = """SELECT seq, what, note FROM chat WHERE table_id = ? AND what = 'Muted'
    UNION SELECT * FROM
    (SELECT seq, what, note FROM chat WHERE table_id = ? ORDER BY seq DESC LIMIT ?) AS newest
    ORDER BY seq"""


class SqlChatRows:
    """Follows `ChatRows`."""

    def __init__(self, store: Transactions) -> None:
        self._store = store

    def add(self, rows: Sequence[ChatRow], at_ms: int, forget_ms: int) -> Future[None]:
        return self._store.run_recorded(partial(add, rows=tuple(rows), at_ms=at_ms, forget_ms=forget_ms))

    def newest(self, table: str, limit: int) -> Future[list[tuple[str, str]]]:
        return self._store.run(partial(newest, table=table, limit=limit))


def add(connection: Connection, rows: Sequence[ChatRow], at_ms: int, forget_ms: int) -> Recorded[None]:
    added = [seq for row in rows for (seq,) in connection.execute(ADD, row).fetchall()]
    deleted = [seq for (seq,) in connection.execute(DELETE_OLD, (2 * len(rows), forget_ms)).fetchall()]
    changed = [RowKey("chat", seq) for seq in (*deleted, *added)]
    return Recorded(None, (rows_note(connection, changed, at_ms),))


def newest(connection: Connection, table: str, limit: int) -> list[tuple[str, str]]:
    found = connection.execute(FIND_NEWEST, (table, table, limit))
    return [(what, note) for _, what, note in found]
