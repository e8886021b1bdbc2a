"""The writing connection to a PostgreSQL database, which several servers may write.

Each transaction locks the row with the journal's head, so that transactions of all servers follow one another
and the journal is one chain.
"""

import logging
from time import monotonic, sleep

from croupier.ledger.cache import LedgerCache
from croupier.ledger.chain import START, Head
from croupier.ledger.postgresql.connection import PostgresqlConnection, open_writer
from croupier.ledger.protocol import LedgerBroken
from croupier.ledger.sql.cache_loading import catch_up
from croupier.ledger.sql.databases import PostgresqlUrl, database_errors
from croupier.ledger.sql.prediction import NoPreparation

LOCK_HEAD = """SELECT value, pg_current_xact_id()::text FROM meta WHERE key = 'head' FOR UPDATE"""
FIND_HASH = "SELECT hash FROM journal WHERE seq = ?"
FIND_OUTCOME = "SELECT pg_xact_status(CAST(? AS xid8))"
END_PROCESS = "SELECT pg_terminate_backend(?)"
RECONNECT_S = 60.0
"""Time that a database may be away; pending work waits for so long."""
RETRY_S = 0.1

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

    def __init__(self, url: PostgresqlUrl) -> None:
        self.connection = open_writer(url)
        self.cache = LedgerCache()
        self.speculation, self.maintenance = NoPreparation(), NoMaintenance()
        self._url = url
        self._transaction = ""
        """The id of the transaction that isn't known to be committed, if any."""
        self._head = START
        """The head after it."""
        self._last = START
        """The last head that is known to be committed."""

    def begin(self) -> None:
        self.connection.execute("BEGIN")
        head, self._transaction = self.connection.execute(LOCK_HEAD).fetchone()
        if head == str(self._last):
            return
        self._check_kept(self._last)
        if not self.cache.stale:
            catch_up(self.cache, self.connection)

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

    def commit(self) -> None:
        self._head = self._last if self.cache.stale else self.cache.head
        if (status := self.connection.execute("COMMIT").status) != "COMMIT":
            raise LedgerBroken(f"the database answered a commit with {status}")
        self._last, self._transaction = self._head, ""

    def recover(self, error: Exception) -> bool:
        if not self.connection.is_lost:
            raise error
        log.warning("the connection to %s is lost (%s); work waits for it", self._url, _line(error))
        self.cache.stale = True
        process, self.connection = self.connection.process, self._reconnected(error)
        log.warning("connected to %s again", self._url)
        return bool(self._transaction) and self._was_committed(process)

    def close(self) -> None:
        self.connection.close()

    def _reconnected(self, lost: Exception) -> PostgresqlConnection:
        until = monotonic() + RECONNECT_S
        while True:
            try:
                return open_writer(self._url)
            except database_errors():
                if monotonic() > until:
                    raise lost from None
                sleep(RETRY_S)

    def _was_committed(self, process: int) -> bool:
        """Return the outcome of the transaction that was open in the server's `process`."""
        while (outcome := self._outcome()) == "in progress":
            self.connection.execute(END_PROCESS, (process,)).fetchone()
            sleep(RETRY_S)
        if outcome is None:
            raise LedgerBroken("the outcome of a transaction is unknown; start the server again")
        self._transaction = ""
        if outcome != "committed":
            return False
        self._check_kept(self._head)
        self._last = self._head
        return True

    def _outcome(self) -> str | None:
        outcome: str | None = self.connection.execute(FIND_OUTCOME, (self._transaction,)).fetchone()[0]
        return outcome

    def _check_kept(self, head: Head) -> None:
        """Check that the journal has an entry that was committed, which a late replica may lack."""
        found = self.connection.execute(FIND_HASH, (head.seq,)).fetchone()
        if head != START and found != (head.hash,):
            raise LedgerBroken(f"{self._url} has lost entry {head.seq}, which was committed")


def _line(error: Exception) -> str:
    return str(error).partition("\n")[0]
