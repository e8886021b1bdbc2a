"""Leases of live tables: `Leases` in SQL."""

from collections.abc import Collection, Sequence
from concurrent.futures import Future
from functools import partial
from typing import Any

from croupier.ledger.leases import BUS_MARGIN_MS, LEASE_MS, Fence, Lease
from croupier.ledger.sql.connection import Connection
from croupier.ledger.sql.dialect import dialect_of
from croupier.ledger.sql.transactions import Transactions

ACQUIRE = """INSERT INTO lease (table_id, owner, epoch, expires_ms) VALUES (?, ?, 1, {now} + ?)
    ON CONFLICT (table_id) DO UPDATE
    SET owner = excluded.owner, epoch = lease.epoch + 1, expires_ms = excluded.expires_ms {condition}
    RETURNING epoch"""
IF_EXPIRED = "WHERE lease.expires_ms <= {now}"
FIND_HELD = "SELECT 1 FROM lease WHERE table_id = ? AND expires_ms > {now}"
RENEW = "UPDATE lease SET expires_ms = {now} + ? WHERE table_id = ? AND epoch = ? RETURNING 1"
NODES, PAST_NODES = "node:", "node;"
"""Keys of the rows of nodes begin with the first; all are less than the second."""
BEAT = """INSERT INTO lease (table_id, owner, epoch, expires_ms) VALUES (?, ?, 0, {now} + ?)
    ON CONFLICT (table_id) DO UPDATE SET expires_ms = excluded.expires_ms"""
FIND_NODES = """SELECT table_id FROM lease
    WHERE table_id >= ? AND table_id < ? AND owner <> ? AND expires_ms > {now} + ?"""
FORGET_NODES = "DELETE FROM lease WHERE table_id >= ? AND table_id < ? AND expires_ms <= {now}"
RELEASE = "UPDATE lease SET expires_ms = 0 WHERE table_id = ? AND epoch = ?"


class SqlLeases:
    """Follows `Leases`."""

    def __init__(self, store: Transactions, *, shared: bool) -> None:
        self._store = store
        self.is_shared = shared

    def acquire(self, table: str, owner: str) -> Future[Lease | None]:
        return self._store.run(partial(acquire, table=table, owner=owner, shared=self.is_shared))

    def free(self, tables: Collection[str]) -> Future[frozenset[str]]:
        return self._store.run(partial(free, tables=tuple(tables)))

    def seize(self, table: str, owner: str) -> Future[Fence]:
        return self._store.run(partial(seize, table=table, owner=owner))

    def renew(self, fence: Fence) -> Future[bool]:
        return self._store.run(partial(renew, fence=fence))

    def release(self, fence: Fence) -> Future[None]:
        return self._store.run(partial(release, fence=fence))

    def beat(self, node: str, roles: Collection[str], silent_ms: int) -> Future[frozenset[str]]:
        return self._store.run(partial(beat, node=node, roles=tuple(sorted(roles)), silent_ms=silent_ms))


def acquire(connection: Connection, table: str, owner: str, *, shared: bool) -> Lease | None:
    if not shared:
        return Lease(seize(connection, table, owner), expires=False)
    row = _taken(connection, table, owner, IF_EXPIRED)
    return Lease(Fence(table, row[0]), expires=True) if row else None


def free(connection: Connection, tables: Sequence[str]) -> frozenset[str]:
    held = FIND_HELD.format(now=dialect_of(connection).clock_ms)
    return frozenset(table for table in tables if not connection.execute(held, (table,)).fetchone())


def seize(connection: Connection, table: str, owner: str) -> Fence:
    return Fence(table, _taken(connection, table, owner, "")[0])


def _taken(connection: Connection, table: str, owner: str, condition: str) -> Any:
    now = dialect_of(connection).clock_ms
    statement = ACQUIRE.format(now=now, condition=condition.format(now=now))
    return connection.execute(statement, (table, owner, LEASE_MS)).fetchone()


def renew(connection: Connection, fence: Fence) -> bool:
    statement = RENEW.format(now=dialect_of(connection).clock_ms)
    return connection.execute(statement, (LEASE_MS, *fence)).fetchone() is not None


def release(connection: Connection, fence: Fence) -> None:
    connection.execute(RELEASE, tuple(fence))


def beat(connection: Connection, node: str, roles: Sequence[str], silent_ms: int) -> frozenset[str]:
    """A row expires the time of a lease after its node last heard the bus: so others know when that was."""
    now = dialect_of(connection).clock_ms
    connection.execute(FORGET_NODES.format(now=now), (NODES, PAST_NODES))
    own_ms = LEASE_MS - silent_ms
    for role in roles:
        connection.execute(BEAT.format(now=now), (f"{NODES}{role}:{node}", node, own_ms))
    least_ms = max(0, own_ms + BUS_MARGIN_MS)
    found = connection.execute(FIND_NODES.format(now=now), (NODES, PAST_NODES, node, least_ms)).fetchall()
    return frozenset(key.split(":")[1] for (key,) in found)
