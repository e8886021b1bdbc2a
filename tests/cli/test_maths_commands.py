"""The commands `rtp`, `odds`, `compare` and `strategy`: their tables, their JSON and their errors."""

import json
import re
import subprocess
import sys
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from typer.testing import CliRunner, Result

from croupier.cli.main import app
from croupier.games import games
from croupier.maths.exact.coup_figures import figures_of
from croupier.play.contract.game import Table
from croupier.play.tables.files import read_tables
from tests.maths.tables import DECISION_TABLES, TABLES


def run(*arguments: str, columns: int = 200) -> Result:
    return CliRunner().invoke(app, arguments, env={"COLUMNS": str(columns)})


def json_output(*arguments: str) -> Any:
    result = run(*arguments, "--json")
    assert result.exit_code == 0, result.output
    return json.loads(result.output)


def exact_return(table: Table) -> float:
    return 1 + figures_of(table).mean


# --- rtp ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("table", TABLES)
def test_rtp_reproduces_every_published_figure(table: str) -> None:
    output = json_output("rtp", table)
    published = {(line.bet, line.of): float(line.percent) for line in TABLES[table].published}
    printed = {(line["figure"], line["of"]): round(100 * line["value"], 2) for line in output["published"]}
    assert printed == published
    for line in output["published"]:
        assert line["reproduced"]
        assert round(100 * line["exact"], 2) == published[line["figure"], line["of"]]


def test_rtp_prints_json() -> None:
    output = json_output("rtp", "infinite")
    assert output["table"] == "infinite"
    assert output["strategy"] == "composition-dependent"
    assert output["return_per_initial_stake"] == round(exact_return(TABLES["infinite"]), 12)
    net = output["return_per_initial_stake"] - 1
    assert output["return_per_total_stake"] == pytest.approx(1 + net / output["stake_per_round"], abs=2e-12)
    assert (output["house_edge"], 1) == (pytest.approx(-net), 1)
    assert 1.05 < output["stake_per_round"] < output["standard_deviation"] < 1.2
    assert list(output["bets"]) == ["any_pair", "twenty_one_plus_three", "hot_3", "bust_it"]
    for bet in output["bets"].values():
        assert bet["return"] == round(float(Fraction(bet["fraction"])), 12)


def test_no_fraction_is_truncated_on_a_narrow_terminal() -> None:
    text = run("rtp", "infinite", columns=60).output
    assert "…" not in text
    for bet in json_output("rtp", "infinite")["bets"].values():
        assert f"exactly {bet['fraction']}" in text


def test_rtp_states_what_a_published_figure_is_based_on() -> None:
    text = run("rtp", "multihand").output
    assert "99.59 % of total stake, over 1,000,000,000 simulated rounds; exact 99.5948 %, reproduced" in text


def test_a_published_figure_that_is_not_reproduced_is_marked(tmp_path: Path) -> None:
    block = '[boast]\ngame = "blackjack"\ntitle = "Boast"\ndecks = 1\nlimits = { GC = "1-5" }\n'
    block += 'published = [{ bet = "main", percent = "101.0", of = "initial stake" }]\n'
    (tmp_path / "own.toml").write_text(block)
    arguments = ("rtp", "boast", "--tables", str(tmp_path / "own.toml"))
    assert "not reproduced" in run(*arguments).output
    assert json_output(*arguments)["published"][0]["reproduced"] is False


def test_changed_rules_equal_those_of_a_tables_file() -> None:
    arguments = ("--set", "decks=2", "--set", "dealer_hits_soft_17=true", "--set", "peek=never")
    block = '[x]\ngame = "blackjack"\ntitle = "X"\nlimits = { GC = "1-5" }\ndecks = 2\n'
    fields = TABLES["premium"].rules
    rest = {name: getattr(fields, name) for name in fields.__struct_fields__}
    for name in ("dealer_blackjack_takes", "insurance", "even_money", "splits", "stand_on_21"):
        block += f"{name} = {json.dumps(rest[name])}\n"
    own = read_tables(block + "dealer_hits_soft_17 = true\n", games(), "x.toml")["x"]
    output = json_output("rtp", "premium", *arguments)
    assert (
        output["return_per_initial_stake"]
        == round(exact_return(own), 12)
        != round(exact_return(TABLES["premium"]), 12)
    )
    assert output["published"] == []


def test_setting_a_rule_to_its_value_changes_nothing() -> None:
    assert json_output("rtp", "multihand", "--set", "decks=6") == json_output("rtp", "multihand")


def test_changed_rules_may_use_a_cut_card_at_any_table() -> None:
    """A cut card is allowed at own tables too, but not one that is never reached."""
    assert (
        run("rtp", "premium", "--set", "shuffle=at_cut_card", "--set", "cut_card_percent=75").exit_code == 0
    )
    result = run("rtp", "premium", "--set", "cut_card_percent=75")
    assert (result.exit_code, "allowed is: 100" in result.stderr) == (2, True)


@pytest.mark.parametrize("command", ["rtp", "strategy", "odds", "compare"])
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("nowhere",), "no table 'nowhere'; there are: baccarat, live_baccarat, classic"),
        (("infinite", "--set", "deks=2"), "--set deks: no such field; allowed are: decks, shuffle"),
        (("infinite", "--set", "decks=12"), "--set decks: Expected `int` <= 8; allowed is: a whole number"),
        (("infinite", "--set", "peek=often"), "allowed is: 'never', 'ace', 'ace_or_ten'"),
        (("infinite", "--set", "decks"), "write FIELD=VALUE"),
        (
            ("infinite", "--set", 'any_pair=["pair 8"]'),
            'allowed is: a list of a line such as "suited_pair 25:1"',
        ),
    ],
)
def test_an_error_is_one_line_with_exit_status_2(
    command: str, arguments: tuple[str, ...], message: str
) -> None:
    result = run(command, *arguments)
    assert (result.exit_code, result.stdout, result.stderr.count("\n")) == (2, "", 1)
    assert message in result.stderr


def test_a_missing_library_is_named_with_the_command_that_installs_it() -> None:
    program = "import sys; sys.modules['numpy'] = None; from croupier.cli.main import main; main()"
    done = subprocess.run(
        [sys.executable, "-c", program, "rtp", "classic", "--no-cache"],
        capture_output=True,
        check=False,
        text=True,
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "croupier: numpy isn't installed; run: pip install 'croupier[maths]'\n"


# --- odds -----------------------------------------------------------------------------------------


def test_the_lines_of_odds_add_up() -> None:
    for name, bet in json_output("odds", "infinite")["bets"].items():
        returned = Fraction(0)
        for line in bet["lines"]:
            wins, staked = map(int, line["pays"].split(":")) if line["pays"] else (0, 1)
            returned += Fraction(line["fraction"]) * (1 + Fraction(wins, staked))
            assert line["chance"] == round(float(Fraction(line["fraction"])), 12)
        assert str(returned) == bet["fraction"], name


def test_odds_of_a_pair_equal_a_count_by_hand() -> None:
    """Of the 415 cards other than the first, 7 equal it and 24 more have its rank."""
    lines = json_output("odds", "infinite")["bets"]["any_pair"]["lines"]
    assert [line["fraction"] for line in lines] == ["7/415", "24/415"]
    assert "24/415" in run("odds", "infinite").output


def test_the_terminal_shows_every_chance_as_a_fraction() -> None:
    wide, narrow = (run("odds", "infinite", columns=columns).output for columns in (200, 80))
    assert "…" not in narrow
    for bet in json_output("odds", "infinite")["bets"].values():
        for line in bet["lines"]:
            assert line["fraction"] in wide
            assert f"exactly {line['fraction']}\n" in narrow or f" {line['fraction']} │" in narrow


def test_odds_of_a_table_without_side_bets_refer_to_rtp() -> None:
    result = run("odds", "classic")
    assert (result.exit_code, "croupier rtp classic" in result.stderr) == (2, True)


# --- compare --------------------------------------------------------------------------------------


def test_compare_attributes_the_whole_difference() -> None:
    output = json_output("compare", "premium", "classic")
    start, end = output["return_per_initial_stake"]
    assert start == round(exact_return(TABLES["premium"]), 12)
    assert end == round(exact_return(TABLES["classic"]), 12)
    assert sum(step["difference"] for step in output["steps"]) == pytest.approx(end - start, abs=1e-11)
    changed = {field for step in output["steps"] for field in step["changes"]}
    assert changed == {"dealer_hits_soft_17", "peek", "dealer_blackjack_takes"}


def test_compare_states_both_strategies_and_truncates_no_name() -> None:
    assert json_output("compare", "premium", "classic")["strategy"] == ["composition-dependent"] * 2
    text = run("compare", "premium", "classic", columns=80).output
    assert text.count("best play (composition-dependent)") == 2
    assert "│ dealer_blackjack_takes │ initial_stake │ everything │" in text


def test_compare_without_a_second_table_or_a_change_is_refused() -> None:
    result = run("compare", "premium")
    assert (result.exit_code, result.stdout, result.stderr.count("\n")) == (2, "", 1)
    assert "name another table, or write --set FIELD=VALUE" in result.stderr


def test_compare_changes_dependent_fields_together() -> None:
    """A dealer with both cards face up can't offer insurance, so these fields change together."""
    output = json_output("compare", "multihand", "double_exposure")
    together = next(step["changes"] for step in output["steps"] if "hole_card" in step["changes"])
    assert {"hole_card", "peek", "insurance", "even_money"} <= set(together)
    text = run("compare", "multihand", "double_exposure").output
    assert re.search(r"│ ties +│ push +│ dealer_wins +│ +│ +│", text)
    assert output["return_per_initial_stake"][1] == round(exact_return(TABLES["double_exposure"]), 12)


def test_compare_with_a_changed_rule_states_its_effect() -> None:
    output = json_output("compare", "premium", "--set", "blackjack_pays=6:5")
    # About one round in 22 has a blackjack that isn't pushed, which loses 0.3 of a stake.
    assert -0.0145 < output["difference"] < -0.0130
    assert "No effect on the return" in run("compare", "premium", "multihand").output


# --- strategy -------------------------------------------------------------------------------------


def test_strategy_prints_the_well_known_chart() -> None:
    """Six decks, stand on all 17s, double after split: the standard chart."""
    lines = json_output("strategy", "multihand")["lines"]
    assert lines["hard"]["16"] == ["S"] * 5 + ["H"] * 5
    assert lines["hard"]["11"] == ["DH"] * 9 + ["H"]
    assert lines["soft"]["18"] == ["S", "DS", "DS", "DS", "DS", "S", "S", "H", "H", "H"]
    assert lines["pair"]["8"] == ["P"] * 10
    assert lines["pair"]["A"] == ["P"] * 10
    assert json_output("strategy", "multihand")["columns"] == list("23456789TA")


def test_the_chart_returns_slightly_less_than_the_best_play() -> None:
    for table in DECISION_TABLES:
        chart_return = json_output("strategy", table)["return_per_initial_stake"]
        assert 0 < exact_return(TABLES[table]) - chart_return < 0.0006, table


def test_strategy_prints_the_value_of_every_option_as_json() -> None:
    listed = json_output("strategy", "multihand")["openings"]
    openings = {(opening["hand"], opening["dealer"]): opening for opening in listed}
    assert len(openings) == 55 * 10 - 10, "a blackjack has no decision"
    sixteen = openings["6T", "T"]
    assert sixteen["options"].keys() == {"stand", "hit", "double"}
    assert sixteen["best"] == max(sixteen["options"], key=sixteen["options"].__getitem__) == "hit"
    assert openings["88", "T"]["best"] == "split"
    for exact in figures_of(TABLES["multihand"]).openings:
        assert openings[exact.hand, exact.dealer]["options"] == pytest.approx(exact.options, abs=1e-12)


def test_strategy_writes_a_picture_and_a_page(tmp_path: Path) -> None:
    png, html = tmp_path / "chart.png", tmp_path / "chart.html"
    assert run("strategy", "classic", "--png", str(png), "--html", str(html)).exit_code == 0
    with Image.open(png) as picture:
        colours = {colour for _, colour in picture.convert("RGB").getcolors(1 << 16) or []}
    assert {(0xF4, 0xB9, 0xB0), (0xCD, 0xBB, 0xE4)} <= colours, "hits and splits have their colours"
    page = html.read_text()
    assert page.startswith("<!doctype html>")
    assert page.count("<td") == sum(page.count(f">{letters}</td>") for letters in ("H", "S", "DH", "DS", "P"))
    assert "<h1>Classic Blackjack</h1>" in page


def test_a_binary_chart_file_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "chart.png"
    file.write_bytes(b"\x89PNG")
    result = run("simulate", "infinite", "--strategy", str(file))
    assert (result.exit_code, result.stderr.count("\n")) == (2, 1)
    assert "chart.png isn't a text; allowed is: a chart as `croupier strategy --chart`" in result.stderr


def test_an_unwritable_file_is_reported_in_one_line(tmp_path: Path) -> None:
    for option in ("--png", "--html", "--chart"):
        result = run("strategy", "classic", option, str(tmp_path / "absent" / "chart.png"))
        assert (result.exit_code, result.stderr.count("\n")) == (2, 1)
        assert "can't be written" in result.stderr
    unknown = run("strategy", "classic", "--png", str(tmp_path / "chart.nonsense"))
    assert (unknown.exit_code, "can't be written" in unknown.stderr) == (2, True)
