"""Simulation on a Dask cluster.

Each task is a self-contained range of chunks, so the task of a lost worker is repeated by another. A chunk's
result doesn't depend on where it is played, so the total is the same as on one machine.
"""

from collections.abc import Iterator
from functools import partial
from urllib.parse import urlsplit

from distributed import Client

from croupier.maths.simulation.simulate import Backend, ChunkResult, SimulationJob, run_chunk

SCHEMES = ("tcp", "tls", "ws", "wss")
"""URL schemes of schedulers."""
TASK_CHUNKS = 16
"""Minimum chunks of a task: some tenths of a second."""
TASKS_MAX = 1000
"""Maximum number of tasks; each carries the transition table, and more don't help."""


def on_cluster(address: str) -> Backend:
    """Return a backend for the cluster with the scheduler at `address`, such as `tcp://10.0.0.5:8786`.

    Workers need the same version of croupier with the extra `maths`. Raises ValueError for a malformed
    address; the backend raises OSError if the scheduler doesn't answer.
    """
    if not _is_address(address):
        raise ValueError(f"{address!r} isn't a scheduler's address; allowed is: tcp://HOST:PORT")
    return partial(_spread, address)


def _is_address(text: str) -> bool:
    try:
        parts = urlsplit(text)
        return bool(parts.scheme in SCHEMES and parts.hostname and parts.port)
    except ValueError:
        return False


def run_chunks(job: SimulationJob, chunks: range) -> list[ChunkResult]:
    """Run the chunks of one task."""
    return [run_chunk(job, chunk) for chunk in chunks]


def _spread(address: str, job: SimulationJob) -> Iterator[ChunkResult]:
    """Yield results in chunk order, so that an interrupted simulation is a prefix of the whole."""
    size = max(TASK_CHUNKS, -(-job.chunks // TASKS_MAX))
    tasks = [range(first, min(first + size, job.chunks)) for first in range(0, job.chunks, size)]
    with Client(address) as client:
        futures = client.map(partial(run_chunks, job), tasks, pure=False)
        try:
            for future in futures:
                yield from future.result()
                future.release()
        finally:
            client.cancel(futures)
