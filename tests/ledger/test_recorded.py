"""A small write and the entries that record it are done together or not at all."""

from collections.abc import Callable, Iterator
from functools import partial

import pytest

from croupier.ledger.entries import Entry
from croupier.ledger.sql.connection import Connection
from croupier.ledger.sql.databases import Database
from croupier.ledger.sql.store import SqlLedger
from croupier.ledger.sql.transactions import Recorded
from croupier.ledger.sql.verify import verify
from croupier.ledger.stores import open_with_writer_process
from croupier.refusal import Refused
from tests.ledger.conftest import INTEGRITY_ERRORS
from tests.ledger.sample_entries import grant, withdraw

pytestmark = pytest.mark.any_store

WITHIN_S = 30
Posts = Callable[[Connection], Recorded[str]]


def write(
    connection: Connection, key: str, entries: tuple[Entry, ...] = (), fails: str = ""
) -> Recorded[str]:
    connection.execute("INSERT INTO meta VALUES (?, 'x')", (key,))
    if fails:
        raise ValueError(fails)
    return Recorded(key, entries)


def written(ledger: SqlLedger) -> list[str]:
    find = "SELECT key FROM meta WHERE value = 'x' ORDER BY key"
    return [key for (key,) in ledger.run(lambda db: db.execute(find).fetchall()).result(WITHIN_S)]


@pytest.fixture
def audited(ledger: SqlLedger, database: Database) -> Iterator[SqlLedger]:
    """A ledger that is audited at the end."""
    yield ledger
    ledger.post([grant(1)]).result(WITHIN_S)
    assert verify(database).bad is None


def test_write_and_entries_are_both_done(audited: SqlLedger) -> None:
    done = audited.run_recorded(partial(write, key="a", entries=(grant(100), withdraw(30))))
    assert done.result(WITHIN_S) == "a"
    assert written(audited) == ["a"]
    assert audited.balances("ann")["GC"]["cash"] == 70


def test_a_refused_entry_undoes_the_write(audited: SqlLedger) -> None:
    refused = audited.run_recorded(partial(write, key="a", entries=(grant(100), withdraw(101))))
    with pytest.raises(Refused, match="not_covered"):
        refused.result(WITHIN_S)
    assert written(audited) == []
    assert audited.balances("ann") == {}


def test_a_failed_write_posts_nothing(audited: SqlLedger) -> None:
    failed = audited.run_recorded(partial(write, key="a", entries=(grant(100),), fails="on purpose"))
    with pytest.raises(ValueError, match="on purpose"):
        failed.result(WITHIN_S)
    assert (written(audited), audited.balances("ann")) == ([], {})


def test_a_failure_in_a_group_leaves_the_others(audited: SqlLedger) -> None:
    audited.run(
        lambda _: audited.run_recorded(partial(write, key="first"))
    )  # the following jobs form one group
    writes = [
        partial(write, key="a", entries=(grant(100),)),
        partial(write, key="b", entries=(withdraw(101),)),
        partial(write, key="c", entries=(withdraw(40),)),
        partial(write, key="d", entries=(grant(1),), fails="on purpose"),
        partial(write, key="a", entries=(grant(5),)),
        partial(write, key="e", entries=(grant(7),)),
    ]
    done = [audited.run_recorded(write_) for write_ in writes]
    errors = [each.exception(WITHIN_S) for each in done]
    assert [each is None for each in errors] == [True, False, True, False, False, True]
    assert isinstance(errors[1], Refused)
    assert isinstance(errors[3], ValueError)
    assert isinstance(errors[4], INTEGRITY_ERRORS)
    assert written(audited) == ["a", "c", "e", "first"]
    assert audited.balances("ann")["GC"]["cash"] == 67


@pytest.mark.anyio
async def test_the_same_in_a_writer_process(database: Database) -> None:
    ledger = await open_with_writer_process(database)
    fine = ledger.run_recorded(partial(write, key="a", entries=(grant(100),)))
    refused = ledger.run_recorded(partial(write, key="b", entries=(withdraw(101),)))
    ledger.close()
    assert fine.result(WITHIN_S) == "a"
    assert isinstance(refused.exception(WITHIN_S), Refused)
    assert verify(database).bad is None
