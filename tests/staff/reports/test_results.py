"""Results by day and table, their comparison with published returns, and their files."""

from collections.abc import Iterator
from contextlib import closing
from datetime import date, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from msgspec.structs import replace

from croupier.accounts.days import starts_ms
from croupier.games import published_tables
from croupier.ledger.entries import Entry
from croupier.ledger.reports import Holdings, PeriodResult, Spread, TableResult
from croupier.ledger.sqlite.migrations import upgrade
from croupier.ledger.sqlite.store import SqliteLedger
from croupier.play.contract.amounts import CURRENCIES
from croupier.protocol.staff_reports import DayPlayers, PercentBand
from croupier.staff.reports.days import days_from
from croupier.staff.reports.files import liabilities_csv, results_csv
from croupier.staff.reports.liabilities import liability_report
from croupier.staff.reports.report import results_report, total
from croupier.staff.reports.results import SETTLED_MS, DailyResults
from croupier.staff.reports.returns import COUPS_MIN, compare, published_range
from tests.ledger.sample_entries import deal, grant, settle, ticket_of, void

pytestmark = pytest.mark.anyio
BERLIN = ZoneInfo("Europe/Berlin")
TABLES = published_tables()
FIRST, LAST = date(2026, 3, 28), date(2026, 3, 30)
"""In Berlin, the clocks change on the day between them."""


def at(text: str) -> int:
    return round(datetime.fromisoformat(text).timestamp() * 1000)


def round_of(
    name: str, ended: str, returned: int, *, is_void: bool = False, player: str = "ann"
) -> list[Entry]:
    ticket = ticket_of(player, name, "roulette", "EUR")
    end = void(100, ticket) if is_void else settle(100, returned, ticket)
    return [
        replace(entry, at_ms=at(ended) - before) for entry, before in ((deal(100, ticket), 5_000), (end, 0))
    ]


ROUNDS = [
    *round_of("a", "2026-03-28T22:59:59+00:00", 0),  # 23:59:59 in Berlin
    *round_of("b", "2026-03-28T23:00:00+00:00", 200),  # midnight in Berlin
    *round_of("c", "2026-03-29T21:59:59+00:00", 50, player="bob"),  # the end of a day of 23 hours
    *round_of("d", "2026-03-29T22:00:05+00:00", 0, is_void=True),
]


@pytest.fixture
def ledger(tmp_path: Path) -> Iterator[SqliteLedger]:
    with closing(SqliteLedger.open(tmp_path / "ledger.db", migrate=upgrade)) as ledger:
        start = at("2026-03-28T00:00:00+00:00")
        grants = [grant(1_000, player, "EUR") for player in ("ann", "bob")]
        ledger.post([*(replace(each, at_ms=start) for each in grants), *ROUNDS]).result()
        yield ledger


def daily(ledger: SqliteLedger, now: str = "2026-04-20T12:00:00+00:00") -> DailyResults:
    return DailyResults(ledger.reports, BERLIN, lambda: at(now))


def test_a_round_counts_on_the_operators_day_of_its_end(ledger: SqliteLedger) -> None:
    report = results_report(daily(ledger), TABLES, FIRST, LAST, None)
    assert [
        (each.day, each.rounds, each.voids, int(each.staked_minor), int(each.returned_minor))
        for each in report.days
    ] == [
        ("2026-03-28", 1, 0, 100, 0),
        ("2026-03-29", 2, 0, 200, 250),
        ("2026-03-30", 0, 1, 0, 0),
    ]
    assert report.players == (DayPlayers("2026-03-28", "EUR", 1), DayPlayers("2026-03-29", "EUR", 2))
    (table,) = report.tables
    assert (table.title, table.rounds, table.voids, table.staked_minor) == ("Roulette", 3, 1, "300")
    assert (report.time_zone, report.today) == ("Europe/Berlin", "2026-04-20")


def test_a_report_of_one_table_has_no_other(ledger: SqliteLedger) -> None:
    assert results_report(daily(ledger), TABLES, FIRST, LAST, "roulette").days
    report = results_report(daily(ledger), TABLES, FIRST, LAST, "classic")
    assert (report.days, report.tables, report.players) == ((), (), ())


def test_days_tile_the_time_when_the_clocks_change() -> None:
    lengths = [
        starts_ms(day + timedelta(1), BERLIN) - starts_ms(day, BERLIN) for day in days_from(FIRST, LAST)
    ]
    assert [length // 3_600_000 for length in lengths] == [24, 23, 24]


class CountedReads:
    """The figures of a ledger, whose readings of days are counted."""

    def __init__(self, ledger: SqliteLedger) -> None:
        self.read = 0
        self._reports = ledger.reports
        self.open_by_table, self.holdings, self.notes = (
            ledger.reports.open_by_table,
            ledger.reports.holdings,
            ledger.reports.notes,
        )

    def results(self, since_ms: int, until_ms: int) -> PeriodResult:
        self.read += 1
        return self._reports.results(since_ms, until_ms)


@pytest.mark.parametrize(("after_ms", "reads"), [(SETTLED_MS, 2), (SETTLED_MS + 1, 1)])
def test_a_day_is_read_again_until_it_is_surely_over(ledger: SqliteLedger, after_ms: int, reads: int) -> None:
    counted = CountedReads(ledger)
    end_ms = starts_ms(FIRST + timedelta(1), BERLIN)
    results = DailyResults(counted, BERLIN, lambda: end_ms + after_ms)
    assert results.of(FIRST) == results.of(FIRST)
    assert counted.read == reads


async def text_of(parts: object) -> str:
    return "".join([part async for part in parts])  # type: ignore[attr-defined]


async def test_the_file_has_a_line_for_each_day_and_table(ledger: SqliteLedger) -> None:
    report = results_report(daily(ledger), TABLES, FIRST, LAST, None)
    assert (await text_of(results_csv(report, TABLES, CURRENCIES))).splitlines() == [
        "day,table,title,currency,rounds,void,players,staked,returned,ggr,hold_percent",
        "2026-03-28,roulette,Roulette,EUR,1,0,1,1.00,0.00,1.00,100.00",
        "2026-03-29,roulette,Roulette,EUR,2,0,2,2.00,2.50,-0.50,-25.00",
        "2026-03-30,roulette,Roulette,EUR,0,1,0,0.00,0.00,0.00,",
    ]


async def test_files_of_nothing_say_so(ledger: SqliteLedger) -> None:
    empty = results_report(daily(ledger), TABLES, date(2026, 1, 1), date(2026, 1, 2), None)
    assert (await text_of(results_csv(empty, TABLES, CURRENCIES))).splitlines()[1:] == ["No Activity"]
    nothing = liability_report(Holdings(0, 0, {}))
    assert (await text_of(liabilities_csv(nothing, CURRENCIES, 0))).splitlines()[1:] == ["No Activity"]


async def test_liabilities_are_the_balances_of_players(ledger: SqliteLedger) -> None:
    report = liability_report(ledger.reports.holdings(at("2026-03-29T21:59:56+00:00")))  # a stake is in play
    (line,) = report.liabilities
    held = {kind: int(minor) for kind, minor in line.held.items() if minor != "0"}
    assert (line.currency, held, line.total_minor) == ("EUR", {"cash": 1_900, "in_play": 100}, "2000")
    columns, row = (await text_of(liabilities_csv(report, CURRENCIES, 1_000))).splitlines()
    values = dict(zip(columns.split(","), row.split(","), strict=True))
    assert values | {"cash": "19.00", "in_play": "1.00", "total": "20.00"} == values
    assert (values["at"], values["journal_entry"]) == ("1970-01-01T00:00:01.000Z", str(report.seq))


# --- the return beside the published one


def even_money(coups: int, returned_percent: float, table: str = "roulette", players: int = 1) -> TableResult:
    """Return coups with stakes of 1.00 by each player, all on the same even chance."""
    staked = 100 * players
    won = round(coups * returned_percent / 200)
    spread = Spread(
        coups, float(coups * staked**2), float((2 * won - coups) * staked**2), float(coups * staked**2)
    )
    counts = coups * players, 0, players
    return TableResult(table, "EUR", *counts, coups * staked, 2 * won * staked, spread)


@pytest.mark.parametrize(
    ("coups", "percent", "verdict"),
    [
        (COUPS_MIN - 1, 150.0, "few"),
        (COUPS_MIN, 97.3, "within"),
        (COUPS_MIN, 100.2, "within"),
        (COUPS_MIN, 100.4, "above"),
        (COUPS_MIN, 94.2, "below"),
        (1_000_000, 97.58, "within"),
        (1_000_000, 97.8, "above"),  # a drift of half a percent
        (1_000_000, 96.8, "below"),
    ],
)
def test_a_return_is_compared_with_the_published_one(coups: int, percent: float, verdict: str) -> None:
    assert compare(TABLES["roulette"], even_money(coups, percent)).verdict == verdict


def test_players_who_win_together_count_as_one_result() -> None:
    alone, together = (even_money(20_000, 99.5, players=players) for players in (1, 50))
    assert compare(TABLES["roulette"], alone) == compare(TABLES["roulette"], together)


def test_decisions_may_cost_more_than_the_published_return() -> None:
    assert published_range(TABLES["classic"]) == PercentBand(99.297, 99.3)
    assert compare(TABLES["classic"], even_money(1_000_000, 96.5, "classic")).verdict == "within"
    assert compare(TABLES["classic"], even_money(1_000_000, 95.9, "classic")).verdict == "below"
    assert compare(TABLES["classic"], even_money(1_000_000, 99.7, "classic")).verdict == "above"


def test_a_table_that_is_gone_has_no_band() -> None:
    assert compare(None, even_money(COUPS_MIN, 97.3, "gone")).verdict == "unpublished"


def test_sums_of_days_are_those_of_all_coups() -> None:
    assert total([even_money(100, 90), even_money(300, 100)]) == even_money(400, 97.5)._replace(players=2)
