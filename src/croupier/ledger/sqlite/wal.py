"""Maintain SQLite's write-ahead log: checkpoint it in idle moments."""

from collections.abc import Callable
from sqlite3 import Connection

IDLE_S = 0.3
"""Time without work before a checkpoint; less, the longer the log is."""
COMMITS_MAX, CHANGED_ROWS_MAX = 12_000, 500_000
"""Commits, and rows changed in them, that force a checkpoint though work waits. A checkpoint writes each page
once however often it was changed, so rare ones cost less in all."""


class WalMaintenance:
    """Follows `Maintenance`. `discarded_rows` counts changed rows that were rolled back."""

    def __init__(self, connection: Connection, discarded_rows: Callable[[], int]) -> None:
        self._connection = connection
        self._discarded_rows = discarded_rows
        self._commits = self._changed_before = 0
        """Commits since the last checkpoint, and rows changed until then."""

    def count_commit(self) -> None:
        self._commits += 1

    @property
    def overdue(self) -> bool:
        return self._commits >= COMMITS_MAX or self._changed - self._changed_before >= CHANGED_ROWS_MAX

    @property
    def idle_delay_s(self) -> float | None:
        return IDLE_S * (1 - self._commits / COMMITS_MAX) if self._commits else None

    def run(self) -> None:
        """Move the log's content into the database file."""
        self._connection.execute("PRAGMA wal_checkpoint(PASSIVE)")
        self._commits, self._changed_before = 0, self._changed

    @property
    def _changed(self) -> int:
        """Rows changed by this connection, without those rolled back."""
        return self._connection.total_changes - self._discarded_rows()
