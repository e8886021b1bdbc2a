"""Players, sessions and settings: `Accounts` in SQL."""

from collections.abc import Mapping, Sequence
from concurrent.futures import Future
from functools import partial

from croupier.accounts.balances import PlayerBalances
from croupier.accounts.devices import ID_LENGTH, NewSession
from croupier.accounts.identity import GUEST, VISIT_ENDS_MS, Identity, NewGuest, Player, hash_of
from croupier.accounts.play_time import Stretch, Stretches
from croupier.ledger.entries import Entry
from croupier.ledger.sql.audited_rows import RowKey, rows_note
from croupier.ledger.sql.connection import Connection
from croupier.ledger.sql.transactions import Recorded, Transactions
from croupier.storage.sql import balances, play_time, sessions

ADD_PLAYER = "INSERT INTO player (id, name, created_ms, settings_json) VALUES (?, ?, ?, '{}')"
FIND_PLAYER = "SELECT 1 FROM player WHERE id = ?"
FIND_SESSION = """SELECT p.id, p.name, p.settings_json, s.created_ms, s.seen_ms, i.kind, i.name, i.password
    FROM session s JOIN player p ON p.id = s.player LEFT JOIN identity i ON i.player = p.id
    WHERE s.token_sha256 = ?"""
FIND_SEATED = f"""SELECT p.name, p.settings_json, s.created_ms, i.kind, i.name, i.password
    FROM session s JOIN player p ON p.id = s.player LEFT JOIN identity i ON i.player = p.id
    WHERE s.player = ? AND substr(s.token_sha256, 1, {ID_LENGTH}) = ?"""  # noqa: S608 - a number
SEE_SESSION = "UPDATE session SET created_ms = ?, seen_ms = ?, active_ms = ? WHERE token_sha256 = ?"
END_VISITS = f"UPDATE session SET active_ms = {sessions.LAST_SEEN}, seen_ms = 0 WHERE player = ?"  # noqa: S608
MARK_SEEN = "UPDATE session SET seen_ms = ? WHERE player = ? AND seen_ms >= ?"
FIND_SETTINGS = "SELECT settings_json FROM player WHERE id = ?"
SAVE_SETTINGS = "UPDATE player SET settings_json = ? WHERE id = ?"


class SqlAccounts:
    """Follows `Accounts`."""

    def __init__(self, store: Transactions) -> None:
        self._store = store

    def add_guests(self, guests: Sequence[NewGuest], grants: Sequence[Entry], now_ms: int) -> Future[None]:
        work = partial(add_guests, guests=tuple(guests), grants=tuple(grants), now_ms=now_ms)
        return self._store.run_recorded(work)

    def exists(self, player: str) -> Future[bool]:
        return self._store.run(partial(exists, player=player))

    def signed_in(self, token: str, now_ms: int) -> Future[Player | None]:
        return self._store.run(partial(signed_in, token=token, now_ms=now_ms))

    def arriving(self, token: str, now_ms: int) -> Future[tuple[Player, PlayerBalances] | None]:
        return self._store.run(partial(arriving, token=token, now_ms=now_ms))

    def seated(self, player: str, session: str) -> Future[tuple[Player, PlayerBalances] | None]:
        return self._store.run(partial(seated, player=player, session=session))

    def balances(self, visits: Mapping[str, int]) -> Future[dict[str, PlayerBalances]]:
        return self._store.read(partial(balances.read_all, visits=dict(visits)))

    def end_visits(self, player: str) -> Future[None]:
        return self._store.run(partial(end_visits, player=player))

    def mark_seen(self, players: Sequence[str], now_ms: int) -> Future[None]:
        return self._store.run(partial(mark_seen, players=tuple(players), now_ms=now_ms))

    def play_time(self, player: str) -> Future[Stretches]:
        return self._store.run(partial(play_time.find, player=player))

    def mark_playing(self, played: Mapping[str, Stretch], now_ms: int) -> Future[dict[str, Stretches]]:
        return self._store.run(partial(play_time.mark, played=dict(played), now_ms=now_ms))

    def save_settings(self, player: str, settings_json: str, now_ms: int) -> Future[None]:
        work = partial(save_settings, player=player, settings_json=settings_json, now_ms=now_ms)
        return self._store.run_recorded(work)

    def settings(self, player: str) -> Future[str]:
        return self._store.run(partial(settings, player=player))


def add_guests(
    connection: Connection, guests: Sequence[NewGuest], grants: Sequence[Entry], now_ms: int
) -> Recorded[None]:
    connection.executemany(ADD_PLAYER, [(guest.player, guest.name, now_ms) for guest in guests])
    changed = [RowKey("player", guest.player) for guest in guests]
    new = (NewSession(guest.player, guest.token, guest.device) for guest in guests)
    changed += [sessions.add(connection, session, now_ms) for session in new]
    player = guests[0].player if len(guests) == 1 else ""
    return Recorded(None, (rows_note(connection, changed, now_ms, player), *grants))


def exists(connection: Connection, player: str) -> bool:
    return connection.execute(FIND_PLAYER, (player,)).fetchone() is not None


def signed_in(connection: Connection, token: str, now_ms: int) -> Player | None:
    row = connection.execute(FIND_SESSION, (hash_of(token),)).fetchone()
    if row is None:
        return None
    player, name, settings_json, visit_ms, seen_ms, kind, login, password = row
    if now_ms - seen_ms > VISIT_ENDS_MS or visit_ms > now_ms:
        visit_ms = sessions.visit_ms(connection, player, now_ms)
    connection.execute(SEE_SESSION, (visit_ms, now_ms, now_ms, hash_of(token)))
    identity = Identity(kind, login) if kind else GUEST
    return Player(player, name, settings_json, visit_ms, identity, bool(password))


def arriving(connection: Connection, token: str, now_ms: int) -> tuple[Player, PlayerBalances] | None:
    player = signed_in(connection, token, now_ms)
    if player is None:
        return None
    player = player._replace(stretches=play_time.begin(connection, player.id, now_ms))
    return player, balances.read(connection, player.id, player.visit_ms)


def seated(connection: Connection, player: str, session: str) -> tuple[Player, PlayerBalances] | None:
    row = connection.execute(FIND_SEATED, (player, session)).fetchone()
    if row is None:
        return None
    name, settings_json, visit_ms, kind, login, password = row
    identity = Identity(kind, login) if kind else GUEST
    stretches = play_time.find(connection, player)
    found = Player(player, name, settings_json, visit_ms, identity, bool(password), stretches)
    return found, balances.read(connection, player, visit_ms)


def end_visits(connection: Connection, player: str) -> None:
    connection.execute(END_VISITS, (player,))


def mark_seen(connection: Connection, players: Sequence[str], now_ms: int) -> None:
    connection.executemany(MARK_SEEN, [(now_ms, player, now_ms - VISIT_ENDS_MS) for player in players])


def save_settings(connection: Connection, player: str, settings_json: str, now_ms: int) -> Recorded[None]:
    connection.execute(SAVE_SETTINGS, (settings_json, player))
    return Recorded(None, (rows_note(connection, [RowKey("player", player)], now_ms, player),))


def settings(connection: Connection, player: str) -> str:
    (settings_json,) = connection.execute(FIND_SETTINGS, (player,)).fetchone()
    return str(settings_json)
