"""Queries in the order of the writes, which keep no other server from writing."""

from contextlib import closing

import pytest

from croupier.ledger.postgresql.connection import open_writer
from croupier.ledger.postgresql.driver import HEAD, LOCK_HEAD
from croupier.ledger.sql.connection import Connection
from croupier.ledger.sql.databases import Database, PostgresqlUrl
from croupier.ledger.sql.store import SqlLedger
from tests.ledger.sample_entries import grant

pytestmark = pytest.mark.any_store
WITHIN_S = 30
CASH = "SELECT balance_minor FROM account WHERE owner = 'ann' AND kind = 'cash'"


def cash(connection: Connection) -> int:
    found = connection.execute(CASH).fetchone()
    return int(found[0]) if found else 0


def test_a_read_sees_the_writes_before_it(ledger: SqlLedger) -> None:
    seen = []
    for number in range(1, 20):
        posted = ledger.post([grant(10)])
        read = ledger.read(cash)
        read.add_done_callback(lambda _, posted=posted: seen.append(posted.done()))  # type: ignore[misc]
        assert read.result(WITHIN_S) >= 10 * number
    assert all(seen)


def test_a_read_sees_nothing_that_is_prepared(ledger: SqlLedger) -> None:
    ledger.prepare([grant(10)]).result(WITHIN_S)
    assert ledger.read(cash).result(WITHIN_S) == 0


def test_a_failed_read_is_its_own_failure(ledger: SqlLedger) -> None:
    failed = ledger.read(lambda db: db.execute("SELECT 1 FROM nowhere").fetchone())
    with pytest.raises(Exception, match="nowhere"):
        failed.result(WITHIN_S)
    ledger.post([grant(10)]).result(WITHIN_S)
    assert ledger.read(cash).result(WITHIN_S) == 10


def test_a_read_waits_for_no_other_server(ledger: SqlLedger, database: Database) -> None:
    if not isinstance(database, PostgresqlUrl):
        pytest.skip("SQLite has one server")
    ledger.post([grant(10)]).result(WITHIN_S)
    with closing(open_writer(database)) as other:
        other.execute("BEGIN")
        other.execute(LOCK_HEAD, HEAD).fetchone()
        assert ledger.read(cash).result(1) == 10
