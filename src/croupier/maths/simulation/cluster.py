"""Plays a simulation's chunks on a Dask cluster.

Each task is some chunks, with all that they need, so that a task whose worker is lost is simply done
again by another. A chunk counts the same wherever it is played: so the result is that of one machine.
"""

from collections.abc import Iterator
from functools import partial
from urllib.parse import urlsplit

from distributed import Client

from croupier.maths.simulation.simulate import Job, Player, Timed, play

SCHEMES = ("tcp", "tls", "ws", "wss")
"""How a scheduler can be spoken to."""
TASK_CHUNKS = 16
"""Chunks of a task at least: some tenths of a second."""
TASKS_MAX = 1000
"""More tasks than these make no cluster faster, but each carries the table."""


def on_cluster(address: str) -> Player:
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


def play_chunks(work: Job, chunks: range) -> list[Timed]:
    """What one task does."""
    return [play(work, chunk) for chunk in chunks]


def _spread(address: str, work: Job) -> Iterator[Timed]:
    """In the chunks' order, which keeps what was counted before Ctrl-C a beginning of the whole."""
    size = max(TASK_CHUNKS, -(-work.chunks // TASKS_MAX))
    tasks = [range(first, min(first + size, work.chunks)) for first in range(0, work.chunks, size)]
    with Client(address) as client:
        futures = client.map(partial(play_chunks, work), tasks, pure=False)
        try:
            for future in futures:
                yield from future.result()
                future.release()
        finally:
            client.cancel(futures)
