"""The plot of `croupier bench scale`: a command's p99 against the number of players."""

from collections.abc import Sequence
from pathlib import Path

from matplotlib.ticker import StrMethodFormatter

from croupier.bench.scale import Growth
from croupier.maths.reporting.plot_style import (
    EXACT_COLOUR,
    FOUND_COLOUR,
    LOST_COLOUR,
    MUTED_COLOUR,
    WON_COLOUR,
    set_titles,
    styled_figure,
)

COLOURS = (FOUND_COLOUR, EXACT_COLOUR, WON_COLOUR, LOST_COLOUR)


def draw_growth(grown: Sequence[Growth], path: Path, *, at: str) -> None:
    """Draw a line for each topology, to a file in the format of its suffix. Raises ValueError for others.

    `at`: the kind of tables.
    """
    title = f"A command's p99 as players at {at} become more"
    with styled_figure(4.2) as figure:
        axes = figure.add_subplot()
        for place, each in enumerate(grown):
            players = [step.players for step in each.steps]
            p99_ms = [step.commands.p99 for step in each.steps]
            colour = COLOURS[place % len(COLOURS)]
            axes.plot(players, p99_ms, marker="o", markersize=4, color=colour, label=each.topology)
        axes.axhline(grown[0].limit_ms, color=MUTED_COLOUR, linestyle="--", linewidth=1, label="limit")
        set_titles(axes, title, "players", "p99, ms")
        axes.set_yscale("log")
        for formatted in (axes.yaxis.set_major_formatter, axes.yaxis.set_minor_formatter):
            formatted(StrMethodFormatter("{x:g}"))
        axes.xaxis.set_major_formatter(StrMethodFormatter("{x:,.0f}"))
        axes.legend()
        figure.savefig(path)
