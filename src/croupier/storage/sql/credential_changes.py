"""Changes of players' credentials: `CredentialChanges` in SQL."""

from collections.abc import Collection, Iterable
from concurrent.futures import Future
from functools import partial

from croupier.accounts.credential_changes import AccountAccess, ChangedAccount, ChangeKind, Proof
from croupier.accounts.devices import EndedSession, NewSession
from croupier.accounts.mail_addresses import MailToken, Recipient
from croupier.accounts.passkeys import Passkey, PasskeyOwner, PasskeyUse
from croupier.ledger.sql.audited_rows import RowKey, rows_note
from croupier.ledger.sql.connection import Connection
from croupier.ledger.sql.transactions import Recorded, Transactions
from croupier.refusal import Refused
from croupier.storage.sql import mail_addresses, passkeys, sessions
from croupier.storage.sql.upserts import upsert

KEEP_CHANGE = upsert("credential_change", ("player", "what", "at_ms"))
FIND_CHANGE = "SELECT at_ms FROM credential_change WHERE player = ?"
SET_PASSWORD = "UPDATE identity SET password = ? WHERE player = ?"  # noqa: S105 - no password


class SqlCredentialChanges:
    """Follows `CredentialChanges`."""

    def __init__(self, store: Transactions) -> None:
        self._store = store

    def add_passkey(self, proof: Proof, passkey: Passkey) -> Future[ChangedAccount]:
        return self._store.run_recorded(partial(add_passkey, proof=proof, passkey=passkey))

    def remove_passkey(self, proof: Proof, player: str, passkey: str, now_ms: int) -> Future[ChangedAccount]:
        work = partial(remove_passkey, proof=proof, player=player, passkey=passkey, now_ms=now_ms)
        return self._store.run_recorded(work)

    def set_password(
        self, proof: Proof, password: str, session: NewSession, now_ms: int
    ) -> Future[ChangedAccount]:
        work = partial(set_password, proof=proof, password=password, session=session, now_ms=now_ms)
        return self._store.run_recorded(work)

    def add_address_token(self, proof: Proof, token: MailToken, now_ms: int) -> Future[None]:
        return self._store.run(partial(add_address_token, proof=proof, token=token, now_ms=now_ms))

    def remove_address(self, proof: Proof, player: str, now_ms: int) -> Future[ChangedAccount]:
        return self._store.run_recorded(partial(remove_address, proof=proof, player=player, now_ms=now_ms))

    def verify_address(self, token: str, now_ms: int) -> Future[ChangedAccount]:
        return self._store.run_recorded(partial(verify_address, token=token, now_ms=now_ms))

    def access(self, player: str) -> Future[AccountAccess]:
        return self._store.run(partial(access, player=player))

    def reset(
        self, token: str, password: str, kept_passkeys: Collection[str], now_ms: int
    ) -> Future[ChangedAccount]:
        kept = frozenset(kept_passkeys)
        work = partial(reset, token=token, password=password, kept_passkeys=kept, now_ms=now_ms)
        return self._store.run_recorded(work)


def add_passkey(connection: Connection, proof: Proof, passkey: Passkey) -> Recorded[ChangedAccount]:
    _confirm(connection, proof, passkey.added_ms)
    rows = [passkeys.insert(connection, passkey)]
    player = passkey.owner.id
    return _recorded(connection, player, "passkey_added", passkey.added_ms, rows)


def remove_passkey(
    connection: Connection, proof: Proof, player: str, passkey: str, now_ms: int
) -> Recorded[ChangedAccount]:
    _confirm(connection, proof, now_ms)
    rows = [passkeys.remove(connection, _owner(player), passkey)]
    mail_addresses.end_links(connection, player)
    return _recorded(connection, player, "passkey_removed", now_ms, rows)


def set_password(
    connection: Connection, proof: Proof, password: str, session: NewSession, now_ms: int
) -> Recorded[ChangedAccount]:
    player = session.player
    _confirm(connection, proof, now_ms)
    rows, ended = sessions.replace_all(connection, session, now_ms)
    rows.append(_set_password(connection, player, password))
    return _recorded(connection, player, "password", now_ms, rows, ended)


def add_address_token(connection: Connection, proof: Proof, token: MailToken, now_ms: int) -> None:
    _confirm(connection, proof, now_ms)
    mail_addresses.add_token(connection, token, now_ms)


def remove_address(
    connection: Connection, proof: Proof, player: str, now_ms: int
) -> Recorded[ChangedAccount]:
    _confirm(connection, proof, now_ms)
    former = mail_addresses.of(connection, player)
    mail_addresses.end_links(connection, player)
    rows = mail_addresses.remove_address(connection, player)
    if not rows:
        return Recorded(ChangedAccount("address_removed", now_ms), ())
    return _recorded(connection, player, "address_removed", now_ms, rows, former=former)


def verify_address(connection: Connection, token: str, now_ms: int) -> Recorded[ChangedAccount]:
    found = mail_addresses.use_token(connection, token, "verify", now_ms)
    before = mail_addresses.of(connection, found.player)
    former = None if before == found else before
    rows = [mail_addresses.set_address(connection, found, now_ms)]
    return _recorded(connection, found.player, "address_verified", now_ms, rows, former=former)


def access(connection: Connection, player: str) -> AccountAccess:
    return AccountAccess(passkeys.of(connection, _owner(player)), sessions.devices(connection, player))


def reset(
    connection: Connection, token: str, password: str, kept_passkeys: Collection[str], now_ms: int
) -> Recorded[ChangedAccount]:
    player = mail_addresses.use_token(connection, token, "reset", now_ms).player
    rows, ended = sessions.end_all(connection, player)
    rows.append(_set_password(connection, player, password))
    for passkey in passkeys.of(connection, _owner(player)):
        if passkey.id not in kept_passkeys:
            rows.append(passkeys.delete(connection, passkey.id))
    return _recorded(connection, player, "reset", now_ms, rows, ended)


def changed_ms(connection: Connection, player: str) -> int:
    """Return when a credential of a player was last changed; 0: never."""
    row = connection.execute(FIND_CHANGE, (player,)).fetchone()
    return int(row[0]) if row else 0


def _confirm(connection: Connection, proof: Proof, now_ms: int) -> None:
    """Refuse a proof whose credential isn't the player's any more."""
    if not isinstance(proof, PasskeyUse):
        if not connection.execute(sessions.HAS_PASSWORD, proof).fetchone():
            raise Refused("wrong_password")
        return
    try:
        passkeys.record_use(connection, proof, now_ms)
    except Refused:
        raise Refused("passkey_failed") from None


def _set_password(connection: Connection, player: str, password: str) -> RowKey:
    """Set the hash of a password, and end the links that were sent to set another one or an address."""
    mail_addresses.end_links(connection, player)
    connection.execute(SET_PASSWORD, (password, player))
    return RowKey("identity", player)


def _recorded(
    connection: Connection,
    player: str,
    what: ChangeKind,
    now_ms: int,
    rows: Iterable[RowKey],
    ended: tuple[EndedSession, ...] = (),
    former: Recipient | None = None,
) -> Recorded[ChangedAccount]:
    """Record a change with its time, and enter the changed rows."""
    connection.execute(KEEP_CHANGE, (player, what, now_ms))
    note = rows_note(connection, [*rows, RowKey("credential_change", player)], now_ms, player)
    address = mail_addresses.of(connection, player)
    return Recorded(ChangedAccount(what, now_ms, address, former, ended), (note,))


def _owner(player: str) -> PasskeyOwner:
    return PasskeyOwner("player", player)
