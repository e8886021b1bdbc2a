"""Maintain SQLite's write-ahead log: checkpoint it and allocate its space ahead of need.

A commit that makes a file longer waits for more than its own bytes: the file system records the new length
and extents, for which ext4 uses a kernel worker that may queue behind whatever keeps its processor busy. So
the log is lengthened in idle moments, with zeros, in which SQLite finds no commit.
"""

import logging
import os
from collections.abc import Callable
from pathlib import Path
from sqlite3 import Connection

IDLE_S = 0.3
"""Time without work before a checkpoint; less, the longer the log is."""
COMMITS_MAX, CHANGED_ROWS_MAX = 12_000, 500_000
"""Commits, and rows changed in them, that force a checkpoint though work waits. A checkpoint writes each page
once however often it was changed, so rare ones cost less in all."""
PREALLOCATED_FACTOR, PREALLOCATED_MAX = 40, 512 << 20
"""Length of the log as a multiple of what was written between two checkpoints, and its maximum in bytes. The
factor is large because load grows fast: a joining player writes 1 KB, a player who bets 37 KB a round."""
STEP_BYTES = 1 << 20
"""Bytes allocated at a time: work that arrives meanwhile waits for one step."""
STEP_DELAY_S = 0.002
DISK_FREE_MIN = 4 * PREALLOCATED_MAX
"""Bytes that must stay free on the disk; with less, nothing is allocated ahead."""

_FRAME_HEADER_BYTES = 24
"""Bytes before each page in the log (SQLite's file format, 4.1)."""
_sync = getattr(os, "fdatasync", os.fsync)
_log = logging.getLogger(__name__)


class WalMaintenance:
    """Used by the writer, in its thread. `discarded_rows` counts changed rows that were rolled back."""

    def __init__(self, connection: Connection, discarded_rows: Callable[[], int]) -> None:
        self._connection = connection
        self._discarded_rows = discarded_rows
        self._commits = self._changed_before = 0
        """Commits since the last checkpoint, and rows changed until then."""
        ((_, _, file),) = connection.execute("PRAGMA database_list")
        self._path = Path(f"{file}-wal")
        ((page_bytes,),) = connection.execute("PRAGMA page_size")
        self._frame_bytes = page_bytes + _FRAME_HEADER_BYTES
        self._length = self._target_length = 0
        """Bytes; the log doesn't get shorter while it's in use."""
        self._length_max = PREALLOCATED_MAX

    def count_commit(self) -> None:
        self._commits += 1

    @property
    def checkpoint_overdue(self) -> bool:
        """Return whether a checkpoint is needed though work waits."""
        return self._commits >= COMMITS_MAX or self._changed - self._changed_before >= CHANGED_ROWS_MAX

    @property
    def idle_delay_s(self) -> float | None:
        """Time without work after which to call `run_idle`; None if there is nothing to do."""
        if self._commits:
            return IDLE_S * (1 - self._commits / COMMITS_MAX)
        return STEP_DELAY_S if self._length < self._target_length else None

    def run_idle(self) -> None:
        """Checkpoint, or allocate one step."""
        if self._commits:
            self.checkpoint()
        else:
            self._preallocate()

    def checkpoint(self) -> None:
        """Move the log's content into the database file."""
        ((_, pages, _),) = self._connection.execute("PRAGMA wal_checkpoint(PASSIVE)")
        self._commits, self._changed_before = 0, self._changed
        self._length = self._path.stat().st_size
        wanted = min(PREALLOCATED_FACTOR * pages * self._frame_bytes, self._length_max)
        self._target_length = max(self._target_length, wanted)

    @property
    def _changed(self) -> int:
        """Rows changed by this connection, without those rolled back."""
        return self._connection.total_changes - self._discarded_rows()

    def _preallocate(self) -> None:
        """Lengthen the log by one step; where the disk has no space, warn once and stop.

        Closing this descriptor is safe: SQLite holds no POSIX lock on the log file that it would release.
        """
        try:
            with self._path.open("ab", buffering=0) as log:
                _check_free_space(log.fileno())
                log.write(bytes(STEP_BYTES))
                _sync(log.fileno())
                self._length = log.tell()
        except OSError as error:
            _log.warning("no space is allocated ahead for the database's write-ahead log: %s", error)
            self._target_length = self._length_max = 0


def _check_free_space(descriptor: int) -> None:
    disk = os.fstatvfs(descriptor)
    if disk.f_bavail * disk.f_frsize < DISK_FREE_MIN:
        raise OSError("little space is left on the disk")
