"""The Python API: its documented examples run, and its figures are those of the commands."""

import doctest
import re
import subprocess
import sys
from pathlib import Path

import pytest

import croupier
from croupier import api
from croupier.games import games, published_tables
from croupier.play.tables.files import InvalidTables


def test_the_docstring_examples_run() -> None:
    results = doctest.testmod(api)
    assert (results.failed, results.attempted > 5) == (0, True)


def test_the_guides_python_examples_run() -> None:
    guide = (Path(__file__).parents[1] / "docs" / "guide" / "mathematics-commands.md").read_text()
    programs = re.findall(r"```python\n(.*?)```", guide, re.DOTALL)
    assert len(programs) == 3
    for program in programs:
        exec(compile(program, "mathematics-commands.md", "exec"), {})


def test_every_published_table_is_listed() -> None:
    assert croupier.table_names() == tuple(published_tables())
    with pytest.raises(ValueError, match="no table 'nowhere'; there are: baccarat, live_baccarat, classic"):
        croupier.table("nowhere")


def test_each_game_is_an_attribute_with_its_tables() -> None:
    for name in games():
        game = getattr(croupier, name)
        assert game is getattr(croupier, name)
        assert game.table_names() == croupier.table_names(name) != ()
        assert game.table(game.table_names()[0]) == croupier.table(game.table_names()[0])
    with pytest.raises(ValueError, match="no table 'roulette'; there are: classic, premium"):
        croupier.blackjack.table("roulette")
    with pytest.raises(AttributeError, match="croupier has no 'whist'"):
        croupier.whist  # noqa: B018


def test_importing_the_package_imports_no_submodule() -> None:
    program = "import croupier, sys; print([name for name in sys.modules if name.startswith('croupier.')])"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_changed_rules_leave_the_table_unchanged() -> None:
    table = croupier.table("premium")
    changed = table.with_rules(decks=1)
    assert (table.rules.decks, changed.rules.decks) == (6, 1)
    assert table == croupier.table("premium") != changed
    assert changed.published() == ()
    with pytest.raises(InvalidTables, match="deks: no such field"):
        table.with_rules(deks=1)


def test_openings_have_every_option_with_plausible_values() -> None:
    exact = croupier.table("premium").exact()
    by_cards = {(opening.hand, opening.dealer): opening for opening in exact.openings}
    assert by_cards["8T", "T"].options.keys() == {"stand", "hit", "double"}
    assert by_cards["88", "T"].best == "split"
    assert by_cards["56", "6"].best == "double"
    assert all(-4 <= value <= 4 for opening in exact.openings for value in opening.options.values())


def test_a_distribution_has_the_stated_mean_and_deviation() -> None:
    for name in ("classic", "double_exposure", "seven_seat"):
        exact = croupier.table(name).exact()
        bars = exact.distribution
        mean = sum(bar.net * bar.chance for bar in bars)
        assert sum(bar.chance for bar in bars) == pytest.approx(1, abs=1e-10)
        assert mean == pytest.approx(exact.best.mean, abs=1e-10)
        spread = sum((bar.net - mean) ** 2 * bar.chance for bar in bars) ** 0.5
        assert spread == pytest.approx(exact.best.standard_deviation)


def test_the_dealers_bust_chances_are_the_known_ones() -> None:
    busts = croupier.table("premium").exact().chance_tables["busts"].chances
    assert list(busts) == list("23456789TA")
    assert max(busts, key=lambda upcard: busts[upcard]) == "6"
    assert busts["6"] == pytest.approx(0.423, abs=0.001)
    assert busts["A"] == pytest.approx(0.115, abs=0.001)
    by_total = croupier.table("double_exposure").exact().chance_tables["busts"].chances
    assert by_total["16"] > by_total["12"] > 0.45
    assert by_total["20"] == by_total["17"] == by_total["s21"] == 0


def test_a_report_has_every_part() -> None:
    page = croupier.table("infinite").report()
    for text in ("99.4653 %", "99.4196 %", "Bust It", "double (else hit)", "dealer_hits_soft_17", "yes"):
        assert text in page, text
    assert page.count("<svg") == 2
    assert "http" not in page, "the page is self-contained"
