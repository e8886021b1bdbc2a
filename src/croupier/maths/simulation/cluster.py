"""Plays a simulation's chunks on a Dask cluster.

Each task is some chunks, with all that they need, so that a task whose worker is lost is simply done
again by another. A chunk counts the same wherever it is played: so the result is that of one machine.
"""

from collections.abc import Iterator
from functools import partial
from urllib.parse import urlsplit

from distributed import Client

from croupier.maths.simulation.simulate import Backend, ChunkResult, SimulationJob, run_chunk

SCHEMES = ("tcp", "tls", "ws", "wss")
"""How a scheduler can be spoken to."""
TASK_CHUNKS = 16
"""Chunks of a task at least: some tenths of a second."""
TASKS_MAX = 1000
"""More tasks than these make no cluster faster, but each carries the table."""


def on_cluster(address: str) -> Backend:
    """Plays on the cluster whose scheduler is at `address`, such as `tcp://10.0.0.5:8786`.

    Its workers need croupier with the extra `maths`, of the same version. ValueError when that is no address;
    the player: OSError when nobody answers.
    """
    if not _is_address(address):
        raise ValueError(f"{address!r} is no scheduler's address; allowed is: tcp://HOST:PORT")
    return partial(_spread, address)


def _is_address(text: str) -> bool:
    try:
        parts = urlsplit(text)
        return bool(parts.scheme in SCHEMES and parts.hostname and parts.port)
    except ValueError:
        return False


def run_chunks(job: SimulationJob, chunks: range) -> list[ChunkResult]:
    """What one task does."""
    return [run_chunk(job, chunk) for chunk in chunks]


def _spread(address: str, job: SimulationJob) -> Iterator[ChunkResult]:
    """In the chunks' order, which keeps what was counted before Ctrl-C a beginning of the whole."""
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
