"""The audit as a whole: one state of the books, checked until the first row that is wrong."""

import sqlite3
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

from croupier.ledger.audit import Audit, Bad, Mark, Replay, Wrong
from croupier.ledger.connect import reading

Progress = Callable[[int, int], None]
"""Told how many entries of how many are done."""
TOLD_EVERY = 1000


class Report(NamedTuple):
    """How far the audit came: to the end, or to `bad`; `head` is the hash of the journal's last row."""

    entries: int
    rounds: int
    replayed: int
    head: str
    bad: Bad | None


def verify(
    path: Path,
    *,
    replay: Replay = lambda _record: None,
    progress: Progress = lambda _done, _all: None,
    marks: Sequence[Mark] = (),
) -> Report:
    """Check the books at `path`, also those of a house that is open. FileNotFoundError: there are none.

    `marks` are hashes that are known from elsewhere, such as those of anchors and receipts.
    """
    if not path.exists():
        raise FileNotFoundError(path)
    connection = reading(path)
    try:
        connection.execute("BEGIN")
        audit = Audit(connection, replay, marks)
        bad = _first_bad(audit, progress)
    finally:
        connection.close()
    return Report(audit.head.seq, audit.rounds, audit.replayed, audit.head.hash.hex(), bad)


def _first_bad(audit: Audit, progress: Progress) -> Bad | None:
    try:
        entries = audit.entries()
        for done in audit.journal():
            if done % TOLD_EVERY == 0:
                progress(done, entries)
        audit.close()
        progress(entries, entries)
    except Wrong as wrong:
        return wrong.bad
    except sqlite3.DatabaseError as error:
        return Bad("file", "", str(error))
    return None
