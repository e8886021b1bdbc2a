"""Strategy charts as images, in the colours of the HTML charts."""

from collections.abc import Iterator
from pathlib import Path

from matplotlib.axes import Axes
from matplotlib.patches import Rectangle

from croupier.maths.reporting.chart_html import colours
from croupier.maths.reporting.plot_style import MUTED_COLOUR, TEXT_COLOUR, styled_figure
from croupier.play.contract.figures import Chart

CELL_INCHES, ROW_INCHES = 0.5, 0.32
HEAD_CELLS = 1.6
"""Width of the column that lists the hands."""
ChartRow = tuple[str, tuple[str, ...]]


def draw(chart: Chart, title: str, path: Path) -> None:
    """Draw the chart to a file in the format of its suffix. Raises ValueError for an unknown format."""
    rows = [*_rows(chart)]
    columns = len(chart.columns) + HEAD_CELLS
    height = len(rows) + len(chart.letters) + 1
    with styled_figure(ROW_INCHES * height + 0.6, CELL_INCHES * columns + 0.3) as figure:
        axes = figure.add_subplot(xlim=(0, columns), ylim=(height, 0))
        axes.set_axis_off()
        axes.set_title(title)
        for place, (head, cells) in enumerate(rows):
            _draw_row(axes, chart, place, head, cells)
        for place, (letters, meaning) in enumerate(chart.letters.items(), len(rows) + 1):
            _draw_row(axes, chart, place, "", (letters,))
            axes.text(HEAD_CELLS + 1.2, place + 0.5, meaning, va="center")
        figure.savefig(path)


def _rows(chart: Chart) -> Iterator[ChartRow]:
    """Yield the heading and lines of every part."""
    for part in chart.parts:
        yield part.name, chart.columns
        yield from part.lines.items()


def _draw_row(axes: Axes, chart: Chart, place: int, head: str, cells: tuple[str, ...]) -> None:
    shade, heading = colours(chart), cells == chart.columns
    weight = "bold" if heading else "normal"
    axes.text(HEAD_CELLS - 0.3, place + 0.5, head, ha="right", va="center", weight=weight)
    for left, text in enumerate(cells):
        x = HEAD_CELLS + left
        if not heading:
            axes.add_patch(Rectangle((x, place), 1, 1, facecolor=shade[text], edgecolor="white"))
        colour = MUTED_COLOUR if heading else TEXT_COLOUR
        axes.text(x + 0.5, place + 0.5, text, ha="center", va="center", color=colour, weight=weight)
