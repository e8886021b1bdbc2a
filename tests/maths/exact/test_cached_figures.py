"""Exact results are cached between commands: a second call computes nothing and prints the same."""

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
from tests.maths.tables import COUP_TABLES, TABLES

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
for arguments in {commands}:
    try:
        app(arguments)
    except SystemExit as ended:
        assert not ended.code, arguments
    print("----")
print(sorted({{"numba", "numpy", "llvmlite", "matplotlib"}} & set(sys.modules)))
"""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Use an empty cache, and forget the figures of other tests."""
    monkeypatch.setenv("CROUPIER_CACHE", str(tmp_path / "cache"))
    cached_figures._cached_figures.cache_clear()
    return tmp_path / "cache"


def record_computations(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """Return a list to which the rules of every later computation are added."""
    computed: list[Any] = []

    def recorded(game: Game, rules: Any) -> Any:
        computed.append(rules)
        return figures_of(replace(TABLES["classic"], game=game, rules=rules))

    monkeypatch.setattr(cached_figures, "figures_under", recorded)
    return computed


def parts(name: str, **changes: Any) -> list[Any]:
    """Return the parts of a table's figures as another process would read them."""
    table = with_rules(TABLES[name], changes)
    figures = CachedFigures(table.game, table.rules)
    return [getattr(figures, part) for part in PARTS]


def test_a_second_call_prints_the_same_without_loading_arrays() -> None:
    first = "".join(f"{CliRunner().invoke(app, arguments).stdout}----\n" for arguments in COMMANDS)
    program = ALL_COMMANDS.format(commands=COMMANDS)
    second = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True, text=True)
    assert second.stdout == f"{first}[]\n"


@pytest.mark.parametrize("name", ["classic", "roulette"])
def test_every_part_is_read_as_it_was_stored(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    exact = figures_of(TABLES[name])
    computed = record_computations(monkeypatch)
    first = parts(name)
    assert len(computed) == 1
    assert first == parts(name) == [getattr(exact, part) for part in PARTS]
    assert len(computed) == 1


def test_changed_rules_sources_or_libraries_are_recomputed(monkeypatch: pytest.MonkeyPatch) -> None:
    computed = record_computations(monkeypatch)
    parts("roulette")
    parts("roulette", even_chance=["win 1:1", "zero half back"])
    assert len(computed) == 2
    monkeypatch.setattr(cached_figures, "sources_digest", lambda *_packages: "edited")
    parts("roulette")
    assert len(computed) == 3
    monkeypatch.setattr(cached_figures, "version", lambda _library: "99")
    parts("roulette")
    assert len(computed) == 4


def test_an_unregistered_game_is_not_cached(folder: Path) -> None:
    table = COUP_TABLES["roulette"]
    unregistered = replace(table, game=replace(table.game))
    assert cached_figures_of(unregistered).best == cached_figures_of(table).best
    assert len([*folder.iterdir()]) == 1
    with pytest.raises(ValueError, match="no exact analysis"):
        cached_figures_of(replace(table, game=replace(table.game, model=None)))


def test_the_no_cache_option_reads_and_stores_nothing(folder: Path) -> None:
    assert CliRunner().invoke(app, ("rtp", "roulette", "--no-cache")).exit_code == 0
    assert not folder.exists()
    cached_figures._cached_figures.cache_clear()
    assert CliRunner().invoke(app, ("rtp", "roulette")).exit_code == 0
    assert {file.name.partition("-")[2][:5] for file in folder.iterdir()} == {"best-", "bets-", "chart"}
