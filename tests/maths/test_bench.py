"""The benchmark of the mathematics: times, memory, the machine and failures."""

import subprocess
from itertools import islice

import pytest

from croupier.maths.bench import RATES, Measurement, machine, measurements, run_program, vector_features


def test_the_time_and_memory_of_a_process_are_measured() -> None:
    held = bytearray(600_000_000)  # the memory of this process isn't counted
    program = "import time; x = bytearray({}); time.sleep(0.2); print('[1]')"
    small, large = (run_program(program.format(size)) for size in (1, 400_000_000))
    assert small.output == [1]
    assert 0.2 < small.seconds < 20
    assert large.peak_mib > 380
    assert large.peak_mib > small.peak_mib + 300
    assert large.peak_mib < len(held) >> 20


def test_a_failed_process_raises_an_error() -> None:
    with pytest.raises(subprocess.CalledProcessError):
        run_program("raise SystemExit(3)")


def test_a_cold_process_has_a_cache_of_its_own() -> None:
    program = "import json, os; print(json.dumps(os.environ.get('CROUPIER_CACHE')))"
    cold, again = run_program(program, cold=True).output, run_program(program, cold=True).output
    assert cold != again
    assert run_program(program).output != cold


def test_targets_are_minimums_or_maximums() -> None:
    assert Measurement("fast", 301, 300, "a second", lower_is_better=False).met
    assert not Measurement("slow", 299, 300, "a second", lower_is_better=False).met
    assert Measurement("quick", 0.09, 0.1, "s", lower_is_better=True).met
    assert not Measurement("late", 0.11, 0.1, "s", lower_is_better=True).met


def test_the_first_figures_are_measured() -> None:
    six, eight = islice(measurements(), 2)
    assert [measurement.work for measurement in (six, eight)] == [
        f"exact analysis, {decks} decks, warm" for decks in (6, 8)
    ]
    assert 0.001 < six.measured < 5
    assert 0.001 < eight.measured < 5


def test_the_machine_is_described() -> None:
    description = machine()
    assert description["processor"]
    assert description["processors"] >= 1
    assert vector_features() in RATES
