"""Books on a real disk, opened as the server opens them."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from croupier.ledger.entries import Entry
from croupier.ledger.sqlite.migrations import upgrade
from croupier.ledger.sqlite.store import SqliteLedger


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "books.db"


@pytest.fixture
def ledger(path: Path) -> Iterator[SqliteLedger]:
    opened = SqliteLedger.open(path, migrate=upgrade)
    yield opened
    opened.close()


@pytest.fixture
def post(ledger: SqliteLedger) -> Callable[..., list[int]]:
    """Posts entries as one sequence; gives their seqs, or raises as the ledger refuses."""

    def posted(*entries: Entry) -> list[int]:
        return [answer.seq for answer in ledger.post(entries).result(timeout=30)]

    return posted
