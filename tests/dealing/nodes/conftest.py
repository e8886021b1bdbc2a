"""A database that several nodes share within this process."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from croupier.app.serve import open_ledger
from croupier.ledger.sql.store import SqlLedger


@pytest.fixture
def ledger(tmp_path: Path) -> Iterator[SqlLedger]:
    ledger = open_ledger(tmp_path)
    yield ledger
    ledger.close()
