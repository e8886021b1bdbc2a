"""What measures the figures measures: time, memory, processors, and what failed."""

import subprocess
from itertools import islice

import pytest

from croupier.maths.bench import RATES, Measurement, machine, measurements, run_program, vector_features


def test_a_process_is_timed_and_its_memory_known() -> None:
    held = bytearray(600_000_000)  # what this process has is not the other's
    program = "import time; x = bytearray({}); time.sleep(0.2); print('[1]')"
    small, large = (run_program(program.format(size)) for size in (1, 400_000_000))
    assert small.output == [1]
    assert 0.2 < small.seconds < 20
    assert large.peak_mib > 380
    assert large.peak_mib > small.peak_mib + 300
    assert large.peak_mib < len(held) >> 20


def test_a_process_that_fails_is_no_figure() -> None:
    with pytest.raises(subprocess.CalledProcessError):
        run_program("raise SystemExit(3)")


def test_a_cold_process_has_a_cache_of_its_own() -> None:
    program = "import json, os; print(json.dumps(os.environ.get('CROUPIER_CACHE')))"
    cold, again = run_program(program, cold=True).output, run_program(program, cold=True).output
    assert cold != again
    assert run_program(program).output != cold


def test_least_and_most_are_told_apart() -> None:
    assert Measurement("fast", 301, 300, "a second", most=False).reached
    assert not Measurement("slow", 299, 300, "a second", most=False).reached
    assert Measurement("quick", 0.09, 0.1, "s", most=True).reached
    assert not Measurement("late", 0.11, 0.1, "s", most=True).reached


def test_the_first_figures_are_measured() -> None:
    six, eight = islice(measurements(), 2)
    assert [one.work for one in (six, eight)] == [f"exact analysis, {decks} decks, warm" for decks in (6, 8)]
    assert 0.001 < six.measured < 5
    assert 0.001 < eight.measured < 5


def test_the_machine_is_described() -> None:
    told = machine()
    assert told["processor"]
    assert told["processors"] >= 1
    assert vector_features() in RATES
