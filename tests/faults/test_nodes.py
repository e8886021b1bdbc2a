"""The node that runs live tables is killed or frozen: another takes them over, and no money is lost."""

from itertools import product
from pathlib import Path

import pytest

from tests.faults.failures import FAULTS, FailureCounts, Plan
from tests.faults.nodes import TAKEN_OVER_S, run_trial, running_cluster
from tests.support.nats_server import needs_nats

DELAYS_S = {"betting": 0.1, "settlement": 0.05}
"""The delays of failures after the phases of the first table; other tables are in the other phases."""
COPIES = 9
"""Tables beside the first. `python -m tests.faults.nodes --trials 500` has 19, and fails 10,000."""


@pytest.mark.anyio
@needs_nats
async def test_no_money_is_lost_when_owners_fail_in_any_phase(tmp_path: Path) -> None:
    trials, counts = list(product(DELAYS_S, FAULTS)), FailureCounts()
    with running_cluster(tmp_path, copies=COPIES) as cluster:
        for phase, fault in trials:
            trial = await run_trial(cluster, Plan(fault, phase, DELAYS_S[phase]))
            counts.record(trial)
            assert trial.took_s < TAKEN_OVER_S
        cluster.stop()
        print(counts)
        assert all(counts[fault, "settlement"] for fault in FAULTS), counts
        assert "No errors" in cluster.verify()
