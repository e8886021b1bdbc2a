"""The published tables: those at which something is to be decided, and the coups."""

from croupier.games import published_tables
from croupier.maths.exact.coup_figures import figures_of
from croupier.play.contract.figures import Chart, PlayFigures
from croupier.play.contract.game import Table
from croupier.play.contract.model import Strategy


def _is_coup(table: Table) -> bool:
    return table.game.model is not None and table.game.model.chart is None


TABLES = published_tables()
COUPS = {name: table for name, table in TABLES.items() if _is_coup(table)}
DECIDED = {name: table for name, table in TABLES.items() if not _is_coup(table)}


def chart_of(table: Table) -> Chart:
    """The best chart of a table at which something is to be decided."""
    chart = figures_of(table).chart
    assert chart is not None
    return chart


def played_by(table: Table, strategy: str) -> PlayFigures:
    """What is known exactly of `optimal` and `basic`."""
    return figures_of(table).best if strategy == "optimal" else chart_of(table).played


def by_chart(table: Table, text: str) -> Strategy:
    """Of a chart file's text."""
    assert table.game.model
    assert table.game.model.chart
    return table.game.model.chart(text)
