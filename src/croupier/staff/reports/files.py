"""Reports as CSV files. A report of nothing says so, as GLI-19 2.9.1 asks."""

from collections.abc import AsyncIterator, Mapping, Sequence

from croupier.gateway.pages.csv_files import csv_text, guarded, plain_amount, utc
from croupier.play.contract.amounts import Currency
from croupier.play.contract.game import Table
from croupier.protocol.staff_reports import DayResult, LiabilityReport, ResultsReport

NO_ACTIVITY = ["No Activity"]
RESULT_COLUMNS = (
    "day",
    "table",
    "title",
    "currency",
    "rounds",
    "void",
    "players",
    "staked",
    "returned",
    "ggr",
    "hold_percent",
)


async def results_csv(
    report: ResultsReport, tables: Mapping[str, Table], currencies: Mapping[str, Currency]
) -> AsyncIterator[str]:
    """Yield a line for each day, table and currency."""
    yield csv_text([RESULT_COLUMNS])
    yield csv_text(
        [_result(each, tables, currencies[each.currency]) for each in report.days] or [NO_ACTIVITY]
    )


def _result(of: DayResult, tables: Mapping[str, Table], currency: Currency) -> Sequence[str]:
    staked_minor = int(of.staked_minor)
    returned_minor = int(of.returned_minor)
    won_minor = staked_minor - returned_minor
    return (
        of.day,
        guarded(of.table),
        guarded(tables[of.table].title if of.table in tables else of.table),
        of.currency,
        str(of.rounds),
        str(of.voids),
        str(of.players),
        *(plain_amount(currency, minor) for minor in (staked_minor, returned_minor, won_minor)),
        f"{100 * won_minor / staked_minor:.2f}" if staked_minor else "",
    )


async def liabilities_csv(
    report: LiabilityReport, currencies: Mapping[str, Currency], asked_ms: int
) -> AsyncIterator[str]:
    """Yield a line for each currency."""
    kinds = sorted({kind for each in report.liabilities for kind in each.held})
    yield csv_text([("at", "journal_entry", "currency", *kinds, "total", "owed_by_players")])
    at = utc(asked_ms), str(report.seq)
    lines = [
        (
            *at,
            each.currency,
            *(plain_amount(currencies[each.currency], int(each.held[kind])) for kind in kinds),
            plain_amount(currencies[each.currency], int(each.total_minor)),
            plain_amount(currencies[each.currency], int(each.debt_minor)),
        )
        for each in report.liabilities
    ]
    yield csv_text(lines or [NO_ACTIVITY])
