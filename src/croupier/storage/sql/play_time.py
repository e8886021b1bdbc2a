"""The time that players were connected, as parts of transactions of `SqlAccounts`."""

from collections.abc import Mapping

from croupier.accounts.play_time import Stretch, Stretches
from croupier.accounts.responsible_gaming import DAY_MS
from croupier.ledger.sql.connection import Connection

FIND = "SELECT began_ms, ended_ms FROM play_time WHERE player = ? ORDER BY began_ms"
MARK = """INSERT INTO play_time (player, began_ms, ended_ms) VALUES (?, ?, ?)
    ON CONFLICT (player, began_ms) DO UPDATE SET ended_ms =
    CASE WHEN excluded.ended_ms > play_time.ended_ms THEN excluded.ended_ms ELSE play_time.ended_ms END"""
FORGET = "DELETE FROM play_time WHERE player = ? AND ended_ms < ?"


def find(connection: Connection, player: str) -> Stretches:
    return tuple(Stretch(*row) for row in connection.execute(FIND, (player,)))


def begin(connection: Connection, player: str, now_ms: int) -> Stretches:
    """Note that the player connects, so that every node knows, and return what is known of them."""
    known = find(connection, player)
    if any(stretch.goes_on(now_ms) for stretch in known):
        return known
    connection.execute(MARK, (player, now_ms, now_ms))
    return (*known, Stretch(now_ms, now_ms))


def mark(connection: Connection, played: Mapping[str, Stretch], now_ms: int) -> dict[str, Stretches]:
    connection.executemany(MARK, [(player, *stretch) for player, stretch in played.items()])
    connection.executemany(FORGET, [(player, now_ms - DAY_MS) for player in played])
    return {player: find(connection, player) for player in played}
