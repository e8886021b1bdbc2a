"""The audit as a whole: one state of the books, checked until the first row that is wrong."""

import sqlite3
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

from croupier.ledger.audit import Audit, AuditFailed, BadRow, KnownHash, Replay
from croupier.ledger.chain import START
from croupier.ledger.sqlite.connection import open_reader

AuditProgress = Callable[[int, int], None]
"""Told how many entries of how many are done."""
PROGRESS_EACH = 1000


class AuditReport(NamedTuple):
    """How far the audit came: to the end, or to `bad`; `head` is the hash of the journal's last row."""

    entries: int
    rounds: int
    replayed: int
    head: str
    bad: BadRow | None


def verify(
    path: Path,
    *,
    replay: Replay = lambda _record: None,
    progress: AuditProgress = lambda _done, _all: None,
    marks: Sequence[KnownHash] = (),
) -> AuditReport:
    """Check the books at `path`, also those of a house that is open. FileNotFoundError: there are none.

    `marks` are hashes that are known from elsewhere, such as those of anchors and receipts.
    """
    if not path.exists():
        raise FileNotFoundError(path)
    try:
        connection = open_reader(path)
    except sqlite3.Error as error:
        return AuditReport(0, 0, 0, START.hash.hex(), BadRow("file", "", str(error)))
    with closing(connection):
        audit = Audit(connection, replay, marks)
        bad = _first_bad(connection, audit, progress)
    return AuditReport(audit.head.seq, audit.rounds, audit.replayed, audit.head.hash.hex(), bad)


def _first_bad(connection: sqlite3.Connection, audit: Audit, progress: AuditProgress) -> BadRow | None:
    try:
        connection.execute("BEGIN")
        entries = audit.entries()
        for done in audit.journal():
            if done % PROGRESS_EACH == 0:
                progress(done, entries)
        audit.close()
        progress(entries, entries)
    except AuditFailed as wrong:
        return wrong.bad
    except sqlite3.Error as error:
        return BadRow("file", "", str(error))
    except Exception as error:  # noqa: BLE001 - rows can be damaged in more ways than can be foreseen
        return BadRow("journal", f"seq {audit.head.seq + 1}", f"can't be read, nor what follows: {error!r}")
    return None
