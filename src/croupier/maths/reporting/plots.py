"""The plots of a report: bar charts, and the convergence of a simulation."""

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from matplotlib.axes import Axes
from matplotlib.ticker import FuncFormatter, LogLocator, MaxNLocator, NullFormatter

from croupier.maths.reporting.plot_style import (
    BAND_COLOUR,
    EVEN_COLOUR,
    EXACT_COLOUR,
    FOUND_COLOUR,
    LOST_COLOUR,
    TEXT_COLOUR,
    WON_COLOUR,
    set_titles,
    styled_figure,
    svg,
)
from croupier.maths.reporting.wording import signed
from croupier.maths.simulation.convergence import RunningEstimate
from croupier.play.contract.figures import Bar

ERRORS_95 = 1.96
"""Standard errors on either side that contain 95 % of simulations."""
LABELS_MAX = 12
"""Maximum number of bars that are labelled with their values."""
LOG_FROM = 200
"""Ratio of probabilities from which the axis is logarithmic."""
FEW_DECADES = 3


class ExactFigure(NamedTuple):
    """The exact return that a simulation converges to, and the standard deviation of one round."""

    figure: float
    deviation: float


def distribution(bars: Sequence[Bar], title: str, label: str) -> str:
    """Plot the probability of each net result."""
    nets, chances = [bar.net for bar in bars], [bar.chance for bar in bars]
    with styled_figure(3.4) as figure:
        axes = figure.add_subplot()
        colours = [WON_COLOUR if net > 0 else LOST_COLOUR if net < 0 else EVEN_COLOUR for net in nets]
        drawn = axes.bar(nets, chances, width=_bar_width(nets), color=colours)
        set_titles(axes, title, "net result, in initial stakes", "chance")
        if min(chances) * LOG_FROM < max(chances):
            _log_chances(axes, min(chances))
        else:
            _linear_chances(axes, max(chances))
        if len(bars) <= LABELS_MAX:
            axes.bar_label(drawn, [_short(chance) for chance in chances], color=TEXT_COLOUR, padding=2)
        _net_axis(axes, nets)
        return svg(figure, label)


def chances(cases: Mapping[str, float], title: str, x: str, label: str) -> str:
    """Plot a probability for each of several cases."""
    with styled_figure(3.2) as figure:
        axes = figure.add_subplot()
        drawn = axes.bar(list(cases), list(cases.values()), width=0.72, color=WON_COLOUR)
        set_titles(axes, title, x, "chance")
        _linear_chances(axes, max(cases.values()))
        few = len(cases) <= LABELS_MAX
        labels = [_short(chance) if few else f"{100 * chance:.0f} %" for chance in cases.values()]
        axes.bar_label(drawn, labels, color=TEXT_COLOUR, padding=2, fontsize=9.5 if few else 7.5)
        axes.tick_params("x", length=0, labelsize=9.5 if few else 8)
        return svg(figure, label)


def convergence(points: Sequence[RunningEstimate], exact: ExactFigure, title: str, label: str) -> str:
    """Plot the return against the number of rounds, and its error in standard errors."""
    rounds = np.array([point.rounds for point in points], float)
    found = np.array([point.figure for point in points])
    span = np.geomspace(rounds[0], max(rounds[-1], rounds[0] + 1), 200)
    with styled_figure(5.2) as figure:
        above, below = figure.subplots(2, 1, sharex=True, height_ratios=(3, 2))
        reach = ERRORS_95 * exact.deviation / np.sqrt(span)
        above.fill_between(span, exact.figure - reach, exact.figure + reach, color=BAND_COLOUR, lw=0)
        above.axhline(exact.figure, color=EXACT_COLOUR, lw=1.2, label=f"exact: {100 * exact.figure:.4f} %")
        above.plot(rounds, found, color=FOUND_COLOUR, lw=1.6, marker="o", ms=2.5, label="simulated so far")
        above.yaxis.set_major_formatter(FuncFormatter(_percent))
        above.fill_between([], [], [], color=BAND_COLOUR, label="95 % of simulations")
        above.legend(loc="upper right", ncols=3)
        set_titles(above, title, "", "return per initial stake")
        below.axhspan(-ERRORS_95, ERRORS_95, color=BAND_COLOUR, lw=0)
        below.axhline(0, color=EXACT_COLOUR, lw=1.2)
        errors = (found - exact.figure) * np.sqrt(rounds) / (exact.deviation or 1.0)
        below.plot(rounds, errors, color=FOUND_COLOUR, lw=1.6, marker="o", ms=2.5)
        bound = max(3.0, 1.1 * float(np.abs(errors).max()))
        below.set_ylim(-bound, bound)
        below.yaxis.set_major_locator(MaxNLocator(6, integer=True))
        below.yaxis.set_major_formatter(FuncFormatter(lambda error, _: signed(error)))
        set_titles(below, "Distance from the exact figure", "rounds (logarithmic scale)", "standard errors")
        _round_axis(below, float(span[0]), float(span[-1]))
        return svg(figure, label)


def _round_axis(axes: Axes, first: float, last: float) -> None:
    axes.set_xscale("log")
    axes.set_xlim(first, last)
    few = last < first * 10**FEW_DECADES
    axes.xaxis.set_major_locator(LogLocator(subs=(1, 2, 5) if few else (1,), numticks=20))
    axes.xaxis.set_major_formatter(FuncFormatter(lambda rounds, _: _count(rounds)))
    axes.xaxis.set_minor_formatter(NullFormatter())


def _count(rounds: float) -> str:
    for size, word in ((10**9, "billion"), (10**6, "million")):
        if rounds >= size:
            return f"{rounds / size:g} {word}"
    return f"{rounds:,.0f}"


def _net_axis(axes: Axes, nets: Sequence[float]) -> None:
    """Label every net result if there are few, else whole numbers only."""
    if len(nets) <= LABELS_MAX:
        axes.set_xticks(nets)
    else:
        axes.xaxis.set_major_locator(MaxNLocator(17, integer=True))
    axes.xaxis.set_major_formatter(FuncFormatter(lambda net, _: signed(net)))
    axes.grid(visible=False, axis="x")


def _linear_chances(axes: Axes, maximum: float) -> None:
    axes.set_ylim(0, 1.1 * maximum)
    axes.yaxis.set_major_locator(MaxNLocator(6, steps=[1, 2, 5, 10]))
    axes.yaxis.set_major_formatter(FuncFormatter(_percent))
    axes.grid(visible=False, axis="x")


def _log_chances(axes: Axes, minimum: float) -> None:
    axes.set_yscale("log")
    axes.set_ylim(minimum / 3, 1)
    axes.yaxis.set_major_formatter(FuncFormatter(_percent))
    axes.yaxis.set_minor_formatter(NullFormatter())
    axes.set_ylabel("chance (logarithmic scale)")


def _bar_width(places: Sequence[float]) -> float:
    """Return the width that separates the closest bars; at most a quarter of the axis."""
    gaps = [after - before for before, after in pairwise(places)]
    return 0.8 * min(*gaps, 0.3 * sum(gaps)) if gaps else 0.8


def _percent(part: float, _place: int | None) -> str:
    return f"{100 * part:.6g} %"


def _short(chance: float) -> str:
    """Format as a percentage with three significant digits."""
    return f"{100 * chance:.3g} %"
