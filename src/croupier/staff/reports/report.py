"""The report of results by table and day."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from datetime import date

from croupier.ledger.reports import PeriodResult, TableResult
from croupier.play.contract.game import Table
from croupier.protocol.staff_reports import DayPlayers, DayResult, ResultsReport, TableReturn
from croupier.staff.reports.results import DailyResults
from croupier.staff.reports.returns import compare


def results_report(
    results: DailyResults, tables: Mapping[str, Table], first: date, last: date, table: str | None
) -> ResultsReport:
    """Return the report of the days from `first` to `last`, of one table or all."""
    days = dict(results.between(first, last))
    rows = [
        (day, each) for day, of_day in days.items() for each in of_day.tables if table in (None, each.table)
    ]
    return ResultsReport(
        time_zone=str(results.zone),
        today=results.today().isoformat(),
        first=first.isoformat(),
        last=last.isoformat(),
        tables=table_returns((each for _, each in rows), tables),
        days=tuple(_day_result(day, each) for day, each in rows),
        players=() if table else tuple(_players(days)),
    )


def table_returns(rows: Iterable[TableResult], tables: Mapping[str, Table]) -> tuple[TableReturn, ...]:
    """Return the sums of each table and currency, compared with the table's published return."""
    found: dict[tuple[str, str], list[TableResult]] = defaultdict(list)
    for each in rows:
        found[each.table, each.currency].append(each)
    return tuple(_table_return(total(found[key]), tables.get(key[0])) for key in sorted(found))


def total(rows: Iterable[TableResult]) -> TableResult:
    """Add up rows of one table and currency; a player counts once for each."""
    first, *rest = rows
    for each in rest:
        first = first._replace(
            rounds=first.rounds + each.rounds,
            voids=first.voids + each.voids,
            players=first.players + each.players,
            staked_minor=first.staked_minor + each.staked_minor,
            returned_minor=first.returned_minor + each.returned_minor,
            spread=first.spread.plus(each.spread),
        )
    return first


def _table_return(of: TableResult, table: Table | None) -> TableReturn:
    return TableReturn(
        of.table,
        table.title if table else of.table,
        of.currency,
        of.rounds,
        of.voids,
        str(of.staked_minor),
        str(of.returned_minor),
        *compare(table, of),
    )


def _day_result(day: date, of: TableResult) -> DayResult:
    sums = str(of.staked_minor), str(of.returned_minor)
    return DayResult(day.isoformat(), of.table, of.currency, of.rounds, of.voids, of.players, *sums)


def _players(days: Mapping[date, PeriodResult]) -> Iterable[DayPlayers]:
    for day, result in days.items():
        for currency, players in result.players.items():
            yield DayPlayers(day.isoformat(), currency, players)
