"""The rules pages print the exact figures without loading the mathematics."""

import re

import pytest

from croupier.games.blackjack.chart_text import chart_advice
from croupier.gateway.pages.rules import markdown
from croupier.maths.exact.coup_figures import figures_of
from croupier.maths.study import Study
from croupier.play.contract.figures import Chart, ChartPart, PlayFigures
from croupier.play.contract.published_figures import publish
from tests.maths.tables import COUP_TABLES, DECISION_TABLES
from tools.figures import texts


def test_the_committed_figures_are_current() -> None:
    for path, text in texts().items():
        assert path.read_text(encoding="utf-8") == text, "run `python -m tools.figures`"


@pytest.mark.parametrize("table", DECISION_TABLES)
def test_a_rules_page_states_the_exact_return_and_the_strategy(table: str) -> None:
    best = Study(DECISION_TABLES[table]).exact().best
    returns = (100 * best.return_per_initial_stake, 100 * best.return_per_total_stake)
    page = markdown(DECISION_TABLES[table])
    assert "| {:.3f} % | {:.3f} % |".format(*returns) in page
    assert re.search(r"^\| 1[23] to 16 \| .*stand", page, re.MULTILINE) or table == "double_exposure"
    assert "| an ace | " in page


@pytest.mark.parametrize("table", COUP_TABLES)
def test_a_rules_page_of_coups_states_the_return_of_every_bet(table: str) -> None:
    page, figures = markdown(COUP_TABLES[table]), figures_of(COUP_TABLES[table])
    for odds in figures.bets:
        assert f"| {100 * float(odds.returned):.3f} % | {100 * float(odds.house_edge):.3f} % |" in page, (
            odds.bet
        )


class MadeUpFigures:
    """Made-up figures of a game: two columns of upcards, two of soft totals, and one of aces."""

    best = mean = distribution = chance_tables = None
    bets = ()
    columns = ("9", "T", "s12", "s13", "A")
    parts = (
        ChartPart("hard", {"12": ("H", "H", "H", "S", "S"), "13": ("H", "H", "H", "S", "S")}),
        ChartPart("pair", {"A": ("H",) * 5, "2": ("S", "H", "H", "H", "S")}),
    )
    letters = {"H": "hit", "S": "stand"}  # noqa: RUF012
    chart = Chart(
        columns,
        parts,
        offers={"insurance": "no"},
        letters=letters,
        played=PlayFigures("by totals", -0.01, 1.25, 1.0),
        text="",
        advice=tuple(chart_advice(columns, parts, letters)),
    )


def test_a_chart_is_described_in_words() -> None:
    figures = MadeUpFigures()
    figures.best = figures.chart.played  # type: ignore[assignment]
    published = publish(figures)  # type: ignore[arg-type]
    assert [(line.kind, line.hands, line.says) for line in published.advice] == [
        ("hard", "12 or 13", "stand against soft 13, an ace; otherwise hit"),
        ("pair", "an ace", "hit"),
        ("pair", "2", "stand against 9, an ace; otherwise hit"),
    ]
    assert [(line.per_initial_stake, line.per_total_stake) for line in published.returns] == [
        ("99.000", "99.200")
    ] * 2
