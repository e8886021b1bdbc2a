"""`croupier simulate` and `croupier report`: figures, JSON, errors and interruption."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from distributed import LocalCluster
from msgspec.structs import replace as with_fields
from numba import cuda
from typer.testing import CliRunner, Result

import croupier
from croupier.cli.main import app
from croupier.maths.simulation import simulate
from croupier.maths.simulation.simulate import ChunkResult, SimulationJob
from tests.maths.tables import TABLES, chart_of

ROUNDS = 5_000_000
GAME = ("premium", "--set", "splits=none")
"""A table whose strategy is compiled at once; with splits, that takes seconds."""
TIMING_FIELDS = {"seconds", "cpu_seconds", "rounds_per_cpu_second"}


def run(*arguments: str) -> Result:
    return CliRunner().invoke(app, arguments, env={"COLUMNS": "200"})


def simulation(*arguments: str) -> dict[str, Any]:
    """Return the JSON output of `croupier simulate` with a fixed number of rounds and seed."""
    result = run("simulate", *arguments, "--rounds", str(ROUNDS), "--seed", "7", "--json")
    assert result.exit_code == 0, result.output
    output: dict[str, Any] = json.loads(result.output)
    return output


def without_times(output: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in output.items() if name not in TIMING_FIELDS}


def test_simulate_prints_json_that_agrees_with_the_exact_return() -> None:
    output = simulation(*GAME)
    best = croupier.table("premium").with_rules(splits="none").exact().best
    assert output["rounds"] == ROUNDS == sum(count for _, count in output["distribution"])
    error = output["standard_error"]
    # The error is estimated from the differences between parts of the simulation.
    assert error == pytest.approx(best.standard_deviation / ROUNDS**0.5, rel=0.2)
    assert abs(output["return_per_initial_stake"] - best.return_per_initial_stake) < 4 * error
    assert abs(output["return_per_total_stake"] - best.return_per_total_stake) < 4 * error
    assert output["stake_per_round"] == pytest.approx(best.stake_per_round, abs=0.001)
    assert output["rounds_per_cpu_second"] == pytest.approx(ROUNDS / output["cpu_seconds"], rel=0.001)
    assert output["seconds"] > 0


def test_a_seed_gives_the_same_result_on_any_number_of_threads() -> None:
    one, three = simulation(*GAME, "--threads", "1"), simulation(*GAME, "--threads", "3")
    assert without_times(one) == without_times(three)
    other = run("simulate", *GAME, "--rounds", str(ROUNDS), "--seed", "8", "--json")
    assert json.loads(other.output)["distribution"] != one["distribution"]


def test_a_chart_file_is_played_as_the_chart_it_was_written_from(tmp_path: Path) -> None:
    file = tmp_path / "chart.txt"
    game = ("classic", "--set", "splits=none")  # without splits it compiles quickly
    assert run("strategy", *game, "--chart", str(file)).exit_code == 0
    by_file, by_name = (simulation(*game, "--strategy", each) for each in (str(file), "basic"))
    assert by_file["distribution"] == by_name["distribution"]
    table = TABLES["classic"]
    exact = chart_of(replace(table, rules=with_fields(table.rules, splits="none"))).played
    difference = by_name["return_per_initial_stake"] - exact.return_per_initial_stake
    assert abs(difference) < 4 * by_name["standard_error"]


def test_the_main_bet_and_each_side_bet_are_simulated_separately() -> None:
    all_bets = simulation("infinite", "--strategy", "mimic", "--threads", "2")
    assert list(all_bets["bets"]) == ["main", "any_pair", "twenty_one_plus_three", "hot_3", "bust_it"]
    assert all_bets["bets"]["main"]["return"] == all_bets["return_per_initial_stake"]
    any_pair = simulation("infinite", "--bet", "any_pair", "--threads", "1", "--strategy", "never_bust")
    assert any_pair["bets"] == {"any_pair": all_bets["bets"]["any_pair"]}
    assert any_pair["rounds"] == ROUNDS == sum(count for _, count in any_pair["distribution"])
    assert [net for net, _ in any_pair["distribution"]] == [-1, 8, 25]
    assert abs(any_pair["return_per_initial_stake"] - 398 / 415) < 4 * any_pair["standard_error"]


def test_every_side_bet_is_printed() -> None:
    options = ("--rounds", "100000", "--seed", "7", "--strategy", "mimic")
    text = run("simulate", "seven_seat", *options).output
    assert all(label in text for label in ("Main bet", "Perfect Pairs", "21+3"))
    main_bet_only = run("simulate", "seven_seat", *options, "--bet", "main").output
    assert "Perfect Pairs" not in main_bet_only


def test_the_fresh_shoe_option_replaces_play_to_the_cut_card() -> None:
    reuse_shoe = simulation("seven_seat", "--strategy", "mimic")
    fresh = simulation("seven_seat", "--strategy", "mimic", "--fresh-shoe")
    assert fresh["rounds"] == ROUNDS <= reuse_shoe["rounds"]
    assert fresh["distribution"] != reuse_shoe["distribution"]


def test_a_cluster_gives_the_result_of_one_machine() -> None:
    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None, silence_logs=50) as cluster:
        clustered = simulation(*GAME, "--cluster", cluster.scheduler_address)
    assert without_times(clustered) == without_times(simulation(*GAME))


def test_an_unavailable_device_is_refused() -> None:
    both = run("simulate", "premium", "--cluster", "tcp://127.0.0.1:1", "--device", "gpu")
    assert (both.exit_code, "choose --cluster or --device gpu" in both.stderr) == (2, True)
    if not cuda.is_available():
        result = run("simulate", "premium", "--device", "gpu")
        assert (result.exit_code, result.stderr.count("\n")) == (2, 1)
        assert "GPU" in result.stderr or "croupier[gpu]" in result.stderr


def test_the_return_is_printed_with_its_standard_error() -> None:
    text = run("simulate", "premium", "--rounds", str(ROUNDS), "--seed", "7", "--strategy", "mimic").output
    assert "5,000,000 rounds" in text
    assert " ± 0.04" in text
    assert "million rounds per CPU-second" in text


@pytest.mark.parametrize(
    ("arguments", "message"),
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
            "'bogus' isn't a scheduler's address; allowed is: tcp://",
        ),
        (("premium", "--cluster", "tcp://10.0.0.5:99999"), "allowed is: tcp://HOST:PORT"),
        (
            ("premium", "--strategy", "{chart}"),
            "chart.txt: line 2: 'X' isn't an action here; allowed are: H, S",
        ),
    ],
)
def test_an_error_is_one_line_with_exit_status_2(
    arguments: tuple[str, ...], message: str, tmp_path: Path
) -> None:
    chart = tmp_path / "chart.txt"
    chart.write_text("dealer A\nhard 12 X\n")
    result = run("simulate", *(argument.format(chart=chart) for argument in arguments))
    assert (result.exit_code, result.stdout, result.stderr.count("\n")) == (2, "", 1)
    assert message in result.stderr


def test_ctrl_c_prints_partial_results() -> None:
    # SIGINT is ignored when the tests run in the background.
    restore = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)"
    program = f"{restore}; from croupier.cli.main import main; main()"
    command = [sys.executable, "-c", program, "simulate", *GAME]
    command += ["--rounds", "100_000_000_000"]
    # With forced colours, Rich shows the progress bar in a pipe too.
    environment = {**os.environ, "FORCE_COLOR": "1"}
    with subprocess.Popen(
        command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stderr is not None
        progress = b""
        while "±".encode() not in progress:
            chunk = os.read(process.stderr.fileno(), 4096)
            assert chunk, progress
            progress += chunk
        process.send_signal(signal.SIGINT)
        printed, _ = process.communicate(timeout=120)
    assert process.returncode == 130
    assert "return per initial stake" in printed.decode()
    assert "Stopped before all rounds were played." in printed.decode()


@pytest.mark.parametrize("options", [(), ("--json",)])
def test_ctrl_c_before_the_first_result_prints_no_estimates(
    options: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(_job: SimulationJob) -> Iterator[ChunkResult]:
        raise KeyboardInterrupt

    monkeypatch.setattr(simulate, "on_threads", lambda _threads: interrupted)
    result = run("simulate", "premium", *options)
    assert result.exit_code == 130
    if not options:
        assert result.stdout == "Stopped before any round was counted: nothing was found.\n"
        return
    output = json.loads(result.stdout)
    assert (output["rounds"], output["complete"], output["distribution"]) == (0, False, [])
    estimates = ("return_per_initial_stake", "return_per_total_stake", "standard_error")
    assert {output[name] for name in (*estimates, "stake_per_round", "standard_deviation")} == {None}
    unknown = dict.fromkeys(("return", "standard_error", "standard_deviation"))
    assert output["bets"] == {"main": {"rounds": 0, **unknown}}


def test_a_report_includes_a_simulation_unless_rounds_is_0(tmp_path: Path) -> None:
    file = tmp_path / "premium.html"
    arguments = ("report", "premium", "--output", str(file))
    assert run(*arguments, *GAME[1:], "--rounds", str(ROUNDS), "--seed", "7").exit_code == 0
    page = file.read_text()
    assert page.count("<svg") == 3
    assert "5,000,000 rounds by the chart below returned 99." in page
    assert run(*arguments, "--rounds", "0").exit_code == 0
    assert "Convergence" not in file.read_text()
    output = json.loads(run("report", "premium", "--json").output)
    assert output["chart"]["return_per_initial_stake"] == pytest.approx(0.995401, abs=1e-6)
    assert sum(chance for _, chance in output["distribution"]) == pytest.approx(1, abs=1e-9)
    result = run("report", "premium", "--rounds", "0", "--output", str(tmp_path / "absent" / "x.html"))
    assert (result.exit_code, "can't be written" in result.stderr) == (2, True)


@pytest.mark.parametrize(
    ("text", "rounds"),
    [("1e5", 100_000), ("0.1M", 100_000), ("100k", 100_000), ("1_000", 1000), ("1,000", 1000)],
)
def test_rounds_may_be_written_in_several_ways(text: str, rounds: int) -> None:
    output = json.loads(run("simulate", "roulette", "--bet", "red", "--rounds", text, "--json").stdout)
    assert output["rounds"] == rounds


@pytest.mark.parametrize("text", ["", "0", "-1", "1.5", "1e-3", "many", "1e", "10MM", "1__", "nan", "inf"])
def test_invalid_numbers_of_rounds_are_refused(text: str) -> None:
    result = run("simulate", "roulette", "--rounds", text)
    assert (result.exit_code, result.stdout, result.stderr.count("\n")) == (2, "", 1)
    assert "--rounds: allowed is: a whole number from 1, such as 1_000_000, 1e9 or 10M" in result.stderr
