"""Running the bench's commands in the process of the tests."""

import resource
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from tests.support import preloaded


@contextmanager
def bench_here() -> Iterator[pytest.MonkeyPatch]:
    """Let the bench start servers quickly, and restore the limit on open files, which it raises."""
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    try:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(subprocess, "Popen", preloaded.Popen)
            yield patch
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, before)
