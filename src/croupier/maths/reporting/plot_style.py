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

INK, QUIET, FAINT = "#1d2b27", "#5c6b66", "#e6e1d8"
"""Text, what is said beside it, lines of a grid."""
LINE, BAND, EXACT = "#2f6f5e", "#cfe3da", "#b5523b"
"""What was found, where it may lie, and the exact figure."""
LOST, EVEN, WON = "#d39380", "#b9b3a6", "#6fae98"
WIDTH_INCHES = 9.0
STYLE: Mapping[str, Any] = {
    "axes.axisbelow": True,
    "axes.edgecolor": QUIET,
    "axes.grid": True,
    "axes.labelcolor": QUIET,
    "axes.spines.right": False,
    "axes.spines.top": False,
    "axes.titlelocation": "left",
    "axes.titlepad": 10,
    "axes.titlesize": 11,
    "axes.titleweight": "bold",
    "figure.constrained_layout.use": True,
    "font.size": 9.5,
    "grid.color": FAINT,
    "legend.frameon": False,
    "savefig.dpi": 200,
    "svg.fonttype": "none",
    "text.color": INK,
    "xtick.color": QUIET,
    "xtick.labelcolor": INK,
    "ytick.color": QUIET,
    "ytick.labelcolor": INK,
}
"""On matplotlib's defaults, whatever its user has set: the same figure is the same picture everywhere."""


@contextmanager
def drawing(height_inches: float, width_inches: float = WIDTH_INCHES) -> Iterator[Figure]:
    """A figure to draw on, in the style of all."""
    with style.context(["default", dict(STYLE)]):
        yield Figure(figsize=(width_inches, height_inches))


def titled(axes: Axes, title: str, x: str, y: str) -> None:
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
    named = set(re.findall(r'(?:href="|url\()#([^")]*)', drawn))
    drawn = re.sub(r' id="([^"]*)"', lambda found: found[0] if found[1] in named else "", drawn)
    return f'<svg role="img" aria-label="{escape(says)}"{drawn.rstrip()}'
