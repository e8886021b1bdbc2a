"""Exact results are kept between commands: the second call works nothing out, and says the same."""

import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

import croupier.games.blackjack.exact.kernels  # noqa: F401 - finds compiled code in the usual folder
from croupier.cli.main import app
from croupier.maths.exact import cached_figures
from croupier.maths.exact.cached_figures import CachedFigures, cached_figures_of
from croupier.maths.exact.coup_figures import figures_of
from croupier.play.contract.game import Game
from croupier.play.tables.files import with_rules
from tests.maths.tables import COUPS, TABLES

PARTS = ("mean", "best", "chart", "openings", "bets", "distribution", "chance_tables")
COMMANDS = (
    ("rtp", "infinite"),
    ("strategy", "infinite", "--json"),
    ("odds", "infinite"),
    ("compare", "infinite", "--set", "decks=6", "--set", "peek=ace"),
    ("report", "infinite", "--json"),
    ("rtp", "baccarat"),
)
ALL_COMMANDS = """
import sys
from croupier.cli.main import app
for words in {commands}:
    try:
        app(words)
    except SystemExit as ended:
        assert not ended.code, words
    print("----")
print(sorted({{"numba", "numpy", "llvmlite", "matplotlib"}} & set(sys.modules)))
"""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache of its own, and nothing remembered from other tests."""
    monkeypatch.setenv("CROUPIER_CACHE", str(tmp_path / "cache"))
    cached_figures._cached_figures.cache_clear()
    return tmp_path / "cache"


def watch(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """The rules that anything is worked out for from now on."""
    worked_out: list[Any] = []

    def watched(game: Game, rules: Any) -> Any:
        worked_out.append(rules)
        return figures_of(replace(TABLES["classic"], game=game, rules=rules))

    monkeypatch.setattr(cached_figures, "figures_under", watched)
    return worked_out


def parts(name: str, **changes: Any) -> list[Any]:
    """The parts of a table's figures, as another process would find them."""
    table = with_rules(({**TABLES, **COUPS})[name], changes)
    figures = CachedFigures(table.game, table.rules)
    return [getattr(figures, part) for part in PARTS]


def test_the_second_call_of_each_command_says_the_same_without_arrays() -> None:
    first = "".join(f"{CliRunner().invoke(app, words).stdout}----\n" for words in COMMANDS)
    program = ALL_COMMANDS.format(commands=COMMANDS)
    second = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True, text=True)
    assert second.stdout == f"{first}[]\n"


@pytest.mark.parametrize("name", ["classic", "roulette"])
def test_every_part_is_read_as_it_was_made(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    exact = figures_of({**TABLES, **COUPS}[name])
    worked_out = watch(monkeypatch)
    first = parts(name)
    assert len(worked_out) == 1
    assert first == parts(name) == [getattr(exact, part) for part in PARTS]
    assert len(worked_out) == 1


def test_changed_rules_sources_and_libraries_are_worked_out(monkeypatch: pytest.MonkeyPatch) -> None:
    worked_out = watch(monkeypatch)
    parts("roulette")
    parts("roulette", even_chance=["win 1:1", "zero half back"])
    assert len(worked_out) == 2
    monkeypatch.setattr(cached_figures, "sources_digest", lambda *_packages: "edited")
    parts("roulette")
    assert len(worked_out) == 3
    monkeypatch.setattr(cached_figures, "version", lambda _library: "99")
    parts("roulette")
    assert len(worked_out) == 4


def test_an_unregistered_game_is_not_cached(folder: Path) -> None:
    table = COUPS["roulette"]
    other = replace(table, game=replace(table.game))
    assert cached_figures_of(other).best == cached_figures_of(table).best
    assert len([*folder.iterdir()]) == 1
    with pytest.raises(ValueError, match="no exact analysis"):
        cached_figures_of(replace(table, game=replace(table.game, model=None)))


def test_no_cache_reads_and_stores_nothing(folder: Path) -> None:
    assert CliRunner().invoke(app, ("rtp", "roulette", "--no-cache")).exit_code == 0
    assert not folder.exists()
    cached_figures._cached_figures.cache_clear()
    assert CliRunner().invoke(app, ("rtp", "roulette")).exit_code == 0
    assert {file.name.partition("-")[2][:5] for file in folder.iterdir()} == {"best-", "bets-", "chart"}
