"""Audit rows of other tables: record the digests of the existing ones in the journal."""

import secrets
from collections.abc import Iterator

from alembic import op

from croupier.clock import now_ms
from croupier.ledger.chain import START, Head, link, row_of
from croupier.ledger.entries import Entry
from croupier.ledger.sql.audited_rows import digest, digests_note

revision = "0008"
down_revision = "0007"

ADD_ROW = "INSERT INTO journal VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
ROWS = {
    "player": "SELECT id, name, created_ms, settings_json FROM player ORDER BY id",
    "session": "SELECT token_sha256, player FROM session ORDER BY token_sha256",
    "staff": "SELECT name, role, code_sha256, added_ms FROM staff ORDER BY name",
    "chat": "SELECT seq, table_id, at_ms, what, note FROM chat ORDER BY seq",
}
"""The columns audited at first; the first of them is the key."""
ENTRY_ROWS_MAX = 1000


def upgrade() -> None:
    connection = op.get_bind()
    connection.exec_driver_sql("INSERT INTO meta VALUES ('database', ?)", (secrets.token_hex(16),))
    last = connection.exec_driver_sql("SELECT seq, hash FROM journal ORDER BY seq DESC LIMIT 1").fetchone()
    head = Head(*last) if last else START
    for entry in _entries():
        row = row_of(head.seq + 1, entry)
        head = link(head, row)
        connection.exec_driver_sql(ADD_ROW, (*row, head.hash))
    if head is not START:
        connection.exec_driver_sql("INSERT OR REPLACE INTO meta VALUES ('head', ?)", (str(head),))


def _entries() -> Iterator[Entry]:
    for table, query in ROWS.items():
        found = op.get_bind().exec_driver_sql(query)
        while rows := found.fetchmany(ENTRY_ROWS_MAX):
            yield digests_note({table: {str(row[0]): digest(tuple(row)) for row in rows}}, now_ms())
