"""A simulation on a cluster, even if a worker is killed, gives the result of one machine."""

import os
import signal
from collections.abc import Iterator

import pytest
from distributed import Client, LocalCluster

from croupier.games import published_tables
from croupier.maths.simulation.cluster import TASK_CHUNKS, on_cluster
from croupier.maths.simulation.simulate import (
    CHUNK_ROUNDS,
    Result,
    SimulationJob,
    on_threads,
    prepare,
    simulate,
)

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning:distributed", "ignore::ResourceWarning")


@pytest.fixture(scope="module")
def job() -> SimulationJob:
    table = published_tables()["premium"]
    assert table.game.model
    strategy = table.game.model.strategies["never_bust"](table.rules)
    return prepare(table.game, table.rules, strategy, rounds=6 * TASK_CHUNKS * CHUNK_ROUNDS + 77, seed=5)


@pytest.fixture
def cluster() -> Iterator[LocalCluster]:
    with LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None, host="127.0.0.1"
    ) as cluster:
        yield cluster


def worker_processes(cluster: LocalCluster) -> dict[str, int]:
    with Client(cluster.scheduler_address) as client:
        pids: dict[str, int] = client.run(os.getpid)
    return pids


def test_a_lost_worker_changes_nothing(cluster: LocalCluster, job: SimulationJob) -> None:
    workers = worker_processes(cluster)
    results: list[Result] = []

    def kill_one(result: Result) -> None:
        if not results:
            os.kill(next(iter(workers.values())), signal.SIGKILL)
        results.append(result)

    clustered = simulate(job, on_cluster(cluster.scheduler_address), kill_one)
    assert clustered.complete
    assert len(results) == job.chunks
    assert worker_processes(cluster) != workers
    assert clustered.estimate == simulate(job, on_threads(2)).estimate
    assert clustered.estimate.rounds == job.rounds
