"""A writer that is frozen inside a transaction keeps the journal's head locked; another process ends it."""

from threading import Event
from time import monotonic, sleep

import pytest

from croupier.ledger.entries import grant
from croupier.ledger.postgresql.migrations import upgrade
from croupier.ledger.postgresql.store import PostgresqlLedger
from croupier.ledger.sql.connection import Connection
from croupier.ledger.sql.databases import PostgresqlUrl

SOON_S = 10.0
ENDED_S = 3.5
"""One timeout of the lock; after two, the tables of a frozen owner would be taken over too late."""


@pytest.mark.parametrize("works_s", [pytest.param(0, marks=pytest.mark.campaign), 0.5])
def test_a_writer_that_hangs_in_a_transaction_is_ended_and_goes_on(
    postgresql: PostgresqlUrl, works_s: float
) -> None:
    hangs, thaws, runs = Event(), Event(), list[int]()

    def hang(connection: Connection) -> None:
        runs.append(connection.execute("SELECT count(*) FROM journal").fetchone()[0])
        hangs.set()
        sleep(works_s)
        connection.execute("SELECT 1").fetchone()
        thaws.wait(SOON_S)
        connection.execute("SELECT 1").fetchone()

    frozen = PostgresqlLedger.open(postgresql, migrate=upgrade)
    other = PostgresqlLedger.open(postgresql, migrate=upgrade)
    try:
        hanging = frozen.run(hang)
        assert hangs.wait(SOON_S)
        began = monotonic()
        posted = other.post([grant("k", 1, "p", "EUR", 5, "test")])
        assert posted.result(SOON_S)[0].cash_minor == (5,)
        assert monotonic() - began < ENDED_S
        thaws.set()
        hanging.result(SOON_S)
        assert runs == [0, 1], "the work is done again, after what was posted meanwhile"
    finally:
        thaws.set()
        frozen.close()
        other.close()
