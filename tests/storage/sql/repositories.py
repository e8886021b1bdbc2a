"""Repositories over a new database, called as the server calls them."""

from collections.abc import Iterator
from contextlib import contextmanager

from croupier.accounts.devices import NewSession
from croupier.accounts.identity import Identity, NewGuest
from croupier.ledger.sql.databases import Database
from croupier.ledger.sql.verify import verify
from croupier.ledger.stores import open_ledger
from croupier.storage.sql.stores import sql_stores
from croupier.storage.stores import Stores

NOW_MS = 1_000_000_000
HASH = "a-hash"


@contextmanager
def stores_in(database: Database) -> Iterator[Stores]:
    """Yield the stores of a new database, whose rows must agree with the journal at the end."""
    ledger = open_ledger(database)
    try:
        yield sql_stores(ledger)
    finally:
        ledger.close()
    assert verify(database).bad is None


def add_guest(stores: Stores, player: str, token: str, now_ms: int = NOW_MS) -> None:
    stores.accounts.add_guests([NewGuest(player, f"Guest {player}", token)], [], now_ms).result()


def add_account(stores: Stores, player: str, token: str, name: str = "", now_ms: int = NOW_MS) -> None:
    """Add a player with an account, whose name is the player's id unless given."""
    add_guest(stores, player, f"guest-{token}", now_ms)
    session = NewSession(player, token, "Chrome on Linux")
    stores.identities.add(Identity("account", name or player), HASH, session, now_ms).result()
