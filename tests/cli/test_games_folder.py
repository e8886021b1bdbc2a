"""`croupier --games FOLDER`: a folder that can't be used ends the command with one line that says why."""

import os
import subprocess
from pathlib import Path

import pytest

from tests.guide.pages import written
from tests.support.server_process import CROUPIER

PAGE = "add-a-game.md"


def tables(folder: Path, **surroundings: str) -> subprocess.CompletedProcess[str]:
    """`croupier tables` with these games; the folder is named by an option or by the surroundings."""
    words = () if surroundings else ("--games", str(folder))
    return subprocess.run(
        [*CROUPIER, *words, "tables", "--json"],
        env={**os.environ, **surroundings},
        capture_output=True,
        check=False,
        text=True,
    )


@pytest.fixture
def games(tmp_path: Path) -> Path:
    return written(PAGE, "under_over", tmp_path)


def test_its_tables_are_listed_with_the_published_ones(games: Path) -> None:
    for done in (tables(games), tables(games, CROUPIER_GAMES=str(games))):
        assert done.returncode == 0, done.stderr
        assert '"table": "live_under_over"' in done.stdout
        assert '"table": "infinite"' in done.stdout


def refused(games: Path) -> str:
    """The one line that the command says."""
    done = tables(games)
    assert (done.returncode, done.stdout) == (2, "")
    (line,) = done.stderr.splitlines()
    return line.removeprefix("croupier: ")


def test_a_folder_without_games_is_refused(tmp_path: Path) -> None:
    assert refused(tmp_path) == (
        f"{tmp_path} has no games: a game is a folder in it with an __init__.py and a GAME"
    )


def test_a_game_with_an_existing_name_is_refused(games: Path) -> None:
    (games / "under_over").rename(games / "roulette")
    assert refused(games) == f"{games}/roulette: croupier has a game of that name; choose another"


def test_a_package_without_a_game_is_refused(games: Path) -> None:
    (games / "under_over/__init__.py").write_text("")
    assert refused(games) == "games/under_over has no GAME"


def test_a_table_with_an_existing_name_is_refused(games: Path) -> None:
    variants = games / "under_over/variants.toml"
    variants.write_text(variants.read_text().replace("[live_under_over]", "[infinite]"))
    assert refused(games) == "under_over/variants.toml: [infinite] is a table of blackjack's"


def test_a_wrong_field_is_refused_with_its_line(games: Path) -> None:
    variants = games / "under_over/variants.toml"
    variants.write_text(variants.read_text().replace('seven = ["seven 4:1"]', 'seven = ["4:1"]'))
    line = refused(games)
    assert line.startswith("under_over/variants.toml, line 11: [under_over] seven: ")
    assert 'a line such as "tie 8:1"' in line
