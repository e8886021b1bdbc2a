"""A small write and the entries that tell of it stand together, or not at all."""

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from sqlite3 import Connection

import pytest

from croupier.ledger.entries import Entry
from croupier.ledger.protocol import Recorded
from croupier.ledger.sqlite.migrations import upgrade
from croupier.ledger.sqlite.store import SqliteLedger
from croupier.ledger.sqlite.verify import verify
from croupier.refusal import Refused
from tests.ledger.slips import give, withdraw

WITHIN_S = 30
Posts = Callable[[Connection], Recorded[str]]


def writes(
    connection: Connection, key: str, entries: tuple[Entry, ...] = (), fails: str = ""
) -> Recorded[str]:
    connection.execute("INSERT INTO meta VALUES (?, 'x')", (key,))
    if fails:
        raise ValueError(fails)
    return Recorded(key, entries)


def written(ledger: SqliteLedger) -> list[str]:
    find = "SELECT key FROM meta WHERE value = 'x' ORDER BY key"
    return [key for (key,) in ledger.run(lambda books: books.execute(find).fetchall()).result(WITHIN_S)]


@pytest.fixture
def together(ledger: SqliteLedger, path: Path) -> Iterator[SqliteLedger]:
    """A ledger whose journal and balances must be right in the end."""
    yield ledger
    ledger.post([give(1)]).result(WITHIN_S)
    assert verify(path).bad is None


def test_both_are_written(together: SqliteLedger) -> None:
    done = together.run_recorded(partial(writes, key="a", entries=(give(100), withdraw(30))))
    assert done.result(WITHIN_S) == "a"
    assert written(together) == ["a"]
    assert together.balances("ann")["GC"]["cash"] == 70


def test_a_refused_entry_undoes_the_write(together: SqliteLedger) -> None:
    refused = together.run_recorded(partial(writes, key="a", entries=(give(100), withdraw(101))))
    with pytest.raises(Refused, match="not_covered"):
        refused.result(WITHIN_S)
    assert written(together) == []
    assert together.balances("ann") == {}


def test_a_write_that_fails_enters_nothing(together: SqliteLedger) -> None:
    failed = together.run_recorded(partial(writes, key="a", entries=(give(100),), fails="on purpose"))
    with pytest.raises(ValueError, match="on purpose"):
        failed.result(WITHIN_S)
    assert (written(together), together.balances("ann")) == ([], {})


def test_of_many_that_are_written_together_those_stand_that_can(together: SqliteLedger) -> None:
    together.run(lambda _: together.run_recorded(partial(writes, key="first")))  # what follows is one group
    works = [
        partial(writes, key="a", entries=(give(100),)),
        partial(writes, key="b", entries=(withdraw(101),)),
        partial(writes, key="c", entries=(withdraw(40),)),
        partial(writes, key="d", entries=(give(1),), fails="on purpose"),
        partial(writes, key="a", entries=(give(5),)),
        partial(writes, key="e", entries=(give(7),)),
    ]
    done = [together.run_recorded(work) for work in works]
    failed = [type(each.exception(WITHIN_S)).__name__ for each in done]
    assert failed == ["NoneType", "Refused", "NoneType", "ValueError", "IntegrityError", "NoneType"]
    assert written(together) == ["a", "c", "e", "first"]
    assert together.balances("ann")["GC"]["cash"] == 67


@pytest.mark.anyio
async def test_it_is_so_in_a_process_of_its_own(path: Path) -> None:
    ledger = SqliteLedger.open_with_writer_process(path, migrate=upgrade)
    fine = ledger.run_recorded(partial(writes, key="a", entries=(give(100),)))
    refused = ledger.run_recorded(partial(writes, key="b", entries=(withdraw(101),)))
    ledger.close()
    assert fine.result(WITHIN_S) == "a"
    assert isinstance(refused.exception(WITHIN_S), Refused)
    assert verify(path).bad is None
