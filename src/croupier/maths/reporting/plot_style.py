"""The common plot style, and the export of figures as inline SVG."""

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
"""Colours of text, secondary text and grid lines."""
FOUND_COLOUR, BAND_COLOUR, EXACT_COLOUR = "#2f6f5e", "#cfe3da", "#b5523b"
"""Colours of results, confidence bands and exact figures."""
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
"""Applied to matplotlib's defaults instead of the user's settings, so that plots are reproducible."""


@contextmanager
def styled_figure(height_inches: float, width_inches: float = WIDTH_INCHES) -> Iterator[Figure]:
    """Open a figure in the common style."""
    with style.context(["default", dict(STYLE)]):
        yield Figure(figsize=(width_inches, height_inches))


def set_titles(axes: Axes, title: str, x: str, y: str) -> None:
    axes.set_title(title)
    axes.set_xlabel(x)
    axes.set_ylabel(y)


def svg(figure: Figure, label: str) -> str:
    """Return the figure as an inline SVG element; `label` is its text for screen readers. Call while drawing.

    The label also salts the element ids, so that the figures of a page don't clash.
    """
    written = StringIO()
    with style.context({"svg.hashsalt": label}):
        figure.savefig(written, format="svg", metadata={"Date": None})
    _, _, drawn = written.getvalue().partition("<svg")
    drawn = re.sub(r"<metadata>.*?</metadata>\n?", "", drawn, flags=re.DOTALL)
    drawn = re.sub(r' (?:xmlns(?::xlink)?|width|height|version)="[^"]*"', "", drawn, count=5)
    drawn = drawn.replace("xlink:href", "href")
    referenced = set(re.findall(r'(?:href="|url\()#([^")]*)', drawn))
    drawn = re.sub(r' id="([^"]*)"', lambda found: found[0] if found[1] in referenced else "", drawn)
    return f'<svg role="img" aria-label="{escape(label)}"{drawn.rstrip()}'
