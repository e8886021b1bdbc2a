"""CSV files read from a ledger in pages."""

import csv
import io
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from croupier.games import published_tables
from croupier.gateway.pages.csv_files import csv_text, utc
from croupier.gateway.pages.exports import PAGE_ROWS, CsvExports
from croupier.gateway.pages.history import Selection
from croupier.ledger.entries import Ticket
from croupier.ledger.sqlite.migrations import upgrade
from croupier.ledger.sqlite.store import SqliteLedger
from croupier.play.contract.amounts import DEFAULT_CURRENCIES
from tests.ledger.sample_entries import deal, grant, settle

pytestmark = pytest.mark.anyio
EVERYTHING = Selection(None, 0, None)
ROUNDS = PAGE_ROWS + 7


@pytest.fixture
def ledger(tmp_path: Path) -> Iterator[SqliteLedger]:
    """A ledger with a page of rounds and some more, one of them at a table called like a formula."""
    opened = SqliteLedger.open(tmp_path / "ledger.db", migrate=upgrade)
    tickets = [Ticket(f"r{number}", "ann", "classic", "EUR") for number in range(ROUNDS - 1)]
    tickets.append(Ticket("=r", "ann", "@gone", "EUR"))
    entries = [each for ticket in tickets for each in (deal(10, ticket), settle(10, 25, ticket))]
    opened.post([grant(100_000, currency="EUR"), *entries]).result(60)
    yield opened
    opened.close()


@pytest.fixture
def exports(ledger: SqliteLedger) -> CsvExports:
    return CsvExports(ledger, published_tables(), DEFAULT_CURRENCIES)


async def lines_of(text: AsyncIterator[str]) -> list[dict[str, str]]:
    whole = "".join([part async for part in text])
    return list(csv.DictReader(io.StringIO(whole, newline=""), strict=True))


async def test_pages_follow_each_other_without_gaps(exports: CsvExports) -> None:
    rows = await lines_of(exports.rounds("ann", EVERYTHING))
    assert [row["round"] for row in rows] == [
        "'=r",
        *(f"r{number}" for number in reversed(range(ROUNDS - 1))),
    ]
    movements = await lines_of(exports.statement("ann", EVERYTHING))
    assert [int(row["entry"]) for row in movements] == [*range(2 * ROUNDS + 1, 0, -1)]


async def test_a_text_is_no_formula(exports: CsvExports) -> None:
    newest = (await lines_of(exports.rounds("ann", EVERYTHING)))[0]
    assert (newest["round"], newest["table"], newest["title"], newest["game"]) == (
        "'=r",
        "'@gone",
        "'@gone",
        "",
    )
    assert (newest["staked"], newest["returned"], newest["result"]) == ("0.10", "0.25", "0.15")


async def test_an_open_round_has_no_result(exports: CsvExports, ledger: SqliteLedger) -> None:
    ticket = Ticket("open", "ann", "classic", "EUR")
    ledger.post([replace(deal(500, ticket), at_ms=2_001)]).result(30)
    newest = (await lines_of(exports.rounds("ann", EVERYTHING)))[0]
    assert (newest["status"], newest["started"]) == ("open", "1970-01-01T00:00:02.001Z")
    assert (newest["ended"], newest["staked"], newest["returned"], newest["result"]) == ("", "5.00", "", "")


async def test_amounts_have_no_grouping(exports: CsvExports) -> None:
    oldest = (await lines_of(exports.statement("ann", EVERYTHING)))[-1]
    assert (oldest["what"], oldest["amount"], oldest["balance"]) == ("grant", "1000.00", "1000.00")


def test_texts_with_commas_and_quotes_are_quoted() -> None:
    assert csv_text([['a,"b"', "c\n", "d"]]) == '"a,""b""","c\n",d\r\n'


def test_times_keep_their_milliseconds() -> None:
    assert utc(1_795_629_941_123) == "2026-11-25T18:05:41.123Z"
