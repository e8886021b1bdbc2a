"""`strategy`: the best strategy of a table, as a chart."""

from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table as Grid
from rich.text import Text

from croupier.cli.output import JsonFlag, TablesFile, console, print_json, refuse
from croupier.cli.study import Changes, NoCache, TableName, changed_table, figures_of, refuse_missing
from croupier.maths.exact.claims import DIGITS
from croupier.maths.reporting.chart_html import colours, html
from croupier.maths.reporting.wording import percent
from croupier.play.contract.figures import Chart, ChartPart, Figures
from croupier.play.contract.game import Table

HEAD_WIDTH, CELL_WIDTH = 8, 5
"""Widths in a terminal chart, including the lines between columns."""

Png = Annotated[Path | None, typer.Option("--png", help="Draw the chart to this file: PNG, SVG or PDF.")]
Html = Annotated[Path | None, typer.Option("--html", help="Write the chart to this file as a page.")]
ChartFile = Annotated[
    Path | None, typer.Option("--chart", help="Write it as a chart file, for `simulate --strategy FILE`.")
]


def strategy(
    table: TableName,
    changes: Changes = None,
    png: Png = None,
    html: Html = None,
    chart: ChartFile = None,
    tables: TablesFile = None,
    json: JsonFlag = False,
    _no_cache: NoCache = False,
) -> None:
    """Print the best strategy by totals as a chart, with its return.

    A player who uses every card of the hand does slightly better: that is the return in `croupier rtp`. With
    `--json`, the value of every option of every two cards is printed too.

    Examples:

    - `croupier strategy infinite`
    - `croupier strategy classic --set decks=2 --png chart.png`
    - `croupier strategy premium --chart my-chart.txt`
    """
    found = changed_table(table, changes, tables)
    figures = figures_of(found)
    best = figures.chart
    if best is None:
        refuse(f"there is nothing to decide in {found.title}; `croupier rtp {found.id}` has its bets")
    if json:
        print_json(record(found, best) | {"openings": openings(figures)})
    else:
        _print(found, best)
    for path, write in ((png, _write_png), (html, _write_html), (chart, _write_chart)):
        if path:
            try:
                write(found, best, path)
            except OSError as error:
                refuse(f"{path} can't be written: {error.strerror or error}")


def record(table: Table, chart: Chart) -> dict[str, object]:
    return {
        "table": table.id,
        "strategy": chart.played.strategy,
        "return_per_initial_stake": round(chart.played.return_per_initial_stake, DIGITS),
        "return_per_total_stake": round(chart.played.return_per_total_stake, DIGITS),
        "columns": list(chart.columns),
        "lines": {part.name: {hand: list(line) for hand, line in part.lines.items()} for part in chart.parts},
        "offers": chart.offers,
        "letters": chart.letters,
    }


def openings(figures: Figures) -> list[dict[str, object]]:
    """Return the net value of each option of each two cards, in initial stakes, played optimally."""
    return [
        {
            "hand": one.hand,
            "dealer": one.dealer,
            "chance": round(one.chance, DIGITS),
            "best": one.best,
            "options": {action: round(net, DIGITS) for action, net in one.options.items()},
        }
        for one in figures.openings
    ]


def _print(table: Table, chart: Chart) -> None:
    console.print(f"[bold]{table.title}[/], {chart.played.strategy}: {summary(chart)}")
    fit = max(1, (console.width - HEAD_WIDTH) // CELL_WIDTH)
    for part in chart.parts:
        for first in range(0, len(chart.columns), fit):
            console.print(_grid(chart, part, slice(first, first + fit)))
    for letters, colour in colours(chart).items():
        console.print(Text(f" {letters:<2} ", f"black on {colour}"), chart.letters[letters])
    for name, answer in chart.offers.items():
        console.print(f"{table.labels.get(name, name)}: {answer}")


def summary(chart: Chart) -> str:
    """Summarise the return of playing by the chart."""
    played = chart.played
    return (
        f"returns {percent(played.return_per_initial_stake)} of the initial stake, "
        f"{percent(played.return_per_total_stake)} of all that is staked"
    )


def _grid(chart: Chart, part: ChartPart, shown: slice) -> Grid:
    """Return a table of the columns of the chart that fit side by side."""
    shade = colours(chart)
    grid = Grid(part.name, *chart.columns[shown], pad_edge=False, padding=0)
    grid.columns[0].min_width = HEAD_WIDTH - 3
    for column in grid.columns[1:]:
        column.justify, column.min_width = "center", CELL_WIDTH - 1
    for hand, line in part.lines.items():
        grid.add_row(hand, *(Text(f"{letters:^4}", f"black on {shade[letters]}") for letters in line[shown]))
    return grid


def _write_png(table: Table, chart: Chart, path: Path) -> None:
    try:
        from croupier.maths.reporting.chart_pictures import draw

        draw(chart, f"{table.title}: returns {percent(chart.played.return_per_initial_stake)}", path)
    except ModuleNotFoundError as missing:
        refuse_missing(missing, "maths")
    except ValueError as error:
        refuse(f"{path} can't be written: {error}")


def _write_html(table: Table, chart: Chart, path: Path) -> None:
    from croupier.maths.reporting.report import page

    path.write_text(page(table.title, f"<p>{summary(chart)}</p>{html(chart)}"), encoding="utf-8")


def _write_chart(_table: Table, chart: Chart, path: Path) -> None:
    path.write_text(chart.text, encoding="utf-8")
