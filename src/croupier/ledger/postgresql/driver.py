"""The writing connection to a PostgreSQL database, which several servers may write.

Each transaction locks the row with the journal's head, so that transactions of all servers follow one another
and the journal is one chain.
"""

import logging
import secrets
from collections.abc import Callable
from contextlib import suppress
from time import monotonic, sleep
from typing import TypeVar

from croupier.ledger.cache import LedgerCache
from croupier.ledger.chain import START, Head
from croupier.ledger.postgresql.connection import open_writer
from croupier.ledger.protocol import LedgerBroken
from croupier.ledger.sql.cache_loading import catch_up
from croupier.ledger.sql.connection import Connection
from croupier.ledger.sql.databases import PostgresqlUrl, database_errors
from croupier.ledger.sql.dialect import PostgresqlDialect
from croupier.ledger.sql.driver import ask_nothing
from croupier.ledger.sql.prediction import NoPreparation

LOCK_HEAD = "SELECT value FROM meta WHERE key = ? FOR UPDATE"
HEAD = ("head",)
END_FROZEN = """SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE datname = current_database() AND usename = current_user AND pid <> pg_backend_pid()
    AND application_name = current_setting('application_name')
    AND backend_xid IS NOT NULL AND wait_event = 'ClientRead'
    AND state_change < clock_timestamp() - interval '1 second'"""
"""End processes of the server that wait in a transaction for a writer that doesn't answer.

The interval is shorter than the lock's timeout, as the writer may have frozen after others began to wait.
In a pipeline PostgreSQL doesn't count them as idle, so idle_in_transaction_session_timeout doesn't end them.
"""
LOCK_NOT_AVAILABLE = "55P03"
BEGIN_READING = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
FIND_HASH = "SELECT hash FROM journal WHERE seq = ?"
NOW_MS = PostgresqlDialect.clock_ms
OLD_MARK_MS = 30 * 86_400_000
MARK = f"""INSERT INTO meta VALUES (?, ? || ' ' || {NOW_MS})
    ON CONFLICT (key) DO UPDATE SET value = excluded.value"""  # noqa: S608
"""The number of a writer's transaction, and the time."""
FIND_MARK = "SELECT split_part(value, ' ', 1) FROM meta WHERE key = ?"
DELETE_MARK = "DELETE FROM meta WHERE key = ?"
DELETE_OLD_MARKS = f"""DELETE FROM meta WHERE CASE WHEN key LIKE 'writer %'
    THEN CAST(nullif(split_part(value, ' ', 2), '') AS bigint) < {NOW_MS} - {OLD_MARK_MS}
    ELSE false END"""  # noqa: S608
"""Marks of writers that were killed: a writer that is closed deletes its own. Other values aren't times."""
RECONNECT_S = 180.0
"""Time that pending work waits for the database. Managed services fail over within two minutes."""
RETRY_S = 0.1

T = TypeVar("T")

log = logging.getLogger(__name__)


class NoMaintenance:
    """Follows `Maintenance`: PostgreSQL maintains itself."""

    overdue = False
    idle_delay_s = None

    def count_commit(self) -> None:
        pass

    def run(self) -> None:
        pass


class PostgresqlDriver:
    """Follows `Driver`."""

    defers_errors = True

    def __init__(self, url: PostgresqlUrl) -> None:
        self.connection = open_writer(url)
        self.cache = LedgerCache()
        self.speculation, self.maintenance = NoPreparation(), NoMaintenance()
        self._url = url
        self._name = f"writer {secrets.token_hex(8)}"
        """The key of the row with the mark of the last transaction that was committed."""
        self._number = 0
        self._committing = False
        self._head = START
        """The head after the transaction that is being committed."""
        self._last = START
        """The last head that is known to be committed."""
        self._mark()
        self.connection.execute(DELETE_OLD_MARKS)
        self.connection.flush()

    def _mark(self) -> None:
        self.connection.execute(MARK, (self._name, str(self._number)))

    def begin(self, ask: Callable[[Connection], T]) -> T:
        head, asked = self._lock(ask)
        if head != str(self._last):
            self._check_kept(self._last)
            if not self.cache.stale:
                catch_up(self.cache, self.connection)
        return asked

    def _lock(self, ask: Callable[[Connection], T]) -> tuple[str, T]:
        """Begin a transaction, and lock and return the head; writers that are frozen lose their lock."""
        while True:
            self.connection.execute("BEGIN")
            try:
                head = self.connection.execute(LOCK_HEAD, HEAD)
                asked = ask(self.connection)
                return str(head.fetchone()[0]), asked
            except Exception as error:
                if getattr(error, "sqlstate", "") != LOCK_NOT_AVAILABLE:
                    raise
            self.connection.execute("ROLLBACK")
            self.connection.flush()
            if ended := len(self.connection.execute(END_FROZEN).fetchall()):
                log.warning("%d writers that hung in a transaction were ended", ended)

    def flush(self) -> None:
        try:
            self.connection.flush()
        except Exception:
            self.cache.stale = True  # it has what those statements should have written
            raise

    def undo(self, savepoint: str) -> None:
        self.connection.execute(f"ROLLBACK TO {savepoint}")
        self.connection.flush()
        # After a rollback psycopg deallocates its prepared statements behind the next statement, which is one
        # without parameters, so not prepared; the flush keeps further ones behind that.
        self.connection.execute(f"RELEASE {savepoint}")
        self.connection.flush()

    def roll_back(self) -> bool:
        if self.connection.is_lost:
            return False
        self.cache.stale = True
        self._committing = False  # a commit behind a statement that failed isn't carried out
        with suppress(*database_errors()):
            for statement in ("ROLLBACK", "SELECT 1"):  # the second as in `undo`
                self.connection.execute(statement)
                self.connection.flush()
        return not self.connection.is_lost

    def commit(self) -> None:
        self._head = self._last if self.cache.stale else self.cache.head
        self._number += 1
        self._committing = True
        self._mark()
        if (status := self.connection.execute("COMMIT").status) != "COMMIT":
            raise LedgerBroken(f"the database answered a commit with {status}")
        self._last, self._committing = self._head, False

    def read(self, work: Callable[[Connection], T]) -> T:
        """Read one state, without the lock on the head."""
        self.connection.execute(BEGIN_READING)
        try:
            return work(self.connection)
        finally:
            self.connection.execute("COMMIT")
            self.connection.flush()

    def recover(self, error: Exception) -> bool:
        if not self.connection.is_lost:
            raise error
        log.warning("the connection to %s is lost (%s); work waits for it", self._url, _line(error))
        self.cache.stale = True
        committed = self._reconnect(error)
        log.warning("connected to %s again", self._url)
        return committed

    def close(self) -> None:
        with suppress(*database_errors()):  # a mark that is left is deleted later
            self.connection.execute(DELETE_MARK, (self._name,))
            self.connection.flush()
        self.connection.close()

    def _reconnect(self, lost: Exception) -> bool:
        """Connect again; return whether the transaction that was being committed, if any, was."""
        until = monotonic() + RECONNECT_S
        while True:
            try:
                self.connection = open_writer(self._url)
                committed = self._committing and self._was_committed()
            except database_errors():
                if monotonic() > until:
                    raise lost from None
                sleep(RETRY_S)
            else:
                self._committing = False
                return committed

    def _was_committed(self) -> bool:
        """Return whether the last transaction was committed, once the server has ended it."""
        self._lock(ask_nothing)
        mark = self.connection.execute(FIND_MARK, (self._name,)).fetchone()
        if mark is None:
            raise LedgerBroken(f"{self._url} has lost the mark of this writer's last transaction")
        committed: bool = mark == (str(self._number),)
        if committed:
            self._check_kept(self._head)
            self._last = self._head
        self.connection.execute("COMMIT")
        self.connection.flush()
        return committed

    def _check_kept(self, head: Head) -> None:
        """Check that the journal has an entry that was committed, which a late replica may lack."""
        found = self.connection.execute(FIND_HASH, (head.seq,)).fetchone()
        if head != START and found != (head.hash,):
            raise LedgerBroken(f"{self._url} has lost entry {head.seq}, which was committed")


def _line(error: Exception) -> str:
    return str(error).partition("\n")[0]
