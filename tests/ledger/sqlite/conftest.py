"""A database with an entry of each kind, for the tests of the audit."""

import shutil
from pathlib import Path

import pytest

from croupier.ledger import entries
from croupier.ledger.sql.databases import Database
from croupier.ledger.stores import open_ledger
from tests.ledger.sample_entries import (
    ROUND,
    answer,
    coup,
    deal,
    grant,
    release,
    settle,
    stakes,
    ticket_of,
    void,
    withdraw,
)
from tests.ledger.sqlite.forging import THIRD

OTHER = ROUND._replace(round="r2", table="premium")
LIVE = ticket_of("ann", table="live")


@pytest.fixture
def audited(database: Database, samples: Path) -> Database:
    """Return a closed database with a settled, a void and an open round, a coup, shared stakes and notes."""
    sample = samples / "audited.db"
    if isinstance(database, Path) and sample.exists():
        shutil.copy(sample, database)
        return database
    ledger = open_ledger(database)
    for sequence in (
        [grant(100), grant(50, "bob")],  # seq 1, 2
        [deal(10)],
        [answer(10), settle(20, 35)],  # seq 4, 5
        [deal(7, OTHER)],
        [void(7, OTHER)],
        [deal(5, THIRD)],  # seq 8
        [withdraw(15), entries.note("end", 9_000, {"said": "first note"})],  # seq 9, 10
        [
            deal(10, LIVE),
            deal(20, ticket_of("bob", table="live")),
            deal(5, ticket_of("bob", "q", "premium")),
        ],  # seq 11
        [release(4, LIVE)],
        [coup(("ann", 6, 16), ("bob", 20, 0), table="live")],  # seq 15
        [entries.note("last", 9_900, {"said": "last note"})],  # seq 16
        [stakes(("ann", 8), ("bob", 9), round_="s", table="live_2")],  # seq 17
        [stakes(("ann", -3), round_="s", table="live_2")],  # seq 18
    ):
        ledger.post(sequence).result()
    ledger.close()
    if isinstance(database, Path):
        shutil.copy(database, sample)
    return database
