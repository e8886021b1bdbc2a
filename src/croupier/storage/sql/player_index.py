"""The index of players: `PlayerIndex` in SQL."""

from concurrent.futures import Future
from functools import partial
from typing import get_args

from croupier.accounts.identity import IdentityKind
from croupier.accounts.login_names import normalised
from croupier.accounts.player_index import IndexedPlayer
from croupier.ledger.sql.connection import Connection
from croupier.ledger.sql.transactions import Transactions
from croupier.storage.sql.sessions import LAST_SEEN

SELECT = f"""SELECT p.id, p.name, coalesce(i.kind, 'guest'), coalesce(i.name, ''), coalesce(m.address, ''),
    p.created_ms, coalesce((SELECT max({LAST_SEEN}) FROM session s WHERE s.player = p.id), 0)
    FROM player p LEFT JOIN identity i ON i.player = p.id LEFT JOIN mail_address m ON m.player = p.id"""  # noqa: S608
FIND = f"{SELECT} WHERE p.id = ?"
NEWEST = f"{SELECT} ORDER BY p.created_ms DESC, p.id DESC LIMIT ?"
OLDER = f"""{SELECT} WHERE (p.created_ms, p.id) < (SELECT created_ms, id FROM player WHERE id = ?)
    ORDER BY p.created_ms DESC, p.id DESC LIMIT ?"""  # noqa: S608 - constants, as all below
KINDS = ", ".join(f"'{kind}'" for kind in get_args(IdentityKind))
"""Named, so that SQLite uses the index of kinds and names."""
SOURCES = (
    "SELECT id FROM player WHERE id >= ? AND id < ?",
    "SELECT id FROM player WHERE lower(name) >= lower(?) AND lower(name) < lower(?)",
    *[f"SELECT player FROM identity WHERE kind IN ({KINDS}) AND name >= ? AND name < ?"] * 2,  # noqa: S608
    "SELECT player FROM mail_address WHERE address >= ? AND address < ?",
)
"""Queries for players whose id, name, identity or address begins with the text, each by an index.

Identities are searched for the text as it is, and for its normalised form.
"""
FOUND = " UNION ".join(f"SELECT * FROM ({source} LIMIT ?) AS found" for source in SOURCES)  # noqa: S608
SEARCH = f"{SELECT} WHERE p.id IN ({FOUND}) ORDER BY p.created_ms DESC, p.id DESC LIMIT ?"
LAST = "\U0010ffff"
"""Follows every other letter."""


class SqlPlayerIndex:
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
    query, values = (OLDER, (before, limit)) if before else (NEWEST, (limit,))
    return tuple(IndexedPlayer(*row) for row in connection.execute(query, values))


def search(connection: Connection, text: str, limit: int) -> tuple[IndexedPlayer, ...]:
    return tuple(IndexedPlayer(*row) for row in connection.execute(SEARCH, search_values(text, limit)))


def search_values(text: str, limit: int) -> tuple[str | int, ...]:
    """Return the values of SEARCH: a range of texts and the limit for each source, and the limit of all."""
    folded = normalised(text)
    ranges = [(first, first + LAST) for first in (text, text, text, folded, folded)]
    return (*[value for each in ranges for value in (*each, limit)], limit)
