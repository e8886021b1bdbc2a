"""Audit a database in one consistent state, up to the first wrong row."""

from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

from croupier.ledger.audit import AuditProgress, AuditReport, BadRow, KnownHash, Replay
from croupier.ledger.chain import START
from croupier.ledger.sql.audit import Audit, AuditFailed
from croupier.ledger.sql.connection import Connection
from croupier.ledger.sql.databases import Database, database_errors, is_sqlite_error
from croupier.ledger.sql.opening import open_reader

PROGRESS_EACH = 1000
"""Entries between two calls of `progress`."""


def verify(
    database: Database,
    *,
    replay: Replay = lambda _record: None,
    progress: AuditProgress = lambda _done, _all: None,
    known: Sequence[KnownHash] = (),
) -> AuditReport:
    """Audit the database; its server may be running. FileNotFoundError if its file is missing.

    `known` are hashes known from elsewhere, such as those of anchors and receipts.
    """
    if isinstance(database, Path) and not database.exists():
        raise FileNotFoundError(database)
    try:
        connection = open_reader(database)
    except database_errors() as error:
        return AuditReport(0, 0, 0, START.hash.hex(), unreadable(error))
    with closing(connection):
        audit = Audit(connection, replay, known)
        bad = _first_bad_row(connection, audit, progress)
    return AuditReport(audit.head.seq, audit.rounds, audit.replayed, audit.head.hash.hex(), bad)


def unreadable(error: Exception) -> BadRow:
    """Return what is wrong with an SQLite file. Errors of PostgreSQL aren't wrong rows: they are raised."""
    if not is_sqlite_error(error):
        raise error
    return BadRow("file", "", str(error))


def _first_bad_row(connection: Connection, audit: Audit, progress: AuditProgress) -> BadRow | None:
    try:
        connection.execute("BEGIN")
        entries = audit.entries()
        for done in audit.check_journal():
            if done % PROGRESS_EACH == 0:
                progress(done, entries)
        audit.check_end()
        progress(entries, entries)
    except AuditFailed as failed:
        return failed.bad
    except database_errors() as error:
        return unreadable(error)
    except Exception as error:  # noqa: BLE001 - damaged rows can raise anything
        return BadRow("journal", f"seq {audit.head.seq + 1}", f"can't be read, nor what follows: {error!r}")
    return None
