"""SQLite connections: one that writes, many that read, and the lock that admits one writing process.

Only the writing connection checkpoints the log. SQLite before 3.51.3 can corrupt a database whose log several
connections write or reset.
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
from croupier.ledger.sql import loop_guard
from croupier.ledger.sql.chunks import CHUNK_SIZES

SqliteError = sqlite3.Error
"""Any error of SQLite, for callers that open a file which may be damaged."""
SQLITE_VERSION = sqlite3.sqlite_version
SQLITE_VERSION_MIN = (3, 38, 0)
WRITER_PRAGMAS: Mapping[str, str | int] = {
    "journal_mode": "wal",
    "synchronous": 2,  # FULL: NORMAL loses acknowledged commits on a power failure
    "fullfsync": 1,  # on macOS fsync alone doesn't reach the disk
    "checkpoint_fullfsync": 1,
    "cache_size": -65536,  # KiB: a whole table's players settle at once
    "temp_store": 2,  # MEMORY: otherwise a savepoint's undo data is written to a file
    "wal_autocheckpoint": 0,  # the writer checkpoints when idle, so that no commit waits for it
    "foreign_keys": 1,
    "recursive_triggers": 1,  # otherwise REPLACE deletes rows without firing the triggers that forbid it
}
READER_PRAGMAS: Mapping[str, str | int] = {"query_only": 1, "wal_autocheckpoint": 0}
LOCK_TIMEOUT_S, LOCK_POLL_S = 30.0, 0.01
"""Time that the writer process of a dead server gets to finish its requests."""
CACHED_STATEMENTS = 20 * CHUNK_SIZES
"""Statements that stay prepared: one text for each frequent statement and chunk length."""

OWNER_ONLY = 0o600
GROUP_AND_OTHERS = 0o077
SUFFIXES = ("", "-wal", "-shm", ".lock")
"""Of the files that belong to one database."""


def restrict_access(path: Path) -> None:
    """Create the database file if it's missing, and let only its owner read it and the files beside it.

    SQLite gives the files it creates later the permissions of the database file.
    """
    os.close(os.open(path, os.O_RDWR | os.O_CREAT, OWNER_ONLY))
    for file in (Path(f"{path}{suffix}") for suffix in SUFFIXES):
        with suppress(FileNotFoundError):
            if file.stat().st_mode & GROUP_AND_OTHERS:
                file.chmod(OWNER_ONLY)


def lock_database(path: Path) -> IO[str]:
    """Lock the database at `path` until the returned file is closed; DatabaseLocked if another has it.

    If the other process has been killed, wait until its writer process has finished.
    """
    lock = os.fdopen(os.open(f"{path}.lock", os.O_RDWR | os.O_CREAT | os.O_APPEND, OWNER_ONLY), "a+")
    deadline = monotonic() + LOCK_TIMEOUT_S
    while not _locked(lock):
        holder = _holder(lock)
        if monotonic() > deadline or _is_alive(holder):
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
    except (PermissionError, ValueError):  # another user's process, or an unknown one
        return True
    return True


def open_writer(path: Path) -> sqlite3.Connection:
    """Open the writing connection, which begins and ends transactions explicitly."""
    assert sqlite3.sqlite_version_info >= SQLITE_VERSION_MIN, f"SQLite {sqlite3.sqlite_version} is too old"
    connection = sqlite3.connect(
        path, timeout=30, isolation_level=None, check_same_thread=False, cached_statements=CACHED_STATEMENTS
    )
    return _set_pragmas(connection, WRITER_PRAGMAS)


def open_reader(path: Path) -> sqlite3.Connection:
    """Open a read-only connection."""
    loop_guard.check_off_loop()
    address = f"{path.resolve().as_uri()}?mode=ro"
    connection = sqlite3.connect(address, uri=True, isolation_level=None, check_same_thread=False)
    return _set_pragmas(connection, READER_PRAGMAS)


def _set_pragmas(connection: sqlite3.Connection, pragmas: Mapping[str, str | int]) -> sqlite3.Connection:
    """Set each pragma and read it back, since SQLite silently ignores a value it can't apply."""
    for name, value in pragmas.items():
        connection.execute(f"PRAGMA {name} = {value}")
        (set_to,) = connection.execute(f"PRAGMA {name}").fetchone()
        assert set_to == value, f"PRAGMA {name} is {set_to} and not {value}"
    return connection
