"""`croupier simulate` and the page of `croupier report`, as a person and a program call them."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from distributed import LocalCluster
from numba import cuda
from typer.testing import CliRunner, Result

import croupier
from croupier.cli.main import app
from croupier.maths.simulation import simulate
from croupier.maths.simulation.simulate import ChunkResult, SimulationJob
from tests.maths.tables import TABLES, chart_of

ROUNDS = 5_000_000
TIMES = {"seconds", "cpu_seconds", "rounds_per_cpu_second"}


def run(*words: str) -> Result:
    return CliRunner().invoke(app, words, env={"COLUMNS": "200"})


def told(*words: str) -> dict[str, Any]:
    result = run("simulate", *words, "--rounds", str(ROUNDS), "--seed", "7", "--json")
    assert result.exit_code == 0, result.output
    found: dict[str, Any] = json.loads(result.output)
    return found


def untimed(found: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in found.items() if name not in TIMES}


def test_simulate_has_what_a_program_reads_and_agrees_with_the_exact_return() -> None:
    found = told("premium")
    best = croupier.table("premium").exact().best
    assert found["rounds"] == ROUNDS == sum(often for _, often in found["distribution"])
    error = found["standard_error"]
    assert error == pytest.approx(best.standard_deviation / ROUNDS**0.5, rel=0.05)
    assert abs(found["return_per_initial_stake"] - best.return_per_initial_stake) < 4 * error
    assert abs(found["return_per_total_stake"] - best.return_per_total_stake) < 4 * error
    assert found["stake_per_round"] == pytest.approx(best.stake_per_round, abs=0.001)
    assert found["rounds_per_cpu_second"] == pytest.approx(ROUNDS / found["cpu_seconds"], rel=0.001)
    assert found["seconds"] > 0


def test_the_same_seed_is_the_same_result_on_any_number_of_threads() -> None:
    one, three = told("premium", "--threads", "1"), told("premium", "--threads", "3")
    assert untimed(one) == untimed(three)
    other = run("simulate", "premium", "--rounds", str(ROUNDS), "--seed", "8", "--json")
    assert json.loads(other.output)["distribution"] != one["distribution"]


def test_a_chart_file_is_played_as_the_chart_it_was_written_from(tmp_path: Path) -> None:
    file = tmp_path / "chart.txt"
    assert run("strategy", "classic", "--chart", str(file)).exit_code == 0
    by_file, by_name = told("classic", "--strategy", str(file)), told("classic", "--strategy", "basic")
    assert by_file["distribution"] == by_name["distribution"]
    exact = chart_of(TABLES["classic"]).played
    off = by_name["return_per_initial_stake"] - exact.return_per_initial_stake
    assert abs(off) < 4 * by_name["standard_error"]


def test_side_bets_have_rounds_of_their_own_beside_the_main_bet() -> None:
    every = told("infinite", "--strategy", "mimic", "--threads", "2")
    assert list(every["bets"]) == ["main", "any_pair", "twenty_one_plus_three", "hot_3", "bust_it"]
    assert every["bets"]["main"]["return"] == every["return_per_initial_stake"]
    one = told("infinite", "--bet", "any_pair", "--threads", "1", "--strategy", "never_bust")
    assert one["bets"] == {"any_pair": every["bets"]["any_pair"]}
    assert one["rounds"] == ROUNDS == sum(often for _, often in one["distribution"])
    assert [net for net, _ in one["distribution"]] == [-1, 8, 25]
    assert abs(one["return_per_initial_stake"] - 398 / 415) < 4 * one["standard_error"]


def test_a_person_reads_of_every_side_bet() -> None:
    few = ("--rounds", "100000", "--seed", "7", "--strategy", "mimic")
    shown = run("simulate", "seven_seat", *few).output
    assert all(words in shown for words in ("Main bet", "Perfect Pairs", "21+3"))
    alone = run("simulate", "seven_seat", *few, "--bet", "main").output
    assert "Perfect Pairs" not in alone


def test_a_table_that_goes_on_to_its_cut_card_may_be_played_from_fresh_shoes() -> None:
    reuse_shoe, fresh = told("seven_seat"), told("seven_seat", "--fresh-shoe")
    assert fresh["rounds"] == ROUNDS <= reuse_shoe["rounds"]
    assert fresh["distribution"] != reuse_shoe["distribution"]


def test_a_cluster_finds_what_one_machine_does() -> None:
    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None, silence_logs=50) as cluster:
        spread = told("premium", "--cluster", cluster.scheduler_address)
    assert untimed(spread) == untimed(told("premium"))


def test_a_machine_that_cannot_says_so() -> None:
    both = run("simulate", "premium", "--cluster", "tcp://127.0.0.1:1", "--device", "gpu")
    assert (both.exit_code, "choose --cluster or --device gpu" in both.stderr) == (2, True)
    if not cuda.is_available():
        refused = run("simulate", "premium", "--device", "gpu")
        assert (refused.exit_code, refused.stderr.count("\n")) == (2, 1)
        assert "GPU" in refused.stderr or "croupier[gpu]" in refused.stderr


def test_a_person_reads_the_figure_and_its_error() -> None:
    shown = run("simulate", "premium", "--rounds", str(ROUNDS), "--seed", "7", "--strategy", "mimic").output
    assert "5,000,000 rounds" in shown
    assert " ± 0.04" in shown
    assert "million rounds per CPU-second" in shown


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("nowhere",), "no table 'nowhere'; there are: baccarat"),
        (
            ("premium", "--strategy", "luck"),
            "no strategy 'luck'; there are: optimal, basic, mimic",
        ),
        (("infinite", "--bet", "tie"), "no bet 'tie'; there are: main, any_pair, twenty_one_plus_three"),
        (("premium", "--set", "decks=9"), "--set decks: Expected `int` <= 8"),
        (
            ("premium", "--cluster", "bogus"),
            "'bogus' is no scheduler's address; allowed is: tcp://",
        ),
        (("premium", "--cluster", "tcp://10.0.0.5:99999"), "allowed is: tcp://HOST:PORT"),
        (("premium", "--strategy", "{chart}"), "chart.txt: line 2: 'X' is no action here; allowed are: H, S"),
    ],
)
def test_what_is_wrong_is_one_line_and_exit_2(words: tuple[str, ...], says: str, tmp_path: Path) -> None:
    chart = tmp_path / "chart.txt"
    chart.write_text("dealer A\nhard 12 X\n")
    refused = run("simulate", *(word.format(chart=chart) for word in words))
    assert (refused.exit_code, refused.stdout, refused.stderr.count("\n")) == (2, "", 1)
    assert says in refused.stderr


def test_ctrl_c_prints_what_there_is() -> None:
    restored = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)"
    program = (
        f"{restored}; from croupier.cli.main import main; main()"  # ignored where tests run in the background
    )
    command = [sys.executable, "-c", program, "simulate", "premium", "--rounds", "100_000_000_000"]
    # Rich shows the bar in a pipe too when colours are forced.
    surroundings = {**os.environ, "FORCE_COLOR": "1"}
    with subprocess.Popen(
        command, env=surroundings, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as playing:
        assert playing.stderr is not None
        seen = b""
        while "±".encode() not in seen:
            piece = os.read(playing.stderr.fileno(), 4096)
            assert piece, seen
            seen += piece
        playing.send_signal(signal.SIGINT)
        said, _ = playing.communicate(timeout=120)
    assert playing.returncode == 130
    assert "return per initial stake" in said.decode()
    assert "Stopped before all rounds were played." in said.decode()


@pytest.mark.parametrize("form", [(), ("--json",)])
def test_ctrl_c_before_the_first_round_is_counted_finds_nothing(
    form: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(_job: SimulationJob) -> Iterator[ChunkResult]:
        raise KeyboardInterrupt

    monkeypatch.setattr(simulate, "on_threads", lambda _threads: interrupted)
    stopped = run("simulate", "premium", *form)
    assert stopped.exit_code == 130
    if not form:
        assert stopped.stdout == "Stopped before any round was counted: nothing was found.\n"
        return
    found = json.loads(stopped.stdout)
    assert (found["rounds"], found["complete"], found["distribution"]) == (0, False, [])
    estimates = ("return_per_initial_stake", "return_per_total_stake", "standard_error")
    assert {found[name] for name in (*estimates, "stake_per_round", "standard_deviation")} == {None}
    unknown = dict.fromkeys(("return", "standard_error", "standard_deviation"))
    assert found["bets"] == {"main": {"rounds": 0, **unknown}}


def test_a_report_has_a_simulation_that_runs_towards_the_exact_return(tmp_path: Path) -> None:
    file = tmp_path / "premium.html"
    words = ("report", "premium", "--output", str(file))
    assert run(*words, "--rounds", str(ROUNDS), "--seed", "7").exit_code == 0
    page = file.read_text()
    assert page.count("<svg") == 3
    assert "5,000,000 rounds by the chart below returned 99." in page
    assert run(*words, "--rounds", "0").exit_code == 0
    assert "Convergence" not in file.read_text()
    told = json.loads(run("report", "premium", "--json").output)
    assert told["chart"]["return_per_initial_stake"] == pytest.approx(0.995401, abs=1e-6)
    assert sum(chance for _, chance in told["distribution"]) == pytest.approx(1, abs=1e-9)
    refused = run("report", "premium", "--rounds", "0", "--output", str(tmp_path / "absent" / "x.html"))
    assert (refused.exit_code, "can't be written" in refused.stderr) == (2, True)


@pytest.mark.parametrize(
    ("text", "rounds"),
    [("1e5", 100_000), ("0.1M", 100_000), ("100k", 100_000), ("1_000", 1000), ("1,000", 1000)],
)
def test_rounds_are_read_as_people_type_them(text: str, rounds: int) -> None:
    told = json.loads(run("simulate", "roulette", "--bet", "red", "--rounds", text, "--json").stdout)
    assert told["rounds"] == rounds


@pytest.mark.parametrize("text", ["", "0", "-1", "1.5", "1e-3", "many", "1e", "10MM", "1__", "nan", "inf"])
def test_other_numbers_of_rounds_are_refused(text: str) -> None:
    refused = run("simulate", "roulette", "--rounds", text)
    assert (refused.exit_code, refused.stdout, refused.stderr.count("\n")) == (2, "", 1)
    assert "--rounds: allowed is: a whole number from 1, such as 1_000_000, 1e9 or 10M" in refused.stderr
