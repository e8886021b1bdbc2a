"""The commands of the mathematics, as a person and a program call them."""

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
from tests.maths.tables import DECIDED, TABLES


def run(*words: str, columns: int = 200) -> Result:
    return CliRunner().invoke(app, words, env={"COLUMNS": str(columns)})


def told(*words: str) -> Any:
    result = run(*words, "--json")
    assert result.exit_code == 0, result.output
    return json.loads(result.output)


def exact(table: Table) -> float:
    return 1 + figures_of(table).mean


# --- rtp ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("table", TABLES)
def test_every_published_figure_is_reproduced(table: str) -> None:
    found = told("rtp", table)
    published = {(line.bet, line.of): float(line.percent) for line in TABLES[table].published}
    shown = {(line["figure"], line["of"]): round(100 * line["value"], 2) for line in found["published"]}
    assert shown == published
    for line in found["published"]:
        assert line["reproduced"]
        assert round(100 * line["exact"], 2) == published[line["figure"], line["of"]]


def test_rtp_has_what_a_program_reads() -> None:
    found = told("rtp", "infinite")
    assert found["table"] == "infinite"
    assert found["strategy"] == "composition-dependent"
    assert found["return_per_initial_stake"] == round(exact(TABLES["infinite"]), 12)
    net = found["return_per_initial_stake"] - 1
    assert found["return_per_total_stake"] == pytest.approx(1 + net / found["stake_per_round"], abs=2e-12)
    assert (found["house_edge"], 1) == (pytest.approx(-net), 1)
    assert 1.05 < found["stake_per_round"] < found["standard_deviation"] < 1.2
    assert list(found["bets"]) == ["any_pair", "twenty_one_plus_three", "hot_3", "bust_it"]
    for bet in found["bets"].values():
        assert bet["return"] == round(float(Fraction(bet["fraction"])), 12)


def test_no_fraction_is_cut_on_a_narrow_terminal() -> None:
    shown = run("rtp", "infinite", columns=60).output
    assert "…" not in shown
    for bet in told("rtp", "infinite")["bets"].values():
        assert f"exactly {bet['fraction']}" in shown


def test_rtp_says_what_a_published_figure_is_of() -> None:
    shown = run("rtp", "multihand").output
    assert "99.59 % of total stake, over 1,000,000,000 simulated rounds; exact 99.5948 %, reproduced" in shown


def test_a_figure_that_is_not_reproduced_is_said_to_be_so(tmp_path: Path) -> None:
    block = '[boast]\ngame = "blackjack"\ntitle = "Boast"\ndecks = 1\nlimits = { GC = "1-5" }\n'
    block += 'published = [{ bet = "main", percent = "101.0", of = "initial stake" }]\n'
    (tmp_path / "own.toml").write_text(block)
    words = ("rtp", "boast", "--tables", str(tmp_path / "own.toml"))
    assert "not reproduced" in run(*words).output
    assert told(*words)["published"][0]["reproduced"] is False


def test_a_what_if_is_the_table_that_a_file_would_make() -> None:
    words = ("--set", "decks=2", "--set", "dealer_hits_soft_17=true", "--set", "peek=never")
    block = '[x]\ngame = "blackjack"\ntitle = "X"\nlimits = { GC = "1-5" }\ndecks = 2\n'
    fields = TABLES["premium"].rules
    rest = {name: getattr(fields, name) for name in fields.__struct_fields__}
    for name in ("dealer_blackjack_takes", "insurance", "even_money", "splits", "stand_on_21"):
        block += f"{name} = {json.dumps(rest[name])}\n"
    own = read_tables(block + "dealer_hits_soft_17 = true\n", games(), "x.toml")["x"]
    found = told("rtp", "premium", *words)
    assert found["return_per_initial_stake"] == round(exact(own), 12) != round(exact(TABLES["premium"]), 12)
    assert found["published"] == []


def test_a_change_to_the_same_is_no_change() -> None:
    assert told("rtp", "multihand", "--set", "decks=6") == told("rtp", "multihand")


def test_a_what_if_may_be_dealt_either_way() -> None:
    """A cut card is no matter of who deals; one that is never reached is wrong at any table."""
    assert (
        run("rtp", "premium", "--set", "shuffle=at_cut_card", "--set", "cut_card_percent=75").exit_code == 0
    )
    refused = run("rtp", "premium", "--set", "cut_card_percent=75")
    assert (refused.exit_code, "allowed is: 100" in refused.stderr) == (2, True)


@pytest.mark.parametrize("command", ["rtp", "strategy", "odds", "compare"])
@pytest.mark.parametrize(
    ("words", "says"),
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
def test_what_is_wrong_is_one_line_and_exit_2(command: str, words: tuple[str, ...], says: str) -> None:
    refused = run(command, *words)
    assert (refused.exit_code, refused.stdout, refused.stderr.count("\n")) == (2, "", 1)
    assert says in refused.stderr


def test_what_is_not_installed_is_named_with_how_to_get_it() -> None:
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


def test_odds_add_up_line_by_line() -> None:
    for name, bet in told("odds", "infinite")["bets"].items():
        returned = Fraction(0)
        for line in bet["lines"]:
            wins, staked = map(int, line["pays"].split(":")) if line["pays"] else (0, 1)
            returned += Fraction(line["fraction"]) * (1 + Fraction(wins, staked))
            assert line["chance"] == round(float(Fraction(line["fraction"])), 12)
        assert str(returned) == bet["fraction"], name


def test_odds_of_a_pair_are_those_one_can_count() -> None:
    """After any card of 416, 7 of the other 415 are its very like and 24 more of its rank."""
    lines = told("odds", "infinite")["bets"]["any_pair"]["lines"]
    assert [line["fraction"] for line in lines] == ["7/415", "24/415"]
    assert "24/415" in run("odds", "infinite").output


def test_every_chance_is_a_fraction_on_the_terminal_too() -> None:
    wide, narrow = (run("odds", "infinite", columns=columns).output for columns in (200, 80))
    assert "…" not in narrow
    for bet in told("odds", "infinite")["bets"].values():
        for line in bet["lines"]:
            assert line["fraction"] in wide
            assert f"exactly {line['fraction']}\n" in narrow or f" {line['fraction']} │" in narrow


def test_a_table_without_side_bets_says_where_its_main_bet_is() -> None:
    refused = run("odds", "classic")
    assert (refused.exit_code, "croupier rtp classic" in refused.stderr) == (2, True)


# --- compare --------------------------------------------------------------------------------------


def test_compare_shares_the_whole_difference_out() -> None:
    found = told("compare", "premium", "classic")
    start, end = found["return_per_initial_stake"]
    assert start == round(exact(TABLES["premium"]), 12)
    assert end == round(exact(TABLES["classic"]), 12)
    assert sum(step["difference"] for step in found["steps"]) == pytest.approx(end - start, abs=1e-11)
    changed = {field for step in found["steps"] for field in step["changes"]}
    assert changed == {"dealer_hits_soft_17", "peek", "dealer_blackjack_takes"}


def test_compare_says_how_both_are_played_and_cuts_no_name() -> None:
    assert told("compare", "premium", "classic")["strategy"] == ["composition-dependent"] * 2
    shown = run("compare", "premium", "classic", columns=80).output
    assert shown.count("best play (composition-dependent)") == 2
    assert "│ dealer_blackjack_takes │ initial_stake │ everything │" in shown


def test_compare_with_nothing_is_refused() -> None:
    refused = run("compare", "premium")
    assert (refused.exit_code, refused.stdout, refused.stderr.count("\n")) == (2, "", 1)
    assert "name another table, or write --set FIELD=VALUE" in refused.stderr


def test_compare_takes_fields_together_that_no_table_can_have_alone() -> None:
    """A dealer who shows both cards can't offer insurance: these change at once."""
    found = told("compare", "multihand", "double_exposure")
    together = next(step["changes"] for step in found["steps"] if "hole_card" in step["changes"])
    assert {"hole_card", "peek", "insurance", "even_money"} <= set(together)
    shown = run("compare", "multihand", "double_exposure").output
    assert re.search(r"│ ties +│ push +│ dealer_wins +│ +│ +│", shown)
    assert found["return_per_initial_stake"][1] == round(exact(TABLES["double_exposure"]), 12)


def test_compare_of_one_table_says_what_a_change_is_worth() -> None:
    found = told("compare", "premium", "--set", "blackjack_pays=6:5")
    # Blackjacks that aren't pushed come about every 22nd round, and each loses 0.3 of a stake.
    assert -0.0145 < found["difference"] < -0.0130
    assert "No effect on the return" in run("compare", "premium", "multihand").output


# --- strategy -------------------------------------------------------------------------------------


def test_strategy_prints_the_chart_that_everybody_knows() -> None:
    """Six decks, stands on all 17s, double after split: the chart that is printed in every book."""
    lines = told("strategy", "multihand")["lines"]
    assert lines["hard"]["16"] == ["S"] * 5 + ["H"] * 5
    assert lines["hard"]["11"] == ["DH"] * 9 + ["H"]
    assert lines["soft"]["18"] == ["S", "DS", "DS", "DS", "DS", "S", "S", "H", "H", "H"]
    assert lines["pair"]["8"] == ["P"] * 10
    assert lines["pair"]["A"] == ["P"] * 10
    assert told("strategy", "multihand")["columns"] == list("23456789TA")


def test_strategy_returns_a_little_less_than_the_best_play() -> None:
    for table in DECIDED:
        by_chart = told("strategy", table)["return_per_initial_stake"]
        assert 0 < exact(TABLES[table]) - by_chart < 0.0006, table


def test_strategy_tells_a_program_what_every_option_is_worth() -> None:
    openings = {(one["hand"], one["dealer"]): one for one in told("strategy", "multihand")["openings"]}
    assert len(openings) == 55 * 10 - 10, "a blackjack has nothing to decide"
    sixteen = openings["6T", "T"]
    assert sixteen["options"].keys() == {"stand", "hit", "double"}
    assert sixteen["best"] == max(sixteen["options"], key=sixteen["options"].__getitem__) == "hit"
    assert openings["88", "T"]["best"] == "split"
    for one in figures_of(TABLES["multihand"]).openings:
        assert openings[one.hand, one.dealer]["options"] == pytest.approx(one.options, abs=1e-12)


def test_strategy_draws_a_picture_and_a_page(tmp_path: Path) -> None:
    png, html = tmp_path / "chart.png", tmp_path / "chart.html"
    assert run("strategy", "classic", "--png", str(png), "--html", str(html)).exit_code == 0
    with Image.open(png) as picture:
        drawn = {colour for _, colour in picture.convert("RGB").getcolors(1 << 16) or []}
    assert {(0xF4, 0xB9, 0xB0), (0xCD, 0xBB, 0xE4)} <= drawn, "hits and splits have their colours"
    page = html.read_text()
    assert page.startswith("<!doctype html>")
    assert page.count("<td") == sum(page.count(f">{letters}</td>") for letters in ("H", "S", "DH", "DS", "P"))
    assert "<h1>Classic Blackjack</h1>" in page


def test_a_chart_that_is_no_text_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "chart.png"
    file.write_bytes(b"\x89PNG")
    refused = run("simulate", "infinite", "--strategy", str(file))
    assert (refused.exit_code, refused.stderr.count("\n")) == (2, 1)
    assert "chart.png isn't a text; allowed is: a chart as `croupier strategy --chart`" in refused.stderr


def test_a_file_that_cannot_be_written_is_one_line(tmp_path: Path) -> None:
    for option in ("--png", "--html", "--chart"):
        refused = run("strategy", "classic", option, str(tmp_path / "absent" / "chart.png"))
        assert (refused.exit_code, refused.stderr.count("\n")) == (2, 1)
        assert "can't be written" in refused.stderr
    unknown = run("strategy", "classic", "--png", str(tmp_path / "chart.nonsense"))
    assert (unknown.exit_code, "can't be written" in unknown.stderr) == (2, True)
