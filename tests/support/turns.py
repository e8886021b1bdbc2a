"""Turns of tests in several processes: many at once, or one alone that needs all processors."""

import fcntl
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def turn(folder: Path, *, alone: bool) -> Iterator[None]:
    """Wait until no test in this folder runs `alone`; then, if this one does, until no other runs.

    Whoever waits holds the gate, so that a test that runs alone doesn't wait for those after it.
    """
    with (folder / "gate").open("w") as gate, (folder / "running").open("w") as running:
        fcntl.flock(gate, fcntl.LOCK_EX)
        fcntl.flock(running, fcntl.LOCK_EX if alone else fcntl.LOCK_SH)
        if not alone:
            fcntl.flock(gate, fcntl.LOCK_UN)
        yield
