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

from croupier.ledger.protocol import DatabaseLocked
from croupier.ledger.sqlite.batching import CHUNK_SIZES

SQLITE_VERSION_MIN = (3, 38, 0)
WRITER_PRAGMAS: Mapping[str, str | int] = {
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
LOCK_TIMEOUT_S, LOCK_POLL_S = 30.0, 0.01
"""So long a dead holder's writer may need for what he was handed, and so often it is looked for his end."""
CACHED_STATEMENTS = 20 * CHUNK_SIZES
"""Statements that stay prepared: of each hot one as many texts as portions have sizes."""
READER_PRAGMAS: Mapping[str, str | int] = {"query_only": 1, "wal_autocheckpoint": 0}


OWNER_ONLY = 0o600
GROUP_AND_OTHERS = 0o077
SUFFIXES = ("", "-wal", "-shm", ".lock")
"""Of the files that belong to one database."""


def restrict_access(path: Path) -> None:
    """Make the database file if there is none, and let nobody but its owner read it or what lies beside it.

    SQLite gives the files beside it the permissions of the database file, so those it makes later have them.
    """
    os.close(os.open(path, os.O_RDWR | os.O_CREAT, OWNER_ONLY))
    for file in (Path(f"{path}{suffix}") for suffix in SUFFIXES):
        with suppress(FileNotFoundError):
            if file.stat().st_mode & GROUP_AND_OTHERS:
                file.chmod(OWNER_ONLY)


def lock_database(path: Path) -> IO[str]:
    """Hold the books at `path` until the file given back is closed; DatabaseLocked when another does.

    When the other has been killed, whoever writes for him has yet to carry out what he was handed.
    """
    lock = os.fdopen(os.open(f"{path}.lock", os.O_RDWR | os.O_CREAT | os.O_APPEND, OWNER_ONLY), "a+")
    until = monotonic() + LOCK_TIMEOUT_S
    while not _locked(lock):
        holder = _holder(lock)
        if monotonic() > until or _is_alive(holder):
            lock.close()
            raise DatabaseLocked(f"{path} is in use by process {holder}: only one may write it")
        sleep(LOCK_POLL_S)
    restrict_access(path)
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


def _is_alive(process: str) -> bool:
    try:
        os.kill(int(process), 0)
    except ProcessLookupError:
        return False
    except (PermissionError, ValueError):  # another user's, or none is told
        return True
    return True


def open_writer(path: Path) -> sqlite3.Connection:
    """The connection that writes; it begins and ends its transactions itself."""
    assert sqlite3.sqlite_version_info >= SQLITE_VERSION_MIN, f"SQLite {sqlite3.sqlite_version} is too old"
    connection = sqlite3.connect(
        path, timeout=30, isolation_level=None, check_same_thread=False, cached_statements=CACHED_STATEMENTS
    )
    return _set(connection, WRITER_PRAGMAS)


def open_reader(path: Path) -> sqlite3.Connection:
    """A connection that can only read."""
    address = f"{path.resolve().as_uri()}?mode=ro"
    connection = sqlite3.connect(address, uri=True, isolation_level=None, check_same_thread=False)
    return _set(connection, READER_PRAGMAS)


def _set(connection: sqlite3.Connection, pragmas: Mapping[str, str | int]) -> sqlite3.Connection:
    """A pragma that SQLite can't follow is ignored without a word, so each is read back."""
    for name, value in pragmas.items():
        connection.execute(f"PRAGMA {name} = {value}")
        (set_to,) = connection.execute(f"PRAGMA {name}").fetchone()
        assert set_to == value, f"PRAGMA {name} is {set_to} and not {value}"
    return connection
