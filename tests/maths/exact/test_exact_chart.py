"""The best chart by totals is worth what the round makes of it, and no other entry would better it."""

from collections import Counter, defaultdict
from math import sqrt

import pytest

from croupier.equipment.cards import card
from croupier.games.blackjack.chart import column_of, strategy_of
from croupier.games.blackjack.exact.by_total import column_value, columns
from croupier.games.blackjack.exact.distribution import distribution, mean, standard_deviation
from croupier.games.blackjack.exact.figures import BlackjackFigures
from croupier.games.blackjack.exact.plans import best_plans, chart_plans
from croupier.games.blackjack.exact.solution import Solution
from croupier.games.blackjack.hands import is_soft, total
from croupier.games.blackjack.outcomes import BLACKJACK
from croupier.games.blackjack.rules import Rules
from croupier.play.contract.figures import Chart
from tests.maths.exact.shoes import SHOES, TABLES, main_only, shoe_of, walked

NEAR = 1e-12
OTHERS = {"H": "S", "S": "H", "DH": "H", "DS": "S", "P": "-"}


def chart_for(rules: Rules, text: str) -> Chart:
    """The chart for a small shoe instead of a full one."""
    figures = BlackjackFigures(rules)
    vars(figures)["solution"] = Solution(rules, shoe_of(text))
    return figures.chart


@pytest.mark.parametrize("table", TABLES)
def test_the_round_makes_of_a_chart_what_it_is_said_to_be_worth(table: str) -> None:
    rules = main_only(TABLES[table])
    chart = chart_for(rules, SHOES["aces"])
    found = walked(rules, SHOES["aces"], strategy_of(chart.text))
    deviation = sqrt(sum((worth - found.mean) ** 2 * chance for worth, chance in found.nets.items()))
    assert abs(chart.played.mean - float(found.mean)) < NEAR
    assert abs(chart.played.standard_deviation - deviation) < NEAR
    assert abs(chart.played.stake_per_round - float(found.stake)) < NEAR


def changed(text: str) -> dict[str, str]:
    """The chart with one entry changed, for each entry that the shoe of stiffs comes to."""
    charts = {}
    lines = text.splitlines()
    heads = lines[0].split()
    for number, line in enumerate(lines):
        words = line.split()
        if words[0] in {"hard", "soft", "pair"} and words[1] in {"6", "12", "15", "16", "17", "T"}:
            for column in [heads.index(name) + 1 for name in ("6", "9", "T")]:
                other = [*words[:column], OTHERS[words[column]], *words[column + 1 :]]
                what = f"{words[0]} {words[1]} against {heads[column - 1]}"
                charts[what] = "\n".join([*lines[:number], " ".join(other), *lines[number + 1 :]])
    return charts


def test_no_other_entry_makes_a_chart_better() -> None:
    rules, shoe = main_only(TABLES["seven_seat"]), SHOES["stiffs"]
    chart = chart_for(rules, shoe)
    others = changed(chart.text)
    worths = {what: float(walked(rules, shoe, strategy_of(text)).mean) for what, text in others.items()}
    assert len(worths) > 8
    assert max(worths.values()) <= chart.played.mean + NEAR
    assert min(worths.values()) < chart.played.mean - 0.001


@pytest.mark.parametrize("table", TABLES)
def test_full_shoes_add_up_forwards_and_backwards(table: str) -> None:
    """Values are summed from the last card to the first, chances from the first to the last."""
    figures = BlackjackFigures(TABLES[table])
    solution = figures.solution
    best = distribution(solution, best_plans(solution))
    assert abs(sum(best.values()) - 1) < NEAR
    assert abs(mean(best) - figures.analysis.value.net) < NEAR
    assert 1.0 < standard_deviation(best) < 1.3
    found = list(columns(solution))
    by_chart = distribution(solution, chart_plans(solution, found, {}))
    pays = solution.terms.pays[0, 0, solution.rows, BLACKJACK]
    at_once = sum(((1 - a.live) * a.chances * solution.chances) @ pays for a in solution.dealers)
    assert abs(mean(by_chart) - at_once - sum(column_value(solution, column).net for column in found)) < NEAR
    assert 0 < mean(best) - mean(by_chart) < 0.001


FIRST_AND_ELSE = {
    "S": ("stand",),
    "H": ("hit",),
    "DH": ("double", "hit"),
    "DS": ("double", "stand"),
}
CLOSE = 0.03
"""Of an initial stake: by how much other hands may outweigh the two cards of a cell."""
CLOSE_SPLIT = 0.004
"""Only pairs are split; but halves, and a pair that isn't split, are played by the chart."""


def two_card_cells(figures: BlackjackFigures) -> dict[tuple[str, str, str], dict[str, float]]:
    """The mean value of each option over the two-card hands of a cell, by its kind, line and column.

    The options of a pair count for its total too, all but the split.
    """
    sums: dict[tuple[str, str, str], Counter[str]] = defaultdict(Counter)
    for one in figures.openings:
        hand, dealer = [card(f"{rank}S") for rank in one.hand], [card(f"{rank}S") for rank in one.dealer]
        worth = {"": one.chance, **{act: net * one.chance for act, net in one.options.items()}}
        column = column_of(tuple(dealer))
        if one.hand[0] == one.hand[1]:
            sums["pair", one.hand[0], column].update(worth)
            worth.pop("split", None)
        sums["soft" if is_soft(hand) else "hard", str(total(hand)), column].update(worth)
    return {
        at: {action: net / cell[""] for action, net in cell.items() if action} for at, cell in sums.items()
    }


@pytest.mark.parametrize("table", TABLES)
def test_every_cell_agrees_with_the_values_of_its_options(table: str) -> None:
    """A soft 12 was to be doubled or else stood on, for -0.115 where a hit nets 0.190."""
    figures, checked = BlackjackFigures(TABLES[table]), 0
    values = two_card_cells(figures)
    for part in figures.chart.parts:
        for line, letters in part.lines.items():
            for column, letter in zip(figures.chart.columns, letters, strict=True):
                if options := values.get((part.name, line, column)):
                    _check_cell(options, letter, f"{part.name} {line} against {column}: {letter}")
                    checked += 1
    assert checked >= 280


def _check_cell(options: dict[str, float], letter: str, where: str) -> None:
    """A split is better or worse than all else; then the first action is the best of the rest, and so on."""
    left = dict(options)
    gain = left.pop("split", -9.0) - max(left.values())
    assert gain * (1 if letter == "P" else -1) >= -CLOSE_SPLIT, (where, options)
    for action in FIRST_AND_ELSE.get(letter, ()):
        if action in left:
            assert left.pop(action) >= max(left.values(), default=-9.0) - CLOSE, (where, options)
