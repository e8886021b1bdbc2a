"""Audited rows of other tables: every change also enters the row's digest in the journal.

So the journal's hash chain covers those tables too. Entries hold digests only: a row's content can be deleted
later, as data protection law requires, while the journal stays as it is.
"""

import secrets
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from hashlib import sha256
from typing import NamedTuple

import msgspec

from croupier.canonical_json import canonical_json
from croupier.ledger.entries import ROWS, Entry, note
from croupier.ledger.sql.connection import Connection
from croupier.ledger.sql.dialect import has_table

Digests = Mapping[str, Mapping[str, str | None]]
"""Digests by table and row key; None: the row is deleted."""
RowFault = tuple[str, str, str]
"""Table, row key, and what is wrong."""


class AuditedTable(NamedTuple):
    """A table and its audited columns, the key first."""

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
        AuditedTable("identity", ("player", "kind", "name", "password", "added_ms")),
        AuditedTable("mail_address", ("player", "address", "verified_ms")),
        AuditedTable("passkey", ("id", "kind", "owner", "public_key", "name", "added_ms")),
        AuditedTable("credential_change", ("player", "what", "at_ms")),
        AuditedTable("staff", ("name", "role", "code_sha256", "added_ms")),
        AuditedTable("staff_sign_in", ("name", "issued_ms", "secret")),
        AuditedTable(
            "approval",
            (
                "id",
                "kind",
                "player",
                "currency",
                "amount_minor",
                "reason",
                "asked_by",
                "asked_ms",
                "expires_ms",
                "state",
                "decided_by",
                "decided_ms",
            ),
        ),
        AuditedTable("chat", ("seq", "table_id", "at_ms", "what", "note")),
        AuditedTable("training", ("player", "record")),
        AuditedTable(
            "payment",
            (
                "id",
                "player",
                "direction",
                "currency",
                "amount_minor",
                "created_ms",
                "expires_ms",
                "state",
                "changed_ms",
                "moved_minor",
                "redirect",
                "reason",
            ),
        ),
    )
}
"""Without the times of sessions, passkeys and inquiries, which change often and which no money depends on."""


class RowKey(NamedTuple):
    table: str
    key: str | int


def rows_note(connection: Connection, changed: Iterable[RowKey], at_ms: int, player: str = "") -> Entry:
    """Return the entry with the present digests of these rows."""
    digests: dict[str, dict[str, str | None]] = {}
    for table, key in changed:
        row = connection.execute(_select_one(table), (key,)).fetchone()
        digests.setdefault(table, {})[str(key)] = digest(row) if row else None
    return digests_note(digests, at_ms, player)


def digests_note(digests: Digests, at_ms: int, player: str = "") -> Entry:
    return note(f"{ROWS}{secrets.token_hex(12)}", at_ms, {"rows": digests}, player=player)


def digest(row: Sequence[str | int]) -> str:
    """Return the digest of a row's audited columns."""
    return sha256(canonical_json(row)).hexdigest()


@lru_cache
def _select_one(table: str) -> str:
    select, (key, *_) = AUDITED_TABLES[table].select, AUDITED_TABLES[table].columns
    return f"{select} WHERE {key} = ?"


class RowAudit:
    """Collects the digests from the journal, entry by entry, and compares the rows with them."""

    def __init__(self) -> None:
        self._digests: dict[str, dict[str, str]] = {table: {} for table in AUDITED_TABLES}
        self._any = False

    def follow(self, entry: Entry) -> None:
        """Add the digests of an entry; msgspec.ValidationError where it has none."""
        self._any = True
        for table, rows in msgspec.convert(entry.body.get("rows"), dict[str, dict[str, str | None]]).items():
            digests = self._digests.setdefault(table, {})
            for key, row in rows.items():
                if row is None:
                    digests.pop(key, None)
                else:
                    digests[key] = row

    def faults(self, connection: Connection) -> Iterator[RowFault]:
        """Yield the rows that differ from the journal; none if the database is older than audited rows."""
        if self._any or connection.execute("SELECT 1 FROM meta WHERE key = 'database'").fetchone():
            for table in AUDITED_TABLES.values():
                yield from self._table_faults(connection, table)

    def _table_faults(self, connection: Connection, table: AuditedTable) -> Iterator[RowFault]:
        digests = self._digests[table.table]
        for row in (
            connection.execute(f"{table.select} ORDER BY 1") if has_table(connection, table.table) else ()
        ):
            key = str(row[0])
            entered = digests.pop(key, None)
            if entered != digest(row):
                yield table.table, key, "isn't as the journal has it" if entered else "no entry made it"
        for key in digests:
            yield table.table, key, "is missing: the journal has it"
