"""A pytest plugin that measures what each test runs, or runs chosen tests in a given order.

A copy of it lies beside the copied sources, so that it works with the tests of any checkout.
"""

import functools
import json
import os
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import coverage
import pytest

MEASURED = os.environ.get("MUTATION_MEASURED")
"""The file for what was measured; unset to run the chosen tests."""
CHOSEN = os.environ.get("MUTATION_CHOSEN", "")
"""A file with the names of tests, first to run first."""
KILLER = os.environ.get("MUTATION_KILLER", "")
"""The file for the name of the first test that fails."""

_seconds: dict[str, float] = {}
_failed: list[str] = []
_coverage = coverage.Coverage(
    data_file=None, include=[str(Path(__file__).parent / "croupier" / "*")], config_file=False
)
if MEASURED:
    _coverage.start()


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    if not MEASURED:
        places = {name: place for place, name in enumerate(json.loads(Path(CHOSEN).read_text()))}
        items[:] = sorted(
            (item for item in items if item.nodeid in places), key=lambda item: places[item.nodeid]
        )


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    if not MEASURED:
        return (yield)
    _clear_caches()
    _coverage.switch_context(item.nodeid)
    started = time.process_time()
    try:
        return (yield)
    finally:
        _seconds[item.nodeid] = time.process_time() - started


def _clear_caches() -> None:
    """Let each test run what a cached function does, not only the first that calls it."""
    names = [name for name in sys.modules if name.startswith("croupier.games.")]
    for name in names:
        for value in list(vars(sys.modules[name]).values()):
            if isinstance(value, functools._lru_cache_wrapper):
                value.cache_clear()


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    if report.failed:
        _fail(report.nodeid)


def pytest_collectreport(report: pytest.CollectReport) -> None:
    if report.failed:
        _fail(f"import of {report.nodeid}")


def _fail(name: str) -> None:
    if not _failed and KILLER:
        Path(KILLER).write_text(name)
    _failed.append(name)


def pytest_unconfigure() -> None:
    """Write the processor time of each test that passed, and the tests that ran each line of each file."""
    if not MEASURED:
        return
    _coverage.stop()
    data = _coverage.get_data()
    root = Path(__file__).parent
    seconds = {name: spent for name, spent in _seconds.items() if name not in _failed}
    lines = {
        Path(file).relative_to(root).as_posix(): {
            str(line): [name for name in contexts if name in seconds]
            for line, contexts in data.contexts_by_lineno(file).items()
        }
        for file in data.measured_files()
    }
    Path(MEASURED).write_text(json.dumps({"seconds": seconds, "lines": lines, "failed": _failed}))
