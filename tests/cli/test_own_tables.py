"""An operator's own tables: their returns are listed, and paytables that can't be meant are refused."""

from pathlib import Path

import pytest

from croupier.games import published_tables
from croupier.maths.exact.returns import bet_odds, paytable_faults, published_return, returns
from tests.cli.test_serve_config import run

BACCARAT = '[mine]\ngame = "baccarat"\ntitle = "Mine"\nlimits = { EUR = "1-100" }\ndecks = 8\n'
DRAGON_TIGER = BACCARAT.replace("baccarat", "dragon_tiger")
BLACKJACK = BACCARAT.replace("baccarat", "blackjack")
OVER = 'banker = ["banker_wins 1:1", "tie push"]\n'


def check(folder: Path, table: str) -> tuple[int, str]:
    tables, config = folder / "mine.toml", folder / "croupier.toml"
    tables.write_text(table)
    config.write_text("")
    result = run("config", "check", str(config), "--tables", str(tables))
    return result.exit_code, result.output


@pytest.mark.parametrize(
    ("table", "why"),
    [
        (BACCARAT + 'tie = ["tie 8:1", "tie_6 20:1"]\n', "line 6: [mine] tie: the line 'tie_6' can't occur"),
        (BACCARAT + 'tie = ["tie_6_of_3 20:1", "tie 8:1"]\n', ""),
        (BACCARAT + OVER, "line 6: [mine] banker: Banker returns 101.235 %; allowed is: 100 % at most"),
        (BLACKJACK + 'blackjack_pays = "4:1"\n', "[mine]: Main bet returns 11"),
        (DRAGON_TIGER.replace("8", "1"), "[mine] suited_tie: the line 'suited_tie' can't occur"),
        (
            BACCARAT.replace("EUR", "GC"),
            "line 4: [mine] limits: GC: Banker wins nothing with a stake of 1; allowed is: a minimum of 2",
        ),
    ],
)
def test_paytables_that_cannot_be_meant_are_refused(tmp_path: Path, table: str, why: str) -> None:
    code, output = check(tmp_path, table)
    assert code == (2 if why else 0), output
    assert why in " ".join(output.split())


def test_a_bet_above_100_percent_may_be_allowed_and_is_named(tmp_path: Path) -> None:
    code, output = check(tmp_path, BACCARAT + OVER + "allow_over_100 = true\n")
    assert code == 0, output
    assert "mine: Banker returns 101.235 %, as allow_over_100 allows" in output


def test_the_check_lists_the_return_of_each_bet(tmp_path: Path) -> None:
    code, output = check(tmp_path, BACCARAT)
    assert code == 0, output
    assert "mine: Player 98.765 %, Banker 98.942 %, Tie 85.640 %" in output
    assert "infinite: Main bet 99.465 %, Any Pair 95.904 %, 21+3 96.296 %" in output


def test_serve_refuses_the_same_tables(tmp_path: Path) -> None:
    tables = tmp_path / "mine.toml"
    tables.write_text(BACCARAT + OVER)
    result = run("serve", "--port", "0", "--data", str(tmp_path / "data"), "--tables", str(tables))
    assert result.exit_code == 2
    assert "Banker returns 101.235 %" in result.output
    assert not (tmp_path / "data").exists()


@pytest.mark.parametrize("name", published_tables())
def test_published_tables_have_no_faults_and_returns_as_computed(name: str) -> None:
    table = published_tables()[name]
    assert [*paytable_faults(table)] == []
    assert (published_return(table) is None) == (table.game.figures is None)
    computed = {round(100 * float(odds.returned), 3) for odds in bet_odds(table)}
    listed = returns(table, None)
    assert {percent for label, percent in listed.items() if label != table.labels.get("main")} == computed
