"""Copies of a database that is in use."""

import os
import sqlite3
from collections.abc import Callable
from contextlib import closing
from functools import partial
from pathlib import Path

from croupier.ledger.sqlite.connection import open_reader, restrict_access

CopyProgress = Callable[[int, int], None]
"""Called with the number of pages that are copied, and of all pages."""
PAGES_PER_STEP = 2_000


def copy_database(source: Path, target: Path, progress: CopyProgress) -> None:
    """Copy the database as of now to a new file; other processes may go on writing to it."""
    restrict_access(target)
    with closing(open_reader(source)) as reader, closing(sqlite3.connect(target)) as copy:
        # Within one read transaction the copy is of one moment, and never starts again after a commit.
        reader.execute("BEGIN")
        reader.execute("SELECT 1 FROM sqlite_schema").fetchone()
        reader.backup(copy, pages=PAGES_PER_STEP, progress=partial(_report, progress))
    with target.open("rb") as file:
        os.fsync(file.fileno())


def _report(progress: CopyProgress, _status: int, left: int, total: int) -> None:
    progress(total - left, total)
