"""Rows of other tables under the audit: whoever changes one enters its digest in the journal with it.

The journal's chain then covers those tables too. Entries have digests only, so that what a row says can be
deleted later, as the law asks of personal data, while the journal stays as it is.
"""

import secrets
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from hashlib import sha256
from sqlite3 import Connection
from typing import NamedTuple, TypeVar

import msgspec

from croupier.ledger.entries import Entry, note
from croupier.ledger.protocol import Recorded

T = TypeVar("T")
Digests = Mapping[str, Mapping[str, str | None]]
"""By table and by key, the digest of a row; None: there is no such row any more."""
RowFault = tuple[str, str, str]
"""The table, the row's key, and what is wrong."""

PREFIX = "rows:"
"""Of the keys of the entries."""
FIND_TABLE = "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?"
_to_json = msgspec.json.Encoder(order="deterministic").encode


class AuditedTable(NamedTuple):
    """Which columns of a table are under the audit; the first is its key."""

    table: str
    columns: tuple[str, ...]

    @property
    def select(self) -> str:
        return f"SELECT {', '.join(self.columns)} FROM {self.table}"  # noqa: S608 - names from below


AUDITED_TABLES = {
    each.table: each
    for each in (
        AuditedTable("player", ("id", "name", "created_ms", "settings_json")),
        AuditedTable("session", ("token_sha256", "player")),
        AuditedTable("staff", ("name", "role", "code_sha256", "added_ms")),
        AuditedTable("chat", ("seq", "table_id", "at_ms", "what", "note")),
        AuditedTable("training", ("player", "record")),
    )
}
"""A session's times change with every request, and say nothing that anybody is paid by: they are left out."""


class Key(NamedTuple):
    """Which row of which table."""

    table: str
    key: str | int


def audited(
    connection: Connection,
    work: Callable[[Connection], T],
    changed: Sequence[Key],
    at_ms: int,
    player: str = "",
    entries: Sequence[Entry] = (),
) -> Recorded[T]:
    """Do `work`, which changes these rows, and enter them as they are then; `entries` come after that."""
    result = work(connection)
    return Recorded(result, (rows_note(connection, changed, at_ms, player), *entries))


def rows_note(connection: Connection, changed: Iterable[Key], at_ms: int, player: str = "") -> Entry:
    """The entry that says how these rows are now."""
    digests: dict[str, dict[str, str | None]] = {}
    for table, key in changed:
        row = connection.execute(_select_one(table), (key,)).fetchone()
        digests.setdefault(table, {})[str(key)] = digest(row) if row else None
    return digests_note(digests, at_ms, player)


def digests_note(digests: Digests, at_ms: int, player: str = "") -> Entry:
    return note(f"{PREFIX}{secrets.token_hex(12)}", at_ms, {"rows": digests}, player=player)


def digest(row: Sequence[str | int]) -> str:
    """Of a row's audited columns."""
    return sha256(_to_json(row)).hexdigest()


@lru_cache
def _select_one(table: str) -> str:
    select, (key, *_) = AUDITED_TABLES[table].select, AUDITED_TABLES[table].columns
    return f"{select} WHERE {key} = ?"


def _exists(connection: Connection, table: AuditedTable) -> bool:
    """Whether the database has this table: one that an older version wrote may not."""
    return bool(connection.execute(FIND_TABLE, (table.table,)).fetchone())


class RowAudit:
    """Derive the audited rows from the journal, entry by entry, and compare them."""

    def __init__(self) -> None:
        self._said: dict[str, dict[str, str]] = {table: {} for table in AUDITED_TABLES}
        self._any = False

    def follow(self, entry: Entry) -> None:
        """msgspec.ValidationError when the entry isn't one of these."""
        self._any = True
        for table, rows in msgspec.convert(entry.body.get("rows"), dict[str, dict[str, str | None]]).items():
            said = self._said.setdefault(table, {})
            for key, row in rows.items():
                if row is None:
                    said.pop(key, None)
                else:
                    said[key] = row

    def wrong(self, connection: Connection) -> Iterator[RowFault]:
        """The rows that aren't as the journal says; none in a database from before rows were audited."""
        if self._any or connection.execute("SELECT 1 FROM meta WHERE key = 'database'").fetchone():
            for table in AUDITED_TABLES.values():
                yield from self._wrong_in(connection, table)

    def _wrong_in(self, connection: Connection, table: AuditedTable) -> Iterator[RowFault]:
        said = self._said[table.table]
        for row in connection.execute(f"{table.select} ORDER BY 1") if _exists(connection, table) else ():
            key = str(row[0])
            entered = said.pop(key, None)
            if entered != digest(row):
                yield table.table, key, "isn't as the journal has it" if entered else "no entry made it"
        for key in said:
            yield table.table, key, "is missing: the journal has it"
