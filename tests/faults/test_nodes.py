"""The node that runs live tables is killed or frozen: another takes them over, and no money is lost."""

from itertools import product
from pathlib import Path

import pytest

from tests.faults.failures import FAULTS, Plan
from tests.faults.nodes import TAKEN_OVER_S, run_trial, running_cluster
from tests.support.nats_server import needs_nats

PHASES = ("betting", "dealing", "decisions", "settlement", "pause")
FAILURES = 200
"""Owners of tables that fail, in all; `python -m tests.faults.nodes --trials 500` lets 10,000 fail."""


@pytest.mark.anyio
@needs_nats
async def test_no_money_is_lost_when_owners_fail_in_any_phase(tmp_path: Path) -> None:
    trials = list(product(PHASES, FAULTS))
    copies = FAILURES // len(trials) - 1
    with running_cluster(tmp_path, copies=copies) as cluster:
        for phase, fault in trials:
            trial = await run_trial(cluster, Plan(fault, phase, 0.1))
            assert trial.took_s < TAKEN_OVER_S
        cluster.stop()
        assert "No errors" in cluster.verify()
