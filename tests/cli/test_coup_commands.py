"""The commands of the mathematics at tables where nobody decides anything."""

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from croupier.cli.main import app
from croupier.maths.exact.coup_figures import figures_of
from tests.maths.tables import COUPS

ROUNDS = 5_000_000


def run(*words: str) -> Result:
    return CliRunner().invoke(app, words, env={"COLUMNS": "200"})


def told(*words: str) -> Any:
    result = run(*words, "--json")
    assert result.exit_code == 0, result.output
    return json.loads(result.output)


@pytest.mark.parametrize("name", COUPS)
def test_rtp_has_every_bet_and_names_the_best(name: str) -> None:
    found, figures = told("rtp", name), figures_of(COUPS[name])
    assert {bet: Fraction(one["fraction"]) for bet, one in found["bets"].items()} == {
        odds.bet: odds.returned for odds in figures.bets
    }
    best = found["bets"][found["strategy"]]
    assert (
        best["return"]
        == found["return_per_initial_stake"]
        == max(one["return"] for one in found["bets"].values())
    )
    assert found["return_per_total_stake"] == found["return_per_initial_stake"]
    assert (found["house_edge"], found["stake_per_round"]) == (best["house_edge"], 1)
    assert found["standard_deviation"] == best["standard_deviation"]


def test_bets_of_a_kind_with_the_same_figures_are_one_line() -> None:
    shown = run("rtp", "roulette").output
    assert "best bet: Red" in shown
    assert shown.count("36/37") == 8
    assert "Straight: 37 bets" in shown
    assert "First column, Second column, Third column" in shown


def test_a_what_if_is_worked_out_anew() -> None:
    assert round(told("rtp", "baccarat", "--set", "decks=6")["house_edge"], 6) == 0.010558
    refused = run("rtp", "baccarat", "--set", "decks=0")
    assert (refused.exit_code, refused.stderr.count("\n")) == (2, 1)


def test_odds_are_printed_line_by_line_with_pushes_and_halves() -> None:
    lines = told("odds", "baccarat")["bets"]["player"]["lines"]
    assert [(line["outcome"], line["pays"]) for line in lines] == [("player_wins", "1:1"), ("tie", None)]
    assert lines[1]["returned"] == lines[1]["chance"]
    tie = told("odds", "dragon_tiger")["bets"]["dragon"]["lines"][1]
    assert (tie["outcome"], tie["pays"]) == ("tie", "half back")
    assert tie["returned"] == pytest.approx(tie["chance"] / 2)
    assert "Total 4, Total 17 returns 84.7222 %" in run("odds", "sic_bo").output


def test_there_is_no_strategy() -> None:
    refused = run("strategy", "roulette")
    assert (refused.exit_code, refused.stdout, refused.stderr.count("\n")) == (2, "", 1)
    assert "nothing to decide in Roulette; `croupier rtp roulette` has its bets" in refused.stderr


def test_compare_says_what_a_rule_is_worth_to_a_bet() -> None:
    words = ("compare", "dragon_tiger", "--bet", "tie", "--set", 'tie=["tie 8:1"]', "--set", "decks=6")
    found = told(*words)
    assert [list(step["changes"]) for step in found["steps"]] == [["decks"], ["tie"]]
    assert round(1 - found["return_per_initial_stake"][0], 6) == 0.103614
    assert sum(step["difference"] for step in found["steps"]) == pytest.approx(found["difference"])
    assert found["strategy"] == ["tie", "tie"]
    assert "Dragon Tiger, Tie: 89.6386 %" in run(*words).output
    assert told("compare", "baccarat", "live_baccarat")["strategy"] == ["banker", "banker"]
    assert round(told("compare", "roulette", "american_roulette")["difference"], 6) == -0.025605
    refused = run("compare", "baccarat", "live_baccarat", "--bet", "dragon")
    assert (refused.exit_code, "there are: player, banker, tie" in refused.stderr) == (2, True)


def test_simulate_tells_every_bet_and_one_in_full() -> None:
    words = ("simulate", "roulette", "--bet", "red", "--rounds", str(ROUNDS), "--seed", "7")
    found = told(*words)
    assert (found["bet"], found["rounds"], found["complete"]) == ("red", ROUNDS, True)
    assert found["bets"].keys() == {odds.bet for odds in figures_of(COUPS["roulette"]).bets}
    assert found["bets"]["red"]["return"] == found["return_per_initial_stake"]
    assert found["bets"]["red"]["standard_error"] == found["standard_error"]
    assert abs(found["return_per_initial_stake"] - 36 / 37) < 4 * found["standard_error"]
    assert [net for net, _ in found["distribution"]] == [-1.0, 1.0]
    assert told(*words, "--threads", "3")["bets"] == found["bets"]
    shown = run(*words).output
    assert "Roulette, Red, nothing to decide, seed 7" in shown
    assert "│ Straight up " not in shown
    every = run("simulate", "roulette", "--rounds", "1e5", "--seed", "7").output
    assert every.count("│ Straight up ") == 37


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("baccarat", "--bet", "red"), "no bet 'red'; there are: player, banker, tie"),
        (("baccarat", "--strategy", "basic"), "no strategy 'basic'; there are: nothing_to_decide"),
    ],
)
def test_what_cannot_be_simulated_is_one_line_and_exit_2(words: tuple[str, ...], says: str) -> None:
    refused = run("simulate", *words)
    assert (refused.exit_code, refused.stdout, refused.stderr.count("\n")) == (2, "", 1)
    assert says in refused.stderr


def test_a_report_has_every_bet_and_no_chart(tmp_path: Path) -> None:
    file = tmp_path / "page.html"
    assert run("report", "baccarat", "--rounds", "3000000", "--seed", "1", "-o", str(file)).exit_code == 0
    page = file.read_text()
    assert page.count("<svg") == 2
    assert "98.9421 %" in page
    assert "3,000,000 rounds of the best bet returned 9" in page
    assert "How to play" not in page
    assert "<h2>Bets</h2>" in page
    both = told("report", "sic_bo", "--rounds", "0", "-o", str(file))
    assert "Sic Bo" in file.read_text()
    found = told("report", "sic_bo")
    assert found == both
    assert found["chart"] is None
    assert "busts" not in found
    assert sum(chance for _, chance in found["distribution"]) == pytest.approx(1)
