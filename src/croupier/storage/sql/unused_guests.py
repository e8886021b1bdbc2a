"""Guests who never played: `UnusedGuests` in SQL."""

from collections.abc import Iterator, Sequence
from concurrent.futures import Future
from functools import partial
from typing import NamedTuple

from croupier.ledger import entries
from croupier.ledger.entries import Entry
from croupier.ledger.sql.audited_rows import RowKey, rows_note
from croupier.ledger.sql.connection import Connection
from croupier.ledger.sql.transactions import Recorded, Transactions

FIND_BATCH = "SELECT id FROM player WHERE id > ? ORDER BY id LIMIT ?"
IS_UNUSED = """id IN ({}) AND created_ms < ?
    AND NOT EXISTS (SELECT 1 FROM session WHERE player = player.id AND (created_ms >= ? OR seen_ms >= ?))
    AND NOT EXISTS (SELECT 1 FROM identity WHERE player = player.id)
    AND NOT EXISTS (SELECT 1 FROM journal
        WHERE player = player.id AND kind <> 'grant' AND substr(key, 1, 5) <> 'rows:')
    AND NOT EXISTS (SELECT 1 FROM round WHERE player = player.id)
    AND NOT EXISTS (SELECT 1 FROM payment WHERE player = player.id)
    AND NOT EXISTS (SELECT 1 FROM approval WHERE player = player.id)"""
"""Not seen since, no account, payment or approval, and only grants and digests of rows in the journal."""
DELETE_LEASES = "DELETE FROM lease WHERE table_id >= ? AND table_id < ?"
"""Of own tables that they opened: all ids that begin with `own:PLAYER:`."""
FIND_CASH = (
    "SELECT currency, balance_minor FROM account WHERE owner = ? AND kind = 'cash' AND balance_minor > 0"
)


class Deleted(NamedTuple):
    """The players, and the keys of their sessions."""

    players: tuple[str, ...]
    sessions: tuple[str, ...]


class SqlUnusedGuests:
    """Follows `UnusedGuests`."""

    def __init__(self, store: Transactions) -> None:
        self._store = store

    def find(self, after: str, limit: int, before_ms: int) -> Future[tuple[str, tuple[str, ...]]]:
        return self._store.run(partial(find, after=after, limit=limit, before_ms=before_ms))

    def delete(self, players: Sequence[str], before_ms: int, now_ms: int) -> Future[tuple[str, ...]]:
        work = partial(delete, players=tuple(players), before_ms=before_ms, now_ms=now_ms)
        return self._store.run_recorded(work)


def find(connection: Connection, after: str, limit: int, before_ms: int) -> tuple[str, tuple[str, ...]]:
    batch = [player for (player,) in connection.execute(FIND_BATCH, (after, limit))]
    last = batch[-1] if len(batch) == limit else ""
    return last, _unused_of(connection, batch, before_ms)


def delete(
    connection: Connection, players: Sequence[str], before_ms: int, now_ms: int
) -> Recorded[tuple[str, ...]]:
    deleted = _delete_rows(connection, players, before_ms)
    if not deleted.players:
        return Recorded((), ())
    rows = [RowKey("player", player) for player in deleted.players]
    rows += [RowKey("session", session) for session in deleted.sessions]
    taken = [entry for player in deleted.players for entry in _expiries(connection, player, now_ms)]
    return Recorded(deleted.players, (rows_note(connection, rows, now_ms), *taken))


def _delete_rows(connection: Connection, players: Sequence[str], before_ms: int) -> Deleted:
    found = _unused_of(connection, players, before_ms)
    if not found:
        return Deleted((), ())
    marks = ",".join("?" * len(found))
    sessions = f"DELETE FROM session WHERE player IN ({marks}) RETURNING token_sha256"  # noqa: S608
    keys = tuple(key for (key,) in connection.execute(sessions, found).fetchall())
    connection.execute(f"DELETE FROM player WHERE id IN ({marks})", found)  # noqa: S608
    for player in found:
        connection.execute(DELETE_LEASES, (f"own:{player}:", f"own:{player};"))
    return Deleted(found, keys)


def _unused_of(connection: Connection, players: Sequence[str], before_ms: int) -> tuple[str, ...]:
    if not players:
        return ()
    where = IS_UNUSED.format(",".join("?" * len(players)))
    query = f"SELECT id FROM player WHERE {where}"  # noqa: S608
    return tuple(player for (player,) in connection.execute(query, (*players, *[before_ms] * 3)))


def _expiries(connection: Connection, player: str, now_ms: int) -> Iterator[Entry]:
    for currency, cash_minor in connection.execute(FIND_CASH, (player,)):
        yield entries.expiry(f"expiry:{player}:{currency}", now_ms, player, currency, cash_minor)
