"""Share the processors among tests in several processes: many at once, or one alone."""

import fcntl
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def share_processors(folder: Path, *, alone: bool) -> Iterator[None]:
    """Wait until no test with its locks in this folder runs `alone`; if this one does, until none runs.

    The first to wait keeps the others waiting, so a test that runs alone isn't overtaken by later ones.
    """
    with (folder / "first").open("w") as first, (folder / "running").open("w") as running:
        fcntl.flock(first, fcntl.LOCK_EX)
        fcntl.flock(running, fcntl.LOCK_EX if alone else fcntl.LOCK_SH)
        if not alone:
            fcntl.flock(first, fcntl.LOCK_UN)
        yield
