"""The last note of a kind, read from a database that may be damaged."""

from collections.abc import Mapping
from contextlib import closing
from typing import Any, NamedTuple

import msgspec

from croupier.ledger.sql.connection import Connection
from croupier.ledger.sql.databases import Database, database_errors
from croupier.ledger.sql.opening import open_reader

FIND_LAST = """SELECT seq, body FROM journal
    WHERE key >= ? AND key < ? AND kind = 'note' ORDER BY key DESC LIMIT 1"""

UNREADABLE: tuple[type[Exception], ...] = (msgspec.MsgspecError,)


class LastNote(NamedTuple):
    seq: int
    body: Mapping[str, Any]


def last_note(database: Database, prefix: str) -> LastNote | None:
    """Return the last note whose key has this prefix; None without one, or where it can't be read."""
    try:
        with closing(open_reader(database)) as connection:
            return read_last_note(connection, prefix)
    except UNREADABLE + database_errors():
        return None


def read_last_note(connection: Connection, prefix: str) -> LastNote | None:
    """Return the last note whose key has this prefix, read on a connection; None without one."""
    after = prefix[:-1] + chr(ord(prefix[-1]) + 1)
    found = connection.execute(FIND_LAST, (prefix, after)).fetchone()
    return LastNote(found[0], msgspec.json.decode(found[1], type=dict[str, Any])) if found else None
