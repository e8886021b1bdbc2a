"""The log that SQLite writes each commit to: when it is moved into the file, and what room it has.

A commit that makes a file longer waits for more than its own bytes: the file system enters how long the file
is and where, and ext4 has a worker of the kernel for that, who may stand behind whoever is busy on his
processor. So the log is made longer while nobody waits, with zeros, in which SQLite finds no commit.
"""

import logging
import os
from collections.abc import Callable
from pathlib import Path
from sqlite3 import Connection

IDLE_S = 0.3
"""After so long without work nobody waits, and the log is moved into the file: less, the longer it is."""
COMMITS_MAX, CHANGED_ROWS_MAX = 12_000, 500_000
"""Commits, and rows changed in them, after which it is moved though somebody waits. The wait grows with the
pages that there are to move, each once however often it was written: seldom is better than often."""
PREALLOCATED_FACTOR, PREALLOCATED_MAX = 40, 512 << 20
"""It gets room for so many times what was written to it between two moves, but for so many bytes at most:
that somebody comes in is written to it in one kilobyte, and what he bets in a round in 37."""
STEP_BYTES = 1 << 20
"""Bytes that it gets at a time: whoever comes waits for one piece."""
STEP_DELAY_S = 0.002
DISK_FREE_MIN = 4 * PREALLOCATED_MAX
"""Bytes of the disk that stay free: else it gets no room."""

_FRAME_HEADER = 24
"""Bytes before each page in it (SQLite's file format, 4.1)."""
_sync = getattr(os, "fdatasync", os.fsync)
_log = logging.getLogger(__name__)


class WalMaintenance:
    """A writer's, in his thread. `rubbed_out`: how many rows he has changed in vain."""

    def __init__(self, connection: Connection, rubbed_out: Callable[[], int]) -> None:
        self._connection = connection
        self._rubbed_out = rubbed_out
        self._commits = self._changed = 0
        """Commits since it was last moved, and the rows that had been changed then."""
        ((_, _, file),) = connection.execute("PRAGMA database_list")
        self._path = Path(f"{file}-wal")
        ((page,),) = connection.execute("PRAGMA page_size")
        self._frame = page + _FRAME_HEADER
        self._length = self._wanted = 0
        """Bytes that it had when it was looked at, and is to have; while it is used it gets no shorter."""
        self._most = PREALLOCATED_MAX

    def grew(self) -> None:
        """By a commit."""
        self._commits += 1

    @property
    def is_long(self) -> bool:
        """Whether it has to be moved though somebody waits."""
        return self._commits >= COMMITS_MAX or self._written - self._changed >= CHANGED_ROWS_MAX

    @property
    def rests_s(self) -> float | None:
        """After how long without work there is something to be done for it; None: there is nothing."""
        if self._commits:
            return IDLE_S * (1 - self._commits / COMMITS_MAX)
        return STEP_DELAY_S if self._length < self._wanted else None

    def rest(self) -> None:
        """What there is to be done for it while nobody waits."""
        if self._commits:
            self.move()
        else:
            self._lengthen()

    def move(self) -> None:
        """What is in it is moved into the file."""
        ((_, batches, _),) = self._connection.execute("PRAGMA wal_checkpoint(PASSIVE)")
        self._commits, self._changed = 0, self._written
        self._length = self._path.stat().st_size
        self._wanted = max(self._wanted, min(PREALLOCATED_FACTOR * batches * self._frame, self._most))

    @property
    def _written(self) -> int:
        """Rows, all in all; not those that were rubbed out."""
        return self._connection.total_changes - self._rubbed_out()

    def _lengthen(self) -> None:
        """Where the disk has no room for it that is said once; then commits make it longer as they can.

        SQLite has no lock on this one of its files, which it would lose when we close it.
        """
        try:
            with self._path.open("ab", buffering=0) as log:
                _look_what_is_free(log.fileno())
                log.write(bytes(STEP_BYTES))
                _sync(log.fileno())
                self._length = log.tell()
        except OSError as why:
            _log.warning("the log of the books gets no room ahead of need: %s", why)
            self._wanted = self._most = 0


def _look_what_is_free(descriptor: int) -> None:
    """OSError when it is little."""
    disk = os.fstatvfs(descriptor)
    if disk.f_bavail * disk.f_frsize < DISK_FREE_MIN:
        raise OSError("little is free on the disk")
