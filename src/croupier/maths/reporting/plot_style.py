"""The style of all pictures, and a matplotlib figure as SVG to stand in a page."""

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from html import escape
from io import StringIO
from typing import Any

from matplotlib import style
from matplotlib.axes import Axes
from matplotlib.figure import Figure

TEXT_COLOUR, MUTED_COLOUR, GRID_COLOUR = "#1d2b27", "#5c6b66", "#e6e1d8"
"""Text, what is said beside it, lines of a grid."""
FOUND_COLOUR, BAND_COLOUR, EXACT_COLOUR = "#2f6f5e", "#cfe3da", "#b5523b"
"""What was found, where it may lie, and the exact figure."""
LOST_COLOUR, EVEN_COLOUR, WON_COLOUR = "#d39380", "#b9b3a6", "#6fae98"
WIDTH_INCHES = 9.0
STYLE: Mapping[str, Any] = {
    "axes.axisbelow": True,
    "axes.edgecolor": MUTED_COLOUR,
    "axes.grid": True,
    "axes.labelcolor": MUTED_COLOUR,
    "axes.spines.right": False,
    "axes.spines.top": False,
    "axes.titlelocation": "left",
    "axes.titlepad": 10,
    "axes.titlesize": 11,
    "axes.titleweight": "bold",
    "figure.constrained_layout.use": True,
    "font.size": 9.5,
    "grid.color": GRID_COLOUR,
    "legend.frameon": False,
    "savefig.dpi": 200,
    "svg.fonttype": "none",
    "text.color": TEXT_COLOUR,
    "xtick.color": MUTED_COLOUR,
    "xtick.labelcolor": TEXT_COLOUR,
    "ytick.color": MUTED_COLOUR,
    "ytick.labelcolor": TEXT_COLOUR,
}
"""On matplotlib's defaults, whatever its user has set: the same figure is the same picture everywhere."""


@contextmanager
def styled_figure(height_inches: float, width_inches: float = WIDTH_INCHES) -> Iterator[Figure]:
    """A figure to draw on, in the style of all."""
    with style.context(["default", dict(STYLE)]):
        yield Figure(figsize=(width_inches, height_inches))


def set_titles(axes: Axes, title: str, x: str, y: str) -> None:
    axes.set_title(title)
    axes.set_xlabel(x)
    axes.set_ylabel(y)


def svg(figure: Figure, says: str) -> str:
    """The figure as an element of a page; `says` is what a screen reader hears. Call it while drawing.

    Several figures stand in a page: what one calls its parts depends on what it says.
    """
    written = StringIO()
    with style.context({"svg.hashsalt": says}):
        figure.savefig(written, format="svg", metadata={"Date": None})
    _, _, drawn = written.getvalue().partition("<svg")
    drawn = re.sub(r"<metadata>.*?</metadata>\n?", "", drawn, flags=re.DOTALL)
    drawn = re.sub(r' (?:xmlns(?::xlink)?|width|height|version)="[^"]*"', "", drawn, count=5)
    drawn = drawn.replace("xlink:href", "href")
    bets_label = set(re.findall(r'(?:href="|url\()#([^")]*)', drawn))
    drawn = re.sub(r' id="([^"]*)"', lambda found: found[0] if found[1] in bets_label else "", drawn)
    return f'<svg role="img" aria-label="{escape(says)}"{drawn.rstrip()}'
