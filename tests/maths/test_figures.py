"""The rules pages print the exact figures without loading the mathematics."""

import re

import pytest

from croupier.games.blackjack.chart_text import chart_advice
from croupier.gateway.pages.rules import markdown
from croupier.maths.exact.coup_figures import figures_of
from croupier.maths.study import Study
from croupier.play.contract.figures import Chart, ChartPart, PlayFigures
from croupier.play.contract.published_figures import publish
from tests.maths.tables import COUPS
from tests.maths.tables import DECIDED as TABLES
from tools.figures import texts


def test_the_committed_figures_are_current() -> None:
    for path, text in texts().items():
        assert path.read_text(encoding="utf-8") == text, "run `python -m tools.figures`"


@pytest.mark.parametrize("table", TABLES)
def test_a_rules_page_tells_the_exact_return_and_how_to_play(table: str) -> None:
    best = Study(TABLES[table]).exact().best
    returns = (100 * best.return_per_initial_stake, 100 * best.return_per_total_stake)
    page = markdown(TABLES[table])
    assert "| {:.3f} % | {:.3f} % |".format(*returns) in page
    assert re.search(r"^\| 1[23] to 16 \| .*stand", page, re.MULTILINE) or table == "double_exposure"
    assert "| an ace | " in page


@pytest.mark.parametrize("table", COUPS)
def test_a_coups_rules_page_tells_what_every_bet_returns(table: str) -> None:
    page, found = markdown(COUPS[table]), figures_of(COUPS[table])
    for odds in found.bets:
        assert f"| {100 * float(odds.returned):.3f} % | {100 * float(odds.house_edge):.3f} % |" in page, (
            odds.bet
        )


class Told:
    """Figures of a game made up: two columns of upcards, two of soft totals."""

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


def test_a_chart_is_said_in_words() -> None:
    told = Told()
    told.best = told.chart.played  # type: ignore[assignment]
    found = publish(told)  # type: ignore[arg-type]
    assert [(line.kind, line.hands, line.says) for line in found.advice] == [
        ("hard", "12 or 13", "stand against soft 13, an ace; otherwise hit"),
        ("pair", "an ace", "hit"),
        ("pair", "2", "stand against 9, an ace; otherwise hit"),
    ]
    assert [(one.per_initial_stake, one.per_total_stake) for one in found.returns] == [
        ("99.000", "99.200")
    ] * 2
