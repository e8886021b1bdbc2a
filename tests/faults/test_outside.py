"""Systems outside that lose, delay, repeat, contradict or hold a call: a sample of the campaign's cases."""

from pathlib import Path

import pytest

from tests.faults.outside.calls import CALLS
from tests.faults.outside.campaign import cases, report, run_cases, sampled
from tests.faults.outside.link import FAULTS

SAMPLE = 8


@pytest.mark.anyio
async def test_everybody_is_told_others_play_on_and_the_money_is_exact(tmp_path: Path) -> None:
    results = await run_cases(tmp_path, sampled(cases(), SAMPLE, seed=38))
    assert not any(isinstance(result, str) for _, result in results), report(results)


def test_the_campaign_has_each_call_with_each_fault_and_a_sample_has_each_system() -> None:
    every = cases()
    assert {(case.system, case.path, case.fault) for case in every} == {
        (*call, fault) for call in CALLS for fault in FAULTS
    }
    assert {case.system for case in sampled(every, SAMPLE, 1)} == {system for system, _ in CALLS}
