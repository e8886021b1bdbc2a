"""The commands of the mathematics at tables without decisions."""

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from croupier.cli.main import app
from croupier.maths.exact.coup_figures import figures_of
from tests.maths.tables import COUP_TABLES

ROUNDS = 5_000_000


def run(*arguments: str) -> Result:
    return CliRunner().invoke(app, arguments, env={"COLUMNS": "200"})


def json_output(*arguments: str) -> Any:
    result = run(*arguments, "--json")
    assert result.exit_code == 0, result.output
    return json.loads(result.output)


@pytest.mark.parametrize("name", COUP_TABLES)
def test_rtp_has_every_bet_and_names_the_best(name: str) -> None:
    output, figures = json_output("rtp", name), figures_of(COUP_TABLES[name])
    assert {bet: Fraction(odds["fraction"]) for bet, odds in output["bets"].items()} == {
        odds.bet: odds.returned for odds in figures.bets
    }
    best = output["bets"][output["strategy"]]
    assert (
        best["return"]
        == output["return_per_initial_stake"]
        == max(odds["return"] for odds in output["bets"].values())
    )
    assert output["return_per_total_stake"] == output["return_per_initial_stake"]
    assert (output["house_edge"], output["stake_per_round"]) == (best["house_edge"], 1)
    assert output["standard_deviation"] == best["standard_deviation"]


def test_bets_of_a_kind_with_equal_figures_share_a_line() -> None:
    output = run("rtp", "roulette").output
    assert "best bet: Red" in output
    assert output.count("36/37") == 8
    assert "Straight: 37 bets" in output
    assert "First column, Second column, Third column" in output


def test_changed_rules_are_recomputed() -> None:
    assert round(json_output("rtp", "baccarat", "--set", "decks=6")["house_edge"], 6) == 0.010558
    result = run("rtp", "baccarat", "--set", "decks=0")
    assert (result.exit_code, result.stderr.count("\n")) == (2, 1)


def test_odds_are_printed_line_by_line_with_pushes_and_halves() -> None:
    lines = json_output("odds", "baccarat")["bets"]["player"]["lines"]
    assert [(line["outcome"], line["pays"]) for line in lines] == [("player_wins", "1:1"), ("tie", None)]
    assert lines[1]["returned"] == lines[1]["chance"]
    tie = json_output("odds", "dragon_tiger")["bets"]["dragon"]["lines"][1]
    assert (tie["outcome"], tie["pays"]) == ("tie", "half back")
    assert tie["returned"] == pytest.approx(tie["chance"] / 2)
    assert "Total 4, Total 17 returns 84.7222 %" in run("odds", "sic_bo").output


def test_strategy_is_refused_at_a_table_without_decisions() -> None:
    result = run("strategy", "roulette")
    assert (result.exit_code, result.stdout, result.stderr.count("\n")) == (2, "", 1)
    assert "nothing to decide in Roulette; `croupier rtp roulette` has its bets" in result.stderr


def test_compare_states_the_effect_of_a_rule_on_a_bet() -> None:
    arguments = ("compare", "dragon_tiger", "--bet", "tie", "--set", 'tie=["tie 8:1"]', "--set", "decks=6")
    output = json_output(*arguments)
    assert [list(step["changes"]) for step in output["steps"]] == [["decks"], ["tie"]]
    assert round(1 - output["return_per_initial_stake"][0], 6) == 0.103614
    assert sum(step["difference"] for step in output["steps"]) == pytest.approx(output["difference"])
    assert output["strategy"] == ["tie", "tie"]
    assert "Dragon Tiger, Tie: 89.6386 %" in run(*arguments).output
    assert json_output("compare", "baccarat", "live_baccarat")["strategy"] == ["banker", "banker"]
    assert round(json_output("compare", "roulette", "american_roulette")["difference"], 6) == -0.025605
    result = run("compare", "baccarat", "live_baccarat", "--bet", "dragon")
    assert (result.exit_code, "there are: player, banker, tie" in result.stderr) == (2, True)


def test_simulate_prints_every_bet_and_one_in_full() -> None:
    arguments = ("simulate", "roulette", "--bet", "red", "--rounds", str(ROUNDS), "--seed", "7")
    output = json_output(*arguments)
    assert (output["bet"], output["rounds"], output["complete"]) == ("red", ROUNDS, True)
    assert output["bets"].keys() == {odds.bet for odds in figures_of(COUP_TABLES["roulette"]).bets}
    assert output["bets"]["red"]["return"] == output["return_per_initial_stake"]
    assert output["bets"]["red"]["standard_error"] == output["standard_error"]
    assert abs(output["return_per_initial_stake"] - 36 / 37) < 4 * output["standard_error"]
    assert [net for net, _ in output["distribution"]] == [-1.0, 1.0]
    assert json_output(*arguments, "--threads", "3")["bets"] == output["bets"]
    text = run(*arguments).output
    assert "Roulette, Red, nothing to decide, seed 7" in text
    assert "│ Straight up " not in text
    all_bets = run("simulate", "roulette", "--rounds", "1e5", "--seed", "7").output
    assert all_bets.count("│ Straight up ") == 37


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("baccarat", "--bet", "red"), "no bet 'red'; there are: player, banker, tie"),
        (("baccarat", "--strategy", "basic"), "no strategy 'basic'; there are: nothing_to_decide"),
    ],
)
def test_an_invalid_simulation_is_one_line_with_exit_status_2(
    arguments: tuple[str, ...], message: str
) -> None:
    result = run("simulate", *arguments)
    assert (result.exit_code, result.stdout, result.stderr.count("\n")) == (2, "", 1)
    assert message in result.stderr


def test_a_report_has_every_bet_and_no_chart(tmp_path: Path) -> None:
    file = tmp_path / "page.html"
    assert run("report", "baccarat", "--rounds", "3000000", "--seed", "1", "-o", str(file)).exit_code == 0
    page = file.read_text()
    assert page.count("<svg") == 2
    assert "98.9421 %" in page
    assert "3,000,000 rounds of the best bet returned 9" in page
    assert "How to play" not in page
    assert "<h2>Bets</h2>" in page
    with_page = json_output("report", "sic_bo", "--rounds", "0", "-o", str(file))
    assert "Sic Bo" in file.read_text()
    output = json_output("report", "sic_bo")
    assert output == with_page
    assert output["chart"] is None
    assert "busts" not in output
    assert sum(chance for _, chance in output["distribution"]) == pytest.approx(1)
