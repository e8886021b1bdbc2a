"""No database read on the event loop: a contract that each read of the stores checks."""

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from croupier.ledger.sql import loop_guard
from croupier.ledger.sql.loop_guard import ReadOnLoop
from croupier.ledger.sqlite.connection import open_reader
from croupier.ledger.sqlite.store import SqliteLedger

QUERIES: dict[str, Callable[[SqliteLedger], Any]] = {
    "balances": lambda ledger: ledger.balances("ann"),
    "entry": lambda ledger: ledger.entry("key"),
    "rounds": lambda ledger: ledger.rounds("ann"),
    "statement": lambda ledger: ledger.statement("ann"),
    "report": lambda ledger: ledger.reports.holdings(None),
}

pytestmark = pytest.mark.anyio


@pytest.fixture(autouse=True)
def _strict(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make the contract hold for the test's own reads too."""
    monkeypatch.setattr(loop_guard, "check_off_loop", loop_guard.strict_check)


@pytest.mark.parametrize("query", QUERIES.values(), ids=QUERIES)
async def test_a_read_on_the_event_loop_is_refused_and_told_what_to_do(
    ledger: SqliteLedger, query: Callable[[SqliteLedger], Any]
) -> None:
    with pytest.raises(ReadOnLoop, match=r"await gateway\.read"):
        query(ledger)
    await asyncio.to_thread(query, ledger)


@pytest.mark.usefixtures("ledger")
async def test_no_reader_is_opened_on_the_event_loop(path: Path) -> None:
    with pytest.raises(ReadOnLoop):
        open_reader(path)
