"""Passkeys of players and staff: `Passkeys` in SQL."""

from concurrent.futures import Future
from functools import partial

from croupier.accounts.devices import EndedSession, NewSession
from croupier.accounts.identity import Identity
from croupier.accounts.passkeys import PASSKEYS_MAX, Passkey, PasskeyOwner, PasskeyUse, known_ids
from croupier.ledger.sql.audited_rows import RowKey, rows_note
from croupier.ledger.sql.connection import Connection
from croupier.ledger.sql.transactions import Recorded, Transactions
from croupier.refusal import Refused
from croupier.storage.sql import identities, sessions

COLUMNS = "id, kind, owner, public_key, sign_count, name, added_ms, used_ms"
ADD = f"INSERT INTO passkey ({COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)"  # noqa: S608 - names from above
FIND = f"SELECT {COLUMNS} FROM passkey WHERE id = ?"  # noqa: S608 - names from above
FIND_OF = f"SELECT {COLUMNS} FROM passkey WHERE kind = ? AND owner = ? ORDER BY added_ms DESC, id"  # noqa: S608
USE = """UPDATE passkey SET sign_count = ?, used_ms = ?
    WHERE id = ? AND kind = ? AND owner = ? AND (sign_count = 0 OR sign_count < ?)"""
DELETE = "DELETE FROM passkey WHERE id = ?"
NO_PASSWORD = ""
OTHER_SIGN_IN = {
    "player": "SELECT 1 FROM identity WHERE player = ? AND password <> ''",
    "staff": "SELECT 1 FROM staff_sign_in WHERE name = ? AND secret <> ''",
}
"""Queries for another way to sign in, by kind of owner."""


class SqlPasskeys:
    """Follows `Passkeys`."""

    def __init__(self, store: Transactions) -> None:
        self._store = store

    def found(self, passkey: str) -> Future[Passkey | None]:
        return self._store.run(partial(found, passkey=passkey))

    def of(self, owner: PasskeyOwner) -> Future[tuple[Passkey, ...]]:
        return self._store.run(partial(of, owner=owner))

    def use(self, use: PasskeyUse, now_ms: int) -> Future[None]:
        return self._store.run(partial(record_use, use=use, now_ms=now_ms))

    def add_account(
        self, identity: Identity, passkey: Passkey, session: NewSession
    ) -> Future[tuple[EndedSession, ...]]:
        work = partial(add_account, identity=identity, passkey=passkey, session=session)
        return self._store.run_recorded(work)

    def begin_session(
        self, use: PasskeyUse, session: NewSession, ended: str, now_ms: int
    ) -> Future[tuple[EndedSession, ...]]:
        work = partial(begin_session, use=use, session=session, ended=ended, now_ms=now_ms)
        return self._store.run_recorded(work)


def found(connection: Connection, passkey: str) -> Passkey | None:
    row = connection.execute(FIND, (passkey,)).fetchone()
    return _read(row) if row else None


def of(connection: Connection, owner: PasskeyOwner) -> tuple[Passkey, ...]:
    return tuple(_read(row) for row in connection.execute(FIND_OF, owner))


def record_use(connection: Connection, use: PasskeyUse, now_ms: int) -> None:
    where = use.passkey, *use.owner, use.sign_count
    if not connection.execute(USE, (use.sign_count, now_ms, *where)).rowcount:
        raise Refused("wrong_sign_in")


def add_account(
    connection: Connection, identity: Identity, passkey: Passkey, session: NewSession
) -> Recorded[tuple[EndedSession, ...]]:
    ended, notes = identities.add(connection, identity, NO_PASSWORD, session, passkey.added_ms)
    row = insert(connection, passkey)
    return Recorded(ended, (*notes, rows_note(connection, [row], passkey.added_ms, passkey.owner.id)))


def begin_session(
    connection: Connection, use: PasskeyUse, session: NewSession, ended: str, now_ms: int
) -> Recorded[tuple[EndedSession, ...]]:
    record_use(connection, use, now_ms)
    return sessions.replace(connection, session, ended, now_ms)


# --- parts of other transactions


def insert(connection: Connection, passkey: Passkey) -> RowKey:
    """Add a passkey, and return its row's key."""
    if found(connection, passkey.id):
        raise Refused("passkey_failed")
    if len(of(connection, passkey.owner)) >= PASSKEYS_MAX:
        raise Refused("too_many_passkeys", most=PASSKEYS_MAX)
    connection.execute(ADD, (passkey.id, *passkey.owner, *passkey[2:]))
    return RowKey("passkey", passkey.id)


def remove(connection: Connection, owner: PasskeyOwner, passkey: str) -> RowKey:
    """Remove a passkey, unless it is the owner's only way to sign in; return its row's key."""
    owned = known_ids(of(connection, owner))
    if passkey not in owned:
        raise Refused("no_such_passkey")
    if len(owned) == 1 and not connection.execute(OTHER_SIGN_IN[owner.kind], (owner.id,)).fetchone():
        raise Refused("last_passkey")
    return delete(connection, passkey)


def delete(connection: Connection, passkey: str) -> RowKey:
    """Delete a passkey, and return its row's key."""
    connection.execute(DELETE, (passkey,))
    return RowKey("passkey", passkey)


def _read(row: tuple[str, ...]) -> Passkey:
    passkey, kind, owner, *rest = row
    return Passkey(passkey, PasskeyOwner(kind, owner), *rest)  # type: ignore[arg-type]
