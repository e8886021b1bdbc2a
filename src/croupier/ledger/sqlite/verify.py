"""The audit as a whole: one state of the books, checked until the first row that is wrong."""

import sqlite3
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

from croupier.ledger.audit import Audit, Bad, Mark, Replay, Wrong
from croupier.ledger.chain import START
from croupier.ledger.sqlite.connection import reading

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
    try:
        connection = reading(path)
    except sqlite3.Error as error:
        return Report(0, 0, 0, START.hash.hex(), Bad("file", "", str(error)))
    with closing(connection):
        audit = Audit(connection, replay, marks)
        bad = _first_bad(connection, audit, progress)
    return Report(audit.head.seq, audit.rounds, audit.replayed, audit.head.hash.hex(), bad)


def _first_bad(connection: sqlite3.Connection, audit: Audit, progress: Progress) -> Bad | None:
    try:
        connection.execute("BEGIN")
        entries = audit.entries()
        for done in audit.journal():
            if done % TOLD_EVERY == 0:
                progress(done, entries)
        audit.close()
        progress(entries, entries)
    except Wrong as wrong:
        return wrong.bad
    except sqlite3.Error as error:
        return Bad("file", "", str(error))
    except Exception as error:  # noqa: BLE001 - rows can be damaged in more ways than can be foreseen
        return Bad("journal", f"seq {audit.head.seq + 1}", f"can't be read, nor what follows: {error!r}")
    return None
