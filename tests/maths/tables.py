"""The published tables: those of coups, those with decisions, and all."""

from croupier.games import published_tables
from croupier.maths.exact.coup_figures import figures_of
from croupier.play.contract.figures import Chart, PlayFigures
from croupier.play.contract.game import Table
from croupier.play.contract.model import Strategy


def _is_coup(table: Table) -> bool:
    return table.game.model is not None and table.game.model.chart is None


TABLES = published_tables()
COUP_TABLES = {name: table for name, table in TABLES.items() if _is_coup(table)}
DECISION_TABLES = {name: table for name, table in TABLES.items() if not _is_coup(table)}


def chart_of(table: Table) -> Chart:
    """Return the best chart of a table with decisions."""
    chart = figures_of(table).chart
    assert chart is not None
    return chart


def exact_figures(table: Table, strategy: str) -> PlayFigures:
    """Return the exact figures of the strategy `optimal` or `basic`."""
    return figures_of(table).best if strategy == "optimal" else chart_of(table).played


def chart_strategy(table: Table, text: str) -> Strategy:
    """Return the strategy that plays a chart, given as text."""
    assert table.game.model
    assert table.game.model.chart
    return table.game.model.chart(text)
