"""A table's mathematics on one page, as a machine's PAR sheet: rules, returns, odds, chart, plots."""

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import cache
from importlib.resources import files
from typing import Any

import msgspec
from jinja2 import Environment, FunctionLoader, StrictUndefined

from croupier import __version__
from croupier.maths.chart_pictures import html
from croupier.maths.claims import claims
from croupier.maths.plots import Running, bars, convergence, thinned
from croupier.play.figures import BetOdds, Figures, Played, folded
from croupier.play.game import Table

NAMED_MAX = 3
"""So many bets are named each."""


def percent(part: float | Fraction) -> str:
    return f"{100 * float(part):.4f} %"


def named(table: Table, alike: Sequence[BetOdds]) -> str:
    """What bets with the same figures are called together: by their kind where they are many."""
    if len(alike) > NAMED_MAX:
        return f"{alike[0].kind.replace('_', ' ').capitalize()}: {len(alike)} bets"
    return ", ".join(table.words[odds.bet] for odds in alike)


def worded(value: Any) -> str:
    """A rule's value as a line has room for it."""
    match value:
        case bool():
            return "yes" if value else "no"
        case []:
            return "none"
        case [int(first), *_, int(last)] if len(value) == last - first + 1:
            return f"{first} to {last}"
        case [*_]:
            return ", ".join(map(str, value))
    return str(value)


MEASURES: Mapping[str, Callable[[Played], str]] = {
    "return per initial stake": lambda played: percent(played.return_per_initial_stake),
    "return per total stake": lambda played: percent(played.return_per_total_stake),
    "house edge": lambda played: percent(played.house_edge),
    "element of risk": lambda played: percent(played.element_of_risk),
    "stake per round": lambda played: f"{played.stake_per_round:.6f}",
    "standard deviation": lambda played: f"{played.standard_deviation:.6f}",
}
"""What is told of a way to play, and how."""


def page(title: str, body: str) -> str:
    """A whole page that needs nothing beside it, in a style for screen and paper; `body` is HTML."""
    return _templates().get_template("report.html").render(title=title, body=body)


def report(table: Table, figures: Figures, running: Sequence[Running] = ()) -> str:
    """The page; `running` is a simulation by the chart, as it went on."""
    body = _templates().get_template("report_body.html")
    filled = body.render(
        table=table,
        figures=figures,
        words=table.words,
        version=__version__,
        measures=MEASURES,
        ways=_ways(table, figures),
        bets=[(named(table, alike), alike[0]) for alike in folded(figures.bets)],
        percent=percent,
        signed=signed,
        claims=claims(table, figures),
        rules={field: worded(value) for field, value in msgspec.to_builtins(table.rules).items()},
        chart=figures.chart and html(figures.chart),
        distribution=_distribution(figures),
        busts=figures.busts and bars(list(figures.busts.items()), "How likely the dealer busts"),
        **_simulated(figures, running),
    )
    return page(table.title, filled)


def _ways(table: Table, figures: Figures) -> dict[str, Played]:
    """What one may play by, or the best bet where nobody decides anything."""
    best, chart = figures.best, figures.chart
    if chart is None:
        return {table.words[best.strategy]: best}
    return {best.strategy: best, chart.played.strategy: chart.played}


def _distribution(figures: Figures) -> str:
    best = figures.best
    says = f"Net results: mean {best.mean:.4f}, standard deviation {best.standard_deviation:.4f}"
    return bars([(signed(bar.net), bar.chance) for bar in figures.distribution], says)


def signed(net: float) -> str:
    return f"{net:+g}" if net else "0"


def _simulated(figures: Figures, running: Sequence[Running]) -> dict[str, str]:
    if not running:
        return {"convergence": "", "simulated": ""}
    chart, last = figures.chart, running[-1]
    exact = (chart.played if chart else figures.best).return_per_initial_stake
    of = "by the chart below" if chart else "of the best bet"
    told = (
        f"{last.rounds:,} rounds {of} returned {percent(last.figure)} ± {percent(last.error)} "
        f"of the initial stake; exact is {percent(exact)}, the middle of the plot."
    )
    return {"convergence": convergence(list(thinned(running)), exact, told), "simulated": told}


@cache
def _templates() -> Environment:
    """Bodies are escaped; a page is handed its body as HTML."""
    folder = files(__package__)
    loader = FunctionLoader(lambda name: (folder / name).read_text(encoding="utf-8"))
    return Environment(loader=loader, undefined=StrictUndefined, autoescape=True)
