"""`croupier --games FOLDER`: its tables are listed, and an unusable folder is reported in one line."""

import os
from pathlib import Path
from subprocess import CompletedProcess

import pytest

from tests.guide.pages import written
from tests.support import preloaded
from tests.support.server_process import CROUPIER

PAGE = "add-a-game.md"


def tables(folder: Path, **environment: str) -> CompletedProcess[str]:
    """Run `croupier tables` with the games of a folder, given as an option or in the environment."""
    arguments = () if environment else ("--games", str(folder))
    return preloaded.run([*CROUPIER, *arguments, "tables", "--json"], env={**os.environ, **environment})


@pytest.fixture
def games(tmp_path: Path) -> Path:
    return written(PAGE, "under_over", tmp_path)


def test_tables_of_the_folder_are_listed_with_the_published_ones(games: Path) -> None:
    for done in (tables(games), tables(games, CROUPIER_GAMES=str(games))):
        assert done.returncode == 0, done.stderr
        assert '"table": "live_under_over"' in done.stdout
        assert '"table": "infinite"' in done.stdout


def error_line(games: Path) -> str:
    """Return the one line that the command prints, without the prefix."""
    done = tables(games)
    assert (done.returncode, done.stdout) == (2, "")
    (line,) = done.stderr.splitlines()
    return line.removeprefix("croupier: ")


def test_a_folder_without_games_is_refused(tmp_path: Path) -> None:
    assert error_line(tmp_path) == (
        f"{tmp_path} has no games: a game is a folder in it with an __init__.py and a GAME"
    )


def test_a_game_with_an_existing_name_is_refused(games: Path) -> None:
    (games / "under_over").rename(games / "roulette")
    assert error_line(games) == f"{games}/roulette: croupier has a game of that name; choose another"


def test_a_package_without_a_game_is_refused(games: Path) -> None:
    (games / "under_over/__init__.py").write_text("")
    assert error_line(games) == "games/under_over has no GAME"


def test_a_table_with_an_existing_name_is_refused(games: Path) -> None:
    variants = games / "under_over/variants.toml"
    variants.write_text(variants.read_text().replace("[live_under_over]", "[infinite]"))
    assert error_line(games) == "under_over/variants.toml: [infinite] is a table of blackjack's"


def test_an_invalid_field_is_refused_with_its_line(games: Path) -> None:
    variants = games / "under_over/variants.toml"
    variants.write_text(variants.read_text().replace('seven = ["seven 4:1"]', 'seven = ["4:1"]'))
    line = error_line(games)
    assert line.startswith("under_over/variants.toml, line 11: [under_over] seven: ")
    assert 'a line such as "tie 8:1"' in line
