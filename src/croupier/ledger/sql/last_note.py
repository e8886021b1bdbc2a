"""The last note of a kind, read from a database that may be damaged."""

from collections.abc import Mapping
from contextlib import closing, suppress
from typing import Any, NamedTuple

import msgspec

from croupier.ledger.sql.databases import Database, database_errors, open_reader

FIND_LAST = """SELECT seq, body FROM journal
    WHERE key >= ? AND key < ? AND kind = 'note' ORDER BY key DESC LIMIT 1"""


class LastNote(NamedTuple):
    seq: int
    body: Mapping[str, Any]


def last_note(database: Database, prefix: str) -> LastNote | None:
    """Return the last note whose key has this prefix; None without one, or where it can't be read."""
    after = prefix[:-1] + chr(ord(prefix[-1]) + 1)
    with suppress(*database_errors(), msgspec.MsgspecError), closing(open_reader(database)) as connection:
        if found := connection.execute(FIND_LAST, (prefix, after)).fetchone():
            return LastNote(found[0], msgspec.json.decode(found[1], type=dict[str, Any]))
    return None
