"""Connections to the books in SQLite: one that writes, many that read, one process that holds them.

One connection writes and moves the log into the file; readers can do neither. SQLite before 3.51.3
can damage a file whose log several connections write or reset.
"""

import fcntl
import os
import sqlite3
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from time import monotonic, sleep
from typing import IO

from croupier.ledger.protocol import LedgerHeld
from croupier.ledger.sqlite.batching import SIZES

OLDEST_SQLITE = (3, 38, 0)
WRITER: Mapping[str, str | int] = {
    "journal_mode": "wal",
    "synchronous": 2,  # FULL: NORMAL loses acknowledged commits at a power cut
    "fullfsync": 1,  # on macOS fsync alone doesn't reach the disk
    "checkpoint_fullfsync": 1,
    "cache_size": -65536,  # KiB: a whole table's players settle at once
    "temp_store": 2,  # MEMORY: else what a savepoint may have to bring back is written to a file
    "wal_autocheckpoint": 0,  # nobody's commit waits for it: the writer does it when nothing is to be done
    "foreign_keys": 1,
    "recursive_triggers": 1,  # else REPLACE would delete rows past the triggers that forbid it
}
FINISHED_WITHIN_S, LOOKS_EACH_S = 30.0, 0.01
"""So long a dead holder's writer may need for what he was handed, and so often it is looked for his end."""
PREPARED = 20 * SIZES
"""Statements that stay prepared: of each hot one as many texts as portions have sizes."""
READER: Mapping[str, str | int] = {"query_only": 1, "wal_autocheckpoint": 0}


OWNER_ONLY = 0o600
OF_OTHERS = 0o077
SUFFIXES = ("", "-wal", "-shm", ".lock")
"""Of the files that belong to one database."""


def restrict(path: Path) -> None:
    """Make the database file if there is none, and let nobody but its owner read it or what lies beside it.

    SQLite gives the files beside it the permissions of the database file, so those it makes later have them.
    """
    os.close(os.open(path, os.O_RDWR | os.O_CREAT, OWNER_ONLY))
    for file in (Path(f"{path}{suffix}") for suffix in SUFFIXES):
        with suppress(FileNotFoundError):
            if file.stat().st_mode & OF_OTHERS:
                file.chmod(OWNER_ONLY)


def hold(path: Path) -> IO[str]:
    """Hold the books at `path` until the file given back is closed; LedgerHeld when another does.

    When the other has been killed, whoever writes for him has yet to carry out what he was handed.
    """
    lock = os.fdopen(os.open(f"{path}.lock", os.O_RDWR | os.O_CREAT | os.O_APPEND, OWNER_ONLY), "a+")
    until = monotonic() + FINISHED_WITHIN_S
    while not _locked(lock):
        holder = _holder(lock)
        if monotonic() > until or _lives(holder):
            lock.close()
            raise LedgerHeld(f"{path} is in use by process {holder}: only one may write it")
        sleep(LOOKS_EACH_S)
    restrict(path)
    lock.truncate(0)
    lock.write(f"{os.getpid()}\n")
    lock.flush()
    return lock


def _locked(lock: IO[str]) -> bool:
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _holder(lock: IO[str]) -> str:
    lock.seek(0)
    return lock.read().strip() or "unknown"


def _lives(process: str) -> bool:
    try:
        os.kill(int(process), 0)
    except ProcessLookupError:
        return False
    except (PermissionError, ValueError):  # another user's, or none is told
        return True
    return True


def writing(path: Path) -> sqlite3.Connection:
    """The connection that writes; it begins and ends its transactions itself."""
    assert sqlite3.sqlite_version_info >= OLDEST_SQLITE, f"SQLite {sqlite3.sqlite_version} is too old"
    connection = sqlite3.connect(
        path, timeout=30, isolation_level=None, check_same_thread=False, cached_statements=PREPARED
    )
    return _set(connection, WRITER)


def reading(path: Path) -> sqlite3.Connection:
    """A connection that can only read."""
    address = f"{path.resolve().as_uri()}?mode=ro"
    connection = sqlite3.connect(address, uri=True, isolation_level=None, check_same_thread=False)
    return _set(connection, READER)


def _set(connection: sqlite3.Connection, pragmas: Mapping[str, str | int]) -> sqlite3.Connection:
    """A pragma that SQLite can't follow is ignored without a word, so each is read back."""
    for name, value in pragmas.items():
        connection.execute(f"PRAGMA {name} = {value}")
        (set_to,) = connection.execute(f"PRAGMA {name}").fetchone()
        assert set_to == value, f"PRAGMA {name} is {set_to} and not {value}"
    return connection
