"""Players whom another site identifies: `ExternalPlayers` in SQL."""

from collections.abc import Sequence
from concurrent.futures import Future
from functools import partial

from msgspec.structs import replace

from croupier.accounts.devices import NewSession
from croupier.accounts.identity import Identity, NewGuest, hash_of
from croupier.accounts.repository import Arrival, ArrivedPlayer
from croupier.ledger.entries import Entry
from croupier.ledger.sql.audited_rows import RowKey, rows_note
from croupier.ledger.sql.connection import Connection
from croupier.ledger.sql.transactions import Recorded, Transactions
from croupier.storage.sql import accounts, identities, sessions

FIND_GUEST = """SELECT player FROM session s WHERE token_sha256 = ?
    AND NOT EXISTS (SELECT 1 FROM identity WHERE player = s.player)"""

FIND_NAME = "SELECT name FROM identity WHERE player = ? AND kind = 'operator'"


class SqlExternalPlayers:
    """Follows `ExternalPlayers`."""

    def __init__(self, store: Transactions) -> None:
        self._store = store

    def player(self, identity: Identity) -> Future[str]:
        return self._store.run(partial(player, identity=identity))

    def name_of(self, player: str) -> Future[str]:
        return self._store.run(partial(name_of, player=player))

    def begin(
        self, arrival: Arrival, new: NewGuest, ended: str, grants: Sequence[Entry], now_ms: int
    ) -> Future[ArrivedPlayer]:
        work = partial(begin, arrival=arrival, new=new, ended=ended, grants=tuple(grants), now_ms=now_ms)
        return self._store.run_recorded(work)


def player(connection: Connection, identity: Identity) -> str:
    found = identities.find(connection, identity)
    return found.player if found else ""


def name_of(connection: Connection, player: str) -> str:
    row = connection.execute(FIND_NAME, (player,)).fetchone()
    return str(row[0]) if row else ""


def begin(
    connection: Connection,
    arrival: Arrival,
    new: NewGuest,
    ended: str,
    grants: tuple[Entry, ...],
    now_ms: int,
) -> Recorded[ArrivedPlayer]:
    known = player(connection, arrival.identity)
    guest = _guest(connection, ended) if arrival.keeps_guest and not known else ""
    whose = known or guest or new.player
    changed = list[RowKey]()
    if whose == new.player:
        connection.execute(accounts.ADD_PLAYER, (new.player, new.name, now_ms))
    if not known:
        changed += identities.give(connection, whose, arrival.identity, now_ms)
    changed.append(sessions.add(connection, NewSession(whose, new.token, new.device), now_ms))
    deleted = sessions.delete(connection, [hash_of(ended)])
    changed += map(sessions.row, deleted)
    note = rows_note(connection, changed, now_ms, whose)
    granted = grants if whose == new.player else ()
    result = ArrivedPlayer(whose, sessions.shown(deleted))
    return Recorded(result, (note, *granted, replace(arrival.note, player=whose)))


def _guest(connection: Connection, token: str) -> str:
    """Return the guest whose session has this token; empty if there is none."""
    row = connection.execute(FIND_GUEST, (hash_of(token),)).fetchone()
    return str(row[0]) if row else ""
