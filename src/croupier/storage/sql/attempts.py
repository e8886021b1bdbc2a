"""Attempts to sign in and messages that are limited: `AttemptCounts` in SQL."""

from collections.abc import Sequence
from concurrent.futures import Future
from functools import partial
from hashlib import sha256

import msgspec

from croupier.accounts.attempts import Attempt, wait_s
from croupier.ledger.sql.connection import Connection
from croupier.ledger.sql.transactions import Transactions
from croupier.refusal import Refused
from croupier.storage.sql.upserts import upsert

DELETE_EXPIRED = "DELETE FROM attempt WHERE until_ms <= ?"
FIND = "SELECT times FROM attempt WHERE key = ?"
KEEP = upsert("attempt", ("key", "times", "until_ms"))
DELETE = "DELETE FROM attempt WHERE key = ?"


class SqlAttempts:
    """Follows `AttemptCounts`."""

    def __init__(self, store: Transactions) -> None:
        self._store = store

    def count(self, attempts: Sequence[Attempt], now_ms: int) -> Future[None]:
        return self._store.run(partial(count, attempts=tuple(attempts), now_ms=now_ms))

    def clear(self, attempts: Sequence[Attempt]) -> Future[None]:
        return self._store.run(partial(clear, attempts=tuple(attempts)))


def count(connection: Connection, attempts: Sequence[Attempt], now_ms: int) -> None:
    connection.execute(DELETE_EXPIRED, (now_ms,))
    before = [_recent(connection, attempt, now_ms) for attempt in attempts]
    waits = [wait_s(times, attempt.limit, now_ms) for times, attempt in zip(before, attempts, strict=True)]
    if any(waits):
        raise Refused("too_many_tries", seconds=max(waits))
    for times, attempt in zip(before, attempts, strict=True):
        kept = msgspec.json.encode([*times, now_ms]).decode()
        connection.execute(KEEP, (_key(attempt), kept, now_ms + attempt.limit.window_ms))


def clear(connection: Connection, attempts: Sequence[Attempt]) -> None:
    for attempt in attempts:
        connection.execute(DELETE, (_key(attempt),))


def _recent(connection: Connection, attempt: Attempt, now_ms: int) -> list[int]:
    row = connection.execute(FIND, (_key(attempt),)).fetchone()
    times = msgspec.json.decode(row[0], type=list[int]) if row else []
    return [at for at in times if now_ms - at < attempt.limit.window_ms]


def _key(attempt: Attempt) -> str:
    """Return the stored form of a key, which may be a password typed into the wrong field."""
    return sha256(f"{attempt.limit.purpose} {attempt.key}".encode()).hexdigest()
