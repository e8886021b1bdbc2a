"""Sessions of players' devices: `DeviceSessions` in SQL."""

from collections.abc import Collection, Iterable
from concurrent.futures import Future
from functools import partial

from croupier.accounts.devices import ID_LENGTH, EndedSession, NewSession, PlayerDevice
from croupier.accounts.identity import VISIT_ENDS_MS, hash_of
from croupier.ledger.sql.audited_rows import RowKey, rows_note
from croupier.ledger.sql.connection import Connection
from croupier.ledger.sql.transactions import Recorded, Transactions
from croupier.refusal import Refused

LAST_SEEN = "CASE WHEN active_ms > seen_ms THEN active_ms ELSE seen_ms END"
ADD = """INSERT INTO session (token_sha256, player, created_ms, seen_ms, device, signed_in_ms, active_ms)
    VALUES (?, ?, ?, ?, ?, ?, ?)"""
FIND_VISIT = "SELECT max(created_ms) FROM session WHERE player = ? AND seen_ms >= ?"
FIND_ALL = f"""SELECT substr(token_sha256, 1, {ID_LENGTH}), device, signed_in_ms, active_ms
    FROM session WHERE player = ? ORDER BY active_ms DESC, token_sha256"""  # noqa: S608 - a number
FIND_UNSEEN = f"""SELECT s.player FROM session s
    JOIN identity i ON i.player = s.player AND i.kind IN ('account', 'oidc')
    GROUP BY s.player HAVING max({LAST_SEEN}) < ?"""  # noqa: S608 - a constant
ENDED_AT_ONCE = 100
"""Players whose sessions are ended in one transaction."""
FIND_KEYS = "SELECT token_sha256 FROM session WHERE player = ?"
HAS_PASSWORD = "SELECT 1 FROM identity WHERE player = ? AND password = ?"  # noqa: S105 - no password
DELETE = "DELETE FROM session WHERE token_sha256 = ? RETURNING player"


class SqlSessions:
    """Follows `DeviceSessions`."""

    def __init__(self, store: Transactions) -> None:
        self._store = store

    def begin(
        self, session: NewSession, password: str, ended: str, now_ms: int
    ) -> Future[tuple[EndedSession, ...]]:
        work = partial(begin, session=session, password=password, ended=ended, now_ms=now_ms)
        return self._store.run_recorded(work)

    def list(self, player: str) -> Future[tuple[PlayerDevice, ...]]:
        return self._store.run(partial(devices, player=player))

    def end(self, token: str, now_ms: int) -> Future[tuple[EndedSession, ...]]:
        return self._store.run_recorded(partial(end, token=token, now_ms=now_ms))

    def end_unseen(
        self, connected: Collection[str], before_ms: int, now_ms: int
    ) -> Future[tuple[EndedSession, ...]]:
        work = partial(end_unseen, connected=frozenset(connected), before_ms=before_ms, now_ms=now_ms)
        return self._store.run_recorded(work)

    def end_one(self, player: str, device: str, now_ms: int) -> Future[tuple[EndedSession, ...]]:
        return self._store.run_recorded(partial(end_one, player=player, device=device, now_ms=now_ms))

    def end_others(self, player: str, token: str, now_ms: int) -> Future[tuple[EndedSession, ...]]:
        return self._store.run_recorded(partial(end_others, player=player, token=token, now_ms=now_ms))


def begin(
    connection: Connection, session: NewSession, password: str, ended: str, now_ms: int
) -> Recorded[tuple[EndedSession, ...]]:
    if not connection.execute(HAS_PASSWORD, (session.player, password)).fetchone():
        raise Refused("wrong_sign_in")
    return replace(connection, session, ended, now_ms)


def devices(connection: Connection, player: str) -> tuple[PlayerDevice, ...]:
    return tuple(PlayerDevice(*row) for row in connection.execute(FIND_ALL, (player,)))


def end(connection: Connection, token: str, now_ms: int) -> Recorded[tuple[EndedSession, ...]]:
    return _ended(connection, [hash_of(token)], now_ms)


def end_unseen(
    connection: Connection, connected: Collection[str], before_ms: int, now_ms: int
) -> Recorded[tuple[EndedSession, ...]]:
    found = connection.execute(FIND_UNSEEN, (before_ms,)).fetchall()
    players = [player for (player,) in found if player not in connected][:ENDED_AT_ONCE]
    return _ended(connection, [key for player in players for key in keys_of(connection, player)], now_ms)


def end_one(
    connection: Connection, player: str, device: str, now_ms: int
) -> Recorded[tuple[EndedSession, ...]]:
    keys = keys_of(connection, player)
    return _ended(connection, [key for key in keys if key[:ID_LENGTH] == device], now_ms)


def end_others(
    connection: Connection, player: str, token: str, now_ms: int
) -> Recorded[tuple[EndedSession, ...]]:
    keys, kept = keys_of(connection, player), hash_of(token)
    return _ended(connection, [key for key in keys if key != kept], now_ms)


def _ended(connection: Connection, keys: Iterable[str], now_ms: int) -> Recorded[tuple[EndedSession, ...]]:
    deleted = delete(connection, keys)
    if not deleted:
        return Recorded((), ())
    note = rows_note(connection, map(row, deleted), now_ms, deleted[0].player)
    return Recorded(shown(deleted), (note,))


# --- parts of other transactions


def replace(
    connection: Connection, session: NewSession, ended: str, now_ms: int
) -> Recorded[tuple[EndedSession, ...]]:
    """Add a session and delete that of the token `ended`, if there is one."""
    deleted = delete(connection, [hash_of(ended)])
    changed = [add(connection, session, now_ms), *map(row, deleted)]
    return Recorded(shown(deleted), (rows_note(connection, changed, now_ms, session.player),))


def add(connection: Connection, session: NewSession, now_ms: int) -> RowKey:
    """Add a session, in the visit that the player is in on another device."""
    visit, key = visit_ms(connection, session.player, now_ms), hash_of(session.token)
    connection.execute(ADD, (key, session.player, visit, now_ms, session.device, now_ms, now_ms))
    return RowKey("session", key)


def visit_ms(connection: Connection, player: str, now_ms: int) -> int:
    """Return when the player's visit on any device began; now if a new one begins.

    After a restart with another system clock it may have begun later than now, which counts as now.
    """
    (began,) = connection.execute(FIND_VISIT, (player, now_ms - VISIT_ENDS_MS)).fetchone()
    return now_ms if began is None else min(int(began), now_ms)


def keys_of(connection: Connection, player: str) -> list[str]:
    return [key for (key,) in connection.execute(FIND_KEYS, (player,))]


def delete(connection: Connection, keys: Iterable[str]) -> list[EndedSession]:
    """Delete sessions, and return those that there were, with their whole keys as ids."""
    found = ((key, connection.execute(DELETE, (key,)).fetchall()) for key in keys)
    return [EndedSession(player, key) for key, rows in found for (player,) in rows]


def replace_all(
    connection: Connection, session: NewSession, now_ms: int
) -> tuple[list[RowKey], tuple[EndedSession, ...]]:
    """Replace all sessions of a player by this one; return the changed rows and the ended sessions."""
    added = add(connection, session, now_ms)
    deleted = delete(connection, [key for key in keys_of(connection, session.player) if key != added.key])
    return [added, *map(row, deleted)], shown(deleted)


def end_all(connection: Connection, player: str) -> tuple[list[RowKey], tuple[EndedSession, ...]]:
    """End all sessions of a player; return the changed rows and the ended sessions."""
    deleted = delete(connection, keys_of(connection, player))
    return [*map(row, deleted)], shown(deleted)


def row(ended: EndedSession) -> RowKey:
    """Return the row that an ended session had; its id is the whole key."""
    return RowKey("session", ended.id)


def shown(deleted: Iterable[EndedSession]) -> tuple[EndedSession, ...]:
    """Return ended sessions with the ids that may be shown."""
    return tuple(EndedSession(player, key[:ID_LENGTH]) for player, key in deleted)
