"""A one-page report of a table's mathematics (a PAR sheet): rules, returns, odds, chart, plots."""

import shlex
import sys
from collections.abc import Sequence
from datetime import UTC, datetime
from functools import cache
from importlib.metadata import version
from importlib.resources import files
from typing import Any, NamedTuple

import msgspec
from jinja2 import Environment, FunctionLoader, StrictUndefined

from croupier import __date__, __version__
from croupier.cache import sources_digest
from croupier.maths.exact.claims import claims
from croupier.maths.exact.compiled_cache import SOURCES
from croupier.maths.reporting.chart_html import html
from croupier.maths.reporting.wording import MEASURES, bets_label, format_rule, percent, signed
from croupier.maths.simulation.convergence import RunningEstimate
from croupier.play.contract.figures import ChanceTable, Figures, PlayFigures, group_equal
from croupier.play.contract.game import Table
from croupier.play.contract.rules_text import rules_key

LIBRARIES = ("numpy", "numba", "llvmlite", "matplotlib")


class Simulated(NamedTuple):
    """The progress of a simulation; without points, nothing was simulated."""

    seed: int = 0
    points: Sequence[RunningEstimate] = ()

    @property
    def words(self) -> tuple[str, ...]:
        """The command-line arguments that repeat the simulation."""
        if not self.points:
            return ("--rounds", "0")
        return ("--rounds", str(self.points[-1].rounds), "--seed", str(self.seed))


def page(title: str, body: str) -> str:
    """Return a self-contained HTML page for screen and print; `body` is HTML."""
    return _templates().get_template("report.html").render(title=title, body=body)


def report(table: Table, figures: Figures, simulated: Simulated, command: Sequence[str]) -> str:
    """Return the page; `command` reproduces it, without the arguments of the simulation."""
    body = _templates().get_template("report_body.html")
    filled = body.render(
        table=table,
        figures=figures,
        words=table.labels,
        made=_made(table, simulated, command),
        measures=MEASURES,
        ways=_ways(table, figures),
        bets=[(bets_label(table, alike), alike[0]) for alike in group_equal(figures.bets)],
        percent=percent,
        signed=signed,
        claims=claims(table, figures),
        rules={field: format_rule(value) for field, value in msgspec.to_builtins(table.rules).items()},
        chart=figures.chart and html(figures.chart),
        **_plots(table, figures, simulated),
    )
    return page(table.title, filled)


def software() -> str:
    """Return the program version and a digest of the sources that compute the figures."""
    return f"croupier {__version__} of {__date__}, sources {sources_digest(*SOURCES)[:16]}"


def _made(table: Table, simulated: Simulated, command: Sequence[str]) -> dict[str, str]:
    """Describe how the page was made: the command reproduces it except for the date."""
    libraries = ", ".join(f"{library} {version(library)}" for library in LIBRARIES)
    return {
        "date": f"{datetime.now(UTC):%Y-%m-%d}",
        "software": software(),
        "libraries": f"Python {sys.version.partition(' ')[0]}, {libraries}",
        "rules": rules_key(table.game, table.rules),
        "seed": str(simulated.seed) if simulated.points else "nothing was simulated",
        "command": shlex.join((*command, *simulated.words)),
    }


def _ways(table: Table, figures: Figures) -> dict[str, PlayFigures]:
    """Return the ways to play by, or the best bet of a game without decisions."""
    best, chart = figures.best, figures.chart
    if chart is None:
        return {table.labels[best.strategy]: best}
    return {best.strategy: best, chart.played.strategy: chart.played}


def _plots(table: Table, figures: Figures, simulated: Simulated) -> dict[str, Any]:
    """Draw the plots. Imports matplotlib lazily, because other commands don't need it."""
    from croupier.maths.reporting import plots

    best = figures.best
    of = "played at its best" if figures.chart else table.labels[best.strategy]
    label = f"Net results: mean {best.mean:.4f}, standard deviation {best.standard_deviation:.4f}"
    drawn = {
        "distribution": plots.distribution(
            figures.distribution, f"{table.title}, {of}: net result of a round", label
        ),
        "chance_plots": [_chance_plot(table, shown) for shown in figures.chance_tables.values()],
        "convergence": "",
        "simulated": "",
    }
    return drawn | (_convergence(table, figures, simulated) if simulated.points else {})


def _chance_plot(table: Table, shown: ChanceTable) -> tuple[ChanceTable, str]:
    from croupier.maths.reporting import plots

    label = ", ".join(f"{case}: {percent(chance)}" for case, chance in shown.chances.items())
    return shown, plots.chances(shown.chances, f"{table.title}: {shown.plot_title}", shown.axis, label)


def _convergence(table: Table, figures: Figures, simulated: Simulated) -> dict[str, str]:
    from croupier.maths.reporting import plots

    chart, last = figures.chart, simulated.points[-1]
    played = chart.played if chart else figures.best
    exact = plots.ExactFigure(played.return_per_initial_stake, played.standard_deviation)
    of = "by the chart below" if chart else "of the best bet"
    caption = (
        f"{last.rounds:,} rounds {of} returned {percent(last.figure)} ± {percent(last.error)} "
        f"of the initial stake (one standard error); exact is {percent(exact.figure)}."
    )
    how = "by the chart" if chart else table.labels[played.strategy]
    title = f"{table.title}, {how}: return in a simulation, seed {simulated.seed}"
    drawn = plots.convergence(simulated.points, exact, title, caption)
    return {"convergence": drawn, "simulated": caption.replace(" %", "\N{NO-BREAK SPACE}%")}


@cache
def _templates() -> Environment:
    """Templates are escaped; the page's body is already HTML."""
    folder = files(__package__)
    loader = FunctionLoader(lambda name: (folder / name).read_text(encoding="utf-8"))
    return Environment(loader=loader, undefined=StrictUndefined, autoescape=True)
