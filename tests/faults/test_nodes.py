"""The owner of a live table is frozen: another node takes the table over, and the owner lets go of it."""

from pathlib import Path

import pytest

from tests.faults.nodes import TAKEN_OVER_S, run_trial, running_cluster
from tests.support.nats_server import needs_nats


@pytest.mark.anyio
@needs_nats
@pytest.mark.campaign
async def test_a_frozen_owner_is_replaced_and_no_money_is_lost(tmp_path: Path) -> None:
    with running_cluster(tmp_path) as cluster:
        trial = await run_trial(cluster, "freeze", "decisions", 0.1)
        assert trial.took_s < TAKEN_OVER_S
        cluster.stop()
        assert "No errors" in cluster.verify()
