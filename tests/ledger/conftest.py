"""A ledger on a real disk, opened as the server opens it."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from croupier.ledger.entries import Entry
from croupier.ledger.sqlite.migrations import upgrade
from croupier.ledger.sqlite.store import SqliteLedger


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "ledger.db"


@pytest.fixture
def ledger(path: Path) -> Iterator[SqliteLedger]:
    opened = SqliteLedger.open(path, migrate=upgrade)
    yield opened
    opened.close()


@pytest.fixture
def post(ledger: SqliteLedger) -> Callable[..., list[int]]:
    """Post entries as one sequence and return their seqs, or raise the refusal."""

    def post_all(*entries: Entry) -> list[int]:
        return [posted.seq for posted in ledger.post(entries).result(timeout=30)]

    return post_all
