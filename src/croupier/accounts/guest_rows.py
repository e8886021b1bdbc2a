"""Deleting guests, on the writer's connection; the database and the journal change together."""

from collections.abc import Iterator, Sequence
from sqlite3 import Connection

from croupier.accounts import identity
from croupier.ledger import entries
from croupier.ledger.audited_rows import Key, rows_note
from croupier.ledger.entries import Entry
from croupier.ledger.protocol import Recorded

FIND_CASH = (
    "SELECT currency, balance_minor FROM account WHERE owner = ? AND kind = 'cash' AND balance_minor > 0"
)


def expire(
    connection: Connection, players: Sequence[str], before_ms: int, now_ms: int
) -> Recorded[tuple[str, ...]]:
    """Delete those of `players` who are still unused, and return who they are.

    The journal gets what it needs to know of the rows, and an `expiry` entry for all the money of each guest.
    """
    deleted = identity.delete_unused(connection, players, before_ms)
    if not deleted.players:
        return Recorded((), ())
    rows = [Key("player", player) for player in deleted.players]
    rows += [Key("session", session) for session in deleted.sessions]
    taken = [entry for player in deleted.players for entry in _expiries(connection, player, now_ms)]
    return Recorded(deleted.players, (rows_note(connection, rows, now_ms), *taken))


def _expiries(connection: Connection, player: str, now_ms: int) -> Iterator[Entry]:
    for currency, cash_minor in connection.execute(FIND_CASH, (player,)):
        yield entries.expiry(f"expiry:{player}:{currency}", now_ms, player, currency, cash_minor)
