"""The monitor of returns: what is out of its band is in the event log once a day."""

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
from msgspec.structs import replace

from croupier import action_log, clock
from croupier.gateway.server import Server
from croupier.ledger import entries
from croupier.ledger.entries import Entry
from croupier.staff.event_log import LogSelection, event_log_page
from croupier.staff.reports import returns, service
from croupier.staff.reports.service import StaffReports
from tests.ledger.sample_entries import deal, settle, ticket_of
from tests.support.in_process import server_dealing

pytestmark = pytest.mark.anyio
START_MS, DAY_MS = 1_800_000_000_000, 86_400_000
"""The time at which the clock of an in-process server starts."""
COUPS = 40


class Monitored(NamedTuple):
    server: Server
    reports: StaffReports

    async def check(self) -> list[tuple[str, str, str]]:
        """Check, and return the whole event log: the actors, actions and tables."""
        await self.reports.monitor.check()
        page = event_log_page(self.server.ledger, LogSelection())
        return [(line.name, line.what, line.table) for line in page.lines]


@pytest.fixture
def monitored(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Monitored]:
    """A server that compares after few coups, since thousands take long."""
    monkeypatch.setattr(returns, "COUPS_MIN", COUPS)
    with server_dealing(tmp_path, ()) as server:
        for module in (service, action_log):
            monkeypatch.setattr(module, "now_ms", clock.now_ms)
        yield Monitored(server, StaffReports(server))


def played(table: str, wins_of_ten: int, at_ms: int) -> list[Entry]:
    """Return rounds of an even chance at the table."""
    found = [entries.grant(f"grant:{table}", at_ms, table, "EUR", 100_000, "welcome")]
    for number in range(COUPS):
        ticket = ticket_of(table, f"{table}{number}", table, "EUR")
        returned = 200 if number % 10 < wins_of_ten else 0
        found += [replace(each, at_ms=at_ms) for each in (deal(100, ticket), settle(100, returned, ticket))]
    return found


async def test_a_table_out_of_its_band_is_logged_once_a_day(monitored: Monitored) -> None:
    yesterday_ms = START_MS - DAY_MS
    entered = played("roulette", 5, yesterday_ms) + played("baccarat", 8, yesterday_ms)
    monitored.server.ledger.post(entered).result()
    expected = [("house", "return_out_of_band", "baccarat")]
    assert await monitored.check() == expected
    assert await monitored.check() == expected


async def test_rounds_of_today_and_of_long_ago_are_not_compared(monitored: Monitored) -> None:
    entered = played("roulette", 10, START_MS - 31 * DAY_MS) + played("baccarat", 10, START_MS)
    monitored.server.ledger.post(entered).result()
    assert await monitored.check() == []
