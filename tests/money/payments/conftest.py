"""One ledger for all tests of payments, which have a player each."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from unittest.mock import patch

import pytest

from croupier.ledger.sql.verify import verify
from croupier.ledger.sqlite.migrations import upgrade
from croupier.ledger.sqlite.store import SqliteLedger
from croupier.money.payments import driver


@pytest.fixture(scope="package")
def ledger(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SqliteLedger]:
    with audited_ledger(tmp_path_factory.mktemp("payments")) as ledger:
        yield ledger


@contextmanager
def audited_ledger(folder: Path) -> Iterator[SqliteLedger]:
    """Yield a ledger whose audit passes at the end; inquiries are due at once."""
    path = folder / "croupier.db"
    ledger = SqliteLedger.open(path, migrate=upgrade)
    with patch.object(driver, "RETRY_MS_MIN", 0):
        yield ledger
    ledger.close()
    report = verify(path)
    assert report.bad is None
