"""The Python API: what its documentation shows runs, and it is the same mathematics as the commands'."""

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


def test_the_documentation_runs() -> None:
    found = doctest.testmod(api)
    assert (found.failed, found.attempted > 5) == (0, True)


def test_the_guides_python_runs() -> None:
    guide = (Path(__file__).parents[2] / "docs" / "guide" / "mathematics-commands.md").read_text()
    programs = re.findall(r"```python\n(.*?)```", guide, re.DOTALL)
    assert len(programs) == 3
    for program in programs:
        exec(compile(program, "mathematics-commands.md", "exec"), {})


def test_every_published_table_is_there() -> None:
    assert croupier.table_names() == tuple(published_tables())
    with pytest.raises(ValueError, match="no table 'nowhere'; there are: baccarat, live_baccarat, classic"):
        croupier.table("nowhere")


def test_every_game_has_its_tables_under_its_name() -> None:
    for name in games():
        one = getattr(croupier, name)
        assert one is getattr(croupier, name)
        assert one.table_names() == croupier.table_names(name) != ()
        assert one.table(one.table_names()[0]) == croupier.table(one.table_names()[0])
    with pytest.raises(ValueError, match="no table 'roulette'; there are: classic, premium"):
        croupier.blackjack.table("roulette")
    with pytest.raises(AttributeError, match="croupier has no 'whist'"):
        croupier.whist  # noqa: B018


def test_the_package_is_imported_without_its_mathematics() -> None:
    program = "import croupier, sys; print([name for name in sys.modules if name.startswith('croupier.')])"
    told = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert told.stdout.strip() == "[]"


def test_a_what_if_leaves_the_table_as_it_is() -> None:
    table = croupier.table("premium")
    other = table.with_rules(decks=1)
    assert (table.rules.decks, other.rules.decks) == (6, 1)
    assert table == croupier.table("premium") != other
    assert other.published() == ()
    with pytest.raises(InvalidTables, match="deks: no such field"):
        table.with_rules(deks=1)


def test_openings_have_every_option_and_add_up() -> None:
    exact = croupier.table("premium").exact()
    opening = {(one.hand, one.dealer): one for one in exact.openings}
    assert opening["8T", "T"].options.keys() == {"stand", "hit", "double"}
    assert opening["88", "T"].best == "split"
    assert opening["56", "6"].best == "double"
    assert all(-4 <= value <= 4 for one in exact.openings for value in one.options.values())


def test_a_distribution_has_the_stated_mean_and_deviation() -> None:
    for name in ("classic", "double_exposure", "seven_seat"):
        exact = croupier.table(name).exact()
        bars = exact.distribution
        mean = sum(bar.net * bar.chance for bar in bars)
        assert sum(bar.chance for bar in bars) == pytest.approx(1, abs=1e-10)
        assert mean == pytest.approx(exact.best.mean, abs=1e-10)
        spread = sum((bar.net - mean) ** 2 * bar.chance for bar in bars) ** 0.5
        assert spread == pytest.approx(exact.best.standard_deviation)


def test_the_dealer_busts_as_everybody_knows() -> None:
    busts = croupier.table("premium").exact().chance_tables["busts"].chances
    assert list(busts) == list("23456789TA")
    assert max(busts, key=lambda seen: busts[seen]) == "6"
    assert busts["6"] == pytest.approx(0.423, abs=0.001)
    assert busts["A"] == pytest.approx(0.115, abs=0.001)
    shown = croupier.table("double_exposure").exact().chance_tables["busts"].chances
    assert shown["16"] > shown["12"] > 0.45
    assert shown["20"] == shown["17"] == shown["s21"] == 0


def test_a_report_has_every_part() -> None:
    page = croupier.table("infinite").report()
    for words in ("99.4653 %", "99.4196 %", "Bust It", "double (else hit)", "dealer_hits_soft_17", "yes"):
        assert words in page, words
    assert page.count("<svg") == 2
    assert "http" not in page, "it needs nothing beside it"
