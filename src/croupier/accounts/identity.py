"""Who somebody is: guests, sessions and settings, in the ledger's database.

Each function does one small piece of work on a connection of the writer. A session's token is kept
only as its hash; a visit starts again after half an hour in which nobody was seen, or when it has been ended.
"""

from collections.abc import Sequence
from hashlib import sha256
from sqlite3 import Connection
from typing import NamedTuple

VISIT_ENDS_MS = 30 * 60 * 1000


class Player(NamedTuple):
    """`visit_ms`: when this visit began."""

    id: str
    name: str
    settings_json: str
    visit_ms: int


def hash_of(token: str) -> str:
    """Return the stored form of a session's token."""
    return sha256(token.encode()).hexdigest()


def add_guest(connection: Connection, player: str, name: str, token: str, now_ms: int) -> None:
    """A new player with a session of his own."""
    connection.execute(
        "INSERT INTO player (id, name, created_ms, settings_json) VALUES (?, ?, ?, '{}')",
        (player, name, now_ms),
    )
    connection.execute(
        "INSERT INTO session (token_sha256, player, created_ms, seen_ms) VALUES (?, ?, ?, ?)",
        (hash_of(token), player, now_ms, now_ms),
    )


def signed_in(connection: Connection, token: str, now_ms: int) -> Player | None:
    """The player of a session, who has now been seen; None when there is no such session."""
    row = connection.execute(
        "SELECT p.id, p.name, p.settings_json, s.created_ms, s.seen_ms"
        " FROM session s JOIN player p ON p.id = s.player WHERE s.token_sha256 = ?",
        (hash_of(token),),
    ).fetchone()
    if row is None:
        return None
    player, name, settings_json, visit_ms, seen_ms = row
    if now_ms - seen_ms > VISIT_ENDS_MS:
        visit_ms = now_ms
    connection.execute(
        "UPDATE session SET created_ms = ?, seen_ms = ? WHERE token_sha256 = ?",
        (visit_ms, now_ms, hash_of(token)),
    )
    return Player(player, name, settings_json, visit_ms)


def end_visits(connection: Connection, player: str) -> None:
    """Whoever comes back begins a new one: he is as good as never seen."""
    connection.execute("UPDATE session SET seen_ms = 0 WHERE player = ?", (player,))


def mark_seen(connection: Connection, players: Sequence[str], now_ms: int) -> None:
    """These players are here; a visit that has ended stays so."""
    connection.executemany(
        "UPDATE session SET seen_ms = ? WHERE player = ? AND seen_ms >= ?",
        [(now_ms, player, now_ms - VISIT_ENDS_MS) for player in players],
    )


def save_settings(connection: Connection, player: str, settings_json: str) -> None:
    connection.execute("UPDATE player SET settings_json = ? WHERE id = ?", (settings_json, player))


# --- guests who never played

PORTION = "SELECT id FROM player WHERE id > ? ORDER BY id LIMIT ?"
IS_UNUSED = """id IN ({}) AND created_ms < ?
    AND NOT EXISTS (SELECT 1 FROM session WHERE player = player.id AND max(created_ms, seen_ms) >= ?)
    AND NOT EXISTS (SELECT 1 FROM journal
        WHERE player = player.id AND kind != 'grant' AND key NOT GLOB 'rows:*')
    AND NOT EXISTS (SELECT 1 FROM round WHERE player = player.id)"""
"""Not seen since, and not in the journal but for what was granted and what it says of their rows."""


class Deleted(NamedTuple):
    """The players, and the keys of their sessions."""

    players: tuple[str, ...]
    sessions: tuple[str, ...]


def unused(connection: Connection, after: str, most: int, before_ms: int) -> tuple[str, tuple[str, ...]]:
    """Of `most` players after this one: the last one, and who never played and wasn't seen since then.

    The last one is empty once there are no more.
    """
    portion = [player for (player,) in connection.execute(PORTION, (after, most))]
    last = portion[-1] if len(portion) == most else ""
    return last, _unused_of(connection, portion, before_ms)


def delete_unused(connection: Connection, players: Sequence[str], before_ms: int) -> Deleted:
    """Delete those of `players` who still are unused, with their sessions. The journal has to be told."""
    found = _unused_of(connection, players, before_ms)
    marks = ",".join("?" * len(found))
    sessions = f"DELETE FROM session WHERE player IN ({marks}) RETURNING token_sha256"  # noqa: S608
    keys = tuple(key for (key,) in connection.execute(sessions, found).fetchall())
    connection.execute(f"DELETE FROM player WHERE id IN ({marks})", found)  # noqa: S608
    return Deleted(found, keys)


def _unused_of(connection: Connection, players: Sequence[str], before_ms: int) -> tuple[str, ...]:
    where = IS_UNUSED.format(",".join("?" * len(players)))
    query = f"SELECT id FROM player WHERE {where}"  # noqa: S608
    return tuple(player for (player,) in connection.execute(query, (*players, before_ms, before_ms)))
