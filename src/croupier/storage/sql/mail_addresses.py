"""E-mail addresses and their tokens: `MailAddresses` in SQL."""

from concurrent.futures import Future
from functools import partial

from croupier.accounts.identity import hash_of
from croupier.accounts.mail_addresses import TOKEN_MINUTES, AddressStatus, MailToken, Recipient, TokenPurpose
from croupier.ledger.sql.audited_rows import RowKey
from croupier.ledger.sql.connection import Connection
from croupier.ledger.sql.transactions import Transactions
from croupier.refusal import Refused
from croupier.storage.sql.upserts import upsert

TOKEN_MS = TOKEN_MINUTES * 60_000
STATUS = """SELECT coalesce((SELECT address FROM mail_address WHERE player = ?), ''),
    coalesce((SELECT address FROM mail_token
        WHERE player = ? AND purpose = 'verify' AND expires_ms > ?), '')"""
TOKEN_COLUMNS = "token_sha256", "player", "purpose", "address", "expires_ms"
ADD = upsert("mail_token", TOKEN_COLUMNS, key=("player", "purpose"))
FIND_OWNER = """SELECT t.player, i.name, t.address FROM mail_token t JOIN identity i ON i.player = t.player
    WHERE t.token_sha256 = ? AND t.purpose = ? AND t.expires_ms > ?"""
DELETE_EXPIRED = "DELETE FROM mail_token WHERE expires_ms <= ?"
DELETE_TOKENS = "DELETE FROM mail_token WHERE player = ?"
IS_TAKEN = "SELECT 1 FROM mail_address WHERE address = ? AND player != ?"
SET_ADDRESS = upsert("mail_address", ("player", "address", "verified_ms"))
DELETE_ADDRESS = "DELETE FROM mail_address WHERE player = ?"
RECIPIENT = """SELECT m.player, i.name, m.address FROM mail_address m JOIN identity i ON i.player = m.player
    WHERE i.kind = 'account' AND """
FIND_RECIPIENTS = f"{RECIPIENT} (i.name = ? OR m.address = ?) ORDER BY m.player"
FIND_OF = f"{RECIPIENT} m.player = ?"


class SqlMailAddresses:
    """Follows `MailAddresses`."""

    def __init__(self, store: Transactions) -> None:
        self._store = store

    def status(self, player: str, now_ms: int) -> Future[AddressStatus]:
        return self._store.run(partial(status, player=player, now_ms=now_ms))

    def add_token(self, token: MailToken, now_ms: int) -> Future[None]:
        return self._store.run(partial(add_token, token=token, now_ms=now_ms))

    def owner(self, token: str, purpose: TokenPurpose, now_ms: int) -> Future[Recipient | None]:
        return self._store.run(partial(owner, token=token, purpose=purpose, now_ms=now_ms))

    def recipients(self, name: str) -> Future[tuple[Recipient, ...]]:
        return self._store.run(partial(recipients, name=name))

    def of(self, player: str) -> Future[Recipient | None]:
        return self._store.run(partial(of, player=player))


def status(connection: Connection, player: str, now_ms: int) -> AddressStatus:
    return AddressStatus(*connection.execute(STATUS, (player, player, now_ms)).fetchone())


def add_token(connection: Connection, token: MailToken, now_ms: int) -> None:
    connection.execute(DELETE_EXPIRED, (now_ms,))
    connection.execute(ADD, (hash_of(token.token), *token[1:], now_ms + TOKEN_MS))


def owner(connection: Connection, token: str, purpose: TokenPurpose, now_ms: int) -> Recipient | None:
    row = connection.execute(FIND_OWNER, (hash_of(token), purpose, now_ms)).fetchone()
    return Recipient(*row) if row else None


def recipients(connection: Connection, name: str) -> tuple[Recipient, ...]:
    return tuple(Recipient(*row) for row in connection.execute(FIND_RECIPIENTS, (name, name)))


def of(connection: Connection, player: str) -> Recipient | None:
    row = connection.execute(FIND_OF, (player,)).fetchone()
    return Recipient(*row) if row else None


# --- parts of other transactions


def set_address(connection: Connection, found: Recipient, now_ms: int) -> RowKey:
    """Make an address its player's; refuse `address_taken` if another player has it."""
    if connection.execute(IS_TAKEN, (found.address, found.player)).fetchone():
        raise Refused("address_taken")
    connection.execute(SET_ADDRESS, (found.player, found.address, now_ms))
    return RowKey("mail_address", found.player)


def remove_address(connection: Connection, player: str) -> list[RowKey]:
    """Remove a player's address, if there is one; return the changed rows."""
    removed = connection.execute(DELETE_ADDRESS, (player,)).rowcount
    return [RowKey("mail_address", player)] if removed else []


def end_links(connection: Connection, player: str) -> None:
    """Delete all tokens of a player: links that were sent before no longer do anything."""
    connection.execute(DELETE_TOKENS, (player,))


def use_token(connection: Connection, token: str, purpose: TokenPurpose, now_ms: int) -> Recipient:
    """Delete the tokens of a token's owner, who is returned; refuse `link_expired` if it isn't valid."""
    found = owner(connection, token, purpose, now_ms)
    if found is None:
        raise Refused("link_expired")
    end_links(connection, found.player)
    return found
