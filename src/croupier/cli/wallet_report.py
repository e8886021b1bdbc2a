"""The report of `wallet check` on a terminal."""

from collections.abc import Iterator

from rich.table import Table as Grid
from rich.text import Text

from croupier.cli.output import grid
from croupier.integration.wallet_check.report import WalletCheckStatus, WalletReport, WalletResult

MARKS: dict[WalletCheckStatus, tuple[str, str]] = {
    "passed": ("✓", "green"),
    "failed": ("✗", "bold red"),
    "warned": ("!", "yellow"),
    "skipped": ("-", "dim"),
}
COUNTED = {"passed": "passed", "failed": "failed", "warned": "with a warning", "skipped": "skipped"}


def report_grid(report: WalletReport) -> Grid:
    """Return a table with one row for each check; failed ones say what was found and what to do."""
    made = grid("", "clause", "check", "rule")
    for result in report.results:
        mark, style = MARKS[result.status]
        made.add_row(Text(mark, style), result.clause, result.name, Text("\n").join(_lines(result)))
    return made


def _lines(result: WalletResult) -> Iterator[Text]:
    yield Text(result.rule)
    if result.expected:
        yield Text(f"expected {result.expected}", "green")
        yield Text(f"found    {result.found}", "red")
    if result.advice:
        yield Text(f"→ {result.advice}", "cyan")


def summary(report: WalletReport, player: str) -> Iterator[str]:
    """Yield the sentences below the table."""
    statuses = [result.status for result in report.results]
    counts = (f"{statuses.count(status)} {words}" for status, words in COUNTED.items() if status in statuses)
    yield f"{len(statuses)} checks: {', '.join(counts)}; {report.messages} messages."
    if report.before_minor is None:
        yield f"Nothing was moved, because the balance of {player} isn't known."
    elif report.is_restored:
        yield f"The balance of {player} is as before: {report.before_minor}."
    else:
        after = "not known" if report.after_minor is None else str(report.after_minor)
        yield f"The balance of {player} was {report.before_minor} and is {after}: please correct it."
