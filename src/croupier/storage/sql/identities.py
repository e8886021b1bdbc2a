"""Players who aren't guests: `Identities` in SQL."""

from concurrent.futures import Future
from functools import partial

from croupier.accounts.devices import EndedSession, NewSession
from croupier.accounts.identity import Identity
from croupier.accounts.repository import StoredLogin
from croupier.ledger.sql.audited_rows import RowKey, rows_note
from croupier.ledger.sql.connection import Connection
from croupier.ledger.sql.transactions import Recorded, Transactions
from croupier.refusal import Refused
from croupier.storage.sql import sessions

ADD = "INSERT INTO identity (player, kind, name, password, added_ms) VALUES (?, ?, ?, ?, ?)"
FIND = "SELECT player, password FROM identity WHERE kind = ? AND name = ?"
FIND_OF = "SELECT player, password FROM identity WHERE player = ?"
FIND_NAME = "SELECT name FROM identity WHERE player = ?"
REPLACE_HASH = "UPDATE identity SET password = ? WHERE player = ? AND password = ?"
RENAME = "UPDATE player SET name = replace(name, 'Guest ', 'Player ') WHERE id = ?"


class SqlIdentities:
    """Follows `Identities`."""

    def __init__(self, store: Transactions) -> None:
        self._store = store

    def add(
        self, identity: Identity, password: str, session: NewSession, now_ms: int
    ) -> Future[tuple[EndedSession, ...]]:
        work = partial(add, identity=identity, password=password, session=session, now_ms=now_ms)
        return self._store.run_recorded(work)

    def find(self, identity: Identity) -> Future[StoredLogin | None]:
        return self._store.run(partial(find, identity=identity))

    def of(self, player: str) -> Future[StoredLogin | None]:
        return self._store.run(partial(of, player=player))

    def name_of(self, player: str) -> Future[str]:
        return self._store.run(partial(name_of, player=player))

    def rehash(self, login: StoredLogin, password: str, now_ms: int) -> Future[None]:
        return self._store.run_recorded(partial(rehash, login=login, password=password, now_ms=now_ms))


def add(
    connection: Connection, identity: Identity, password: str, session: NewSession, now_ms: int
) -> Recorded[tuple[EndedSession, ...]]:
    player = session.player
    if of(connection, player):
        raise Refused("account_exists")
    if find(connection, identity):
        raise Refused("name_taken")
    changed, ended = sessions.replace_all(connection, session, now_ms)
    changed += give(connection, player, identity, now_ms, password)
    return Recorded(ended, (rows_note(connection, changed, now_ms, player),))


def give(
    connection: Connection, player: str, identity: Identity, now_ms: int, password: str = ""
) -> list[RowKey]:
    """Give a player who has none an identity, and a name that isn't a guest's; return the changed rows."""
    connection.execute(ADD, (player, *identity, password, now_ms))
    connection.execute(RENAME, (player,))
    return [RowKey("identity", player), RowKey("player", player)]


def find(connection: Connection, identity: Identity) -> StoredLogin | None:
    row = connection.execute(FIND, identity).fetchone()
    return StoredLogin(*row) if row else None


def of(connection: Connection, player: str) -> StoredLogin | None:
    row = connection.execute(FIND_OF, (player,)).fetchone()
    return StoredLogin(*row) if row else None


def name_of(connection: Connection, player: str) -> str:
    row = connection.execute(FIND_NAME, (player,)).fetchone()
    return str(row[0]) if row else ""


def rehash(connection: Connection, login: StoredLogin, password: str, now_ms: int) -> Recorded[None]:
    connection.execute(REPLACE_HASH, (password, *login))
    return Recorded(None, (rows_note(connection, [RowKey("identity", login.player)], now_ms, login.player),))
