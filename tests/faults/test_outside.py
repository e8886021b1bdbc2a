"""Systems outside that lose, delay, repeat, contradict or hold a call: a sample of the campaign's cases."""

import subprocess
import sys

from tests.faults.outside.calls import CALLS
from tests.faults.outside.campaign import cases, sampled
from tests.faults.outside.link import FAULTS

SAMPLE = 8


def test_everybody_is_told_others_play_on_and_the_money_is_exact() -> None:
    command = [sys.executable, "-m", "tests.faults.outside", "--sample", str(SAMPLE), "--seed", "38"]
    done = subprocess.run(command, capture_output=True, check=False, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_campaign_has_each_call_with_each_fault_and_a_sample_has_each_system() -> None:
    every = cases()
    assert {(case.system, case.path, case.fault) for case in every} == {
        (*call, fault) for call in CALLS for fault in FAULTS
    }
    assert {case.system for case in sampled(every, SAMPLE, 1)} == {system for system, _ in CALLS}
