"""The index of players: `PlayerIndex` in SQLite."""

from concurrent.futures import Future
from functools import partial
from sqlite3 import Connection
from typing import get_args

from croupier.accounts.identity import IdentityKind
from croupier.accounts.login_names import normalised
from croupier.accounts.player_index import IndexedPlayer
from croupier.ledger.sqlite.transactions import Transactions

SELECT = """SELECT p.id, p.name, coalesce(i.kind, 'guest'), coalesce(i.name, ''), coalesce(m.address, ''),
    p.created_ms, coalesce((SELECT max(max(s.active_ms, s.seen_ms)) FROM session s WHERE s.player = p.id), 0)
    FROM player p LEFT JOIN identity i ON i.player = p.id LEFT JOIN mail_address m ON m.player = p.id"""
FIND = f"{SELECT} WHERE p.id = ?"
NEWEST = f"{SELECT} ORDER BY p.created_ms DESC, p.id DESC LIMIT :limit"
OLDER = f"""{SELECT} WHERE (p.created_ms, p.id) < (SELECT created_ms, id FROM player WHERE id = :before)
    ORDER BY p.created_ms DESC, p.id DESC LIMIT :limit"""  # noqa: S608 - constants, as all below
KINDS = ", ".join(f"'{kind}'" for kind in get_args(IdentityKind))
"""Named, so that SQLite uses the index of kinds and names."""
SOURCES = (
    "SELECT id FROM player WHERE id >= :text AND id < :end",
    "SELECT id FROM player WHERE lower(name) >= lower(:text) AND lower(name) < lower(:end)",
    f"SELECT player FROM identity WHERE kind IN ({KINDS}) AND name >= :text AND name < :end",  # noqa: S608
    f"""SELECT player FROM identity WHERE kind IN ({KINDS})
        AND name >= :normalised AND name < :normalised_end""",  # noqa: S608
    "SELECT player FROM mail_address WHERE address >= :normalised AND address < :normalised_end",
)
"""Queries for players whose id, name, identity or address begins with the text, each by an index."""
FOUND = " UNION ".join(f"SELECT * FROM ({source} LIMIT :limit)" for source in SOURCES)  # noqa: S608
SEARCH = f"{SELECT} WHERE p.id IN ({FOUND}) ORDER BY p.created_ms DESC, p.id DESC LIMIT :limit"
LAST = "\U0010ffff"
"""Follows every other letter."""


class SqlitePlayerIndex:
    """Follows `PlayerIndex`."""

    def __init__(self, store: Transactions) -> None:
        self._store = store

    def find(self, player: str) -> Future[IndexedPlayer | None]:
        return self._store.run(partial(find, player=player))

    def newest(self, before: str, limit: int) -> Future[tuple[IndexedPlayer, ...]]:
        return self._store.run(partial(newest, before=before, limit=limit))

    def search(self, text: str, limit: int) -> Future[tuple[IndexedPlayer, ...]]:
        return self._store.run(partial(search, text=text, limit=limit))


def find(connection: Connection, player: str) -> IndexedPlayer | None:
    row = connection.execute(FIND, (player,)).fetchone()
    return IndexedPlayer(*row) if row else None


def newest(connection: Connection, before: str, limit: int) -> tuple[IndexedPlayer, ...]:
    query = OLDER if before else NEWEST
    return tuple(IndexedPlayer(*row) for row in connection.execute(query, {"before": before, "limit": limit}))


def search(connection: Connection, text: str, limit: int) -> tuple[IndexedPlayer, ...]:
    folded = normalised(text)
    values = {
        "text": text,
        "end": text + LAST,
        "normalised": folded,
        "normalised_end": folded + LAST,
        "limit": limit,
    }
    return tuple(IndexedPlayer(*row) for row in connection.execute(SEARCH, values))
