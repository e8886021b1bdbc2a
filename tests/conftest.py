"""Settings of all tests: Hypothesis profiles, the event loop, and skipping without a Chromium."""

import gc
import os
import sys
from collections.abc import Iterator

import pytest
from hypothesis import settings

from tests.support import loop_guard, new_databases
from tests.support.chromium import PACKAGE, find_chromium
from tests.support.ending import end_with_parent

pytest_plugins = [
    "tests.support.work",  # first: the others import it
    "tests.support.servers",
    "tests.support.postgresql",
    "tests.support.manual_servers",
    "tests.support.mailing",
    "tests.support.paying",
]

CI = bool(os.environ.get("CI"))
NO_CHROMIUM = f"Debian's {PACKAGE} is not installed"
EXAMPLES = 30
"""Examples of a property where the test doesn't say; `make campaign` tries a hundred times as many."""
SKIPPED = pytest.StashKey[int]()

os.environ.pop("COLUMNS", None)
"""pytest-xdist sets the terminal's width in its workers, and consoles created there would use it."""

new_databases.install()
loop_guard.install()

gc.set_threshold(50_000, 10, 10)
"""Fewer collections: they take a twelfth of the time of tests that make many objects."""

settings.register_profile("local", deadline=None, max_examples=EXAMPLES)
settings.register_profile("ci", settings.get_profile("local"), derandomize=True)
settings.register_profile("campaign", settings.get_profile("local"), max_examples=100 * EXAMPLES)
settings.load_profile("ci" if CI else "local")


@pytest.hookimpl(trylast=True)
def pytest_configure(config: pytest.Config) -> None:
    """Let a worker process end with its parent."""
    if hasattr(config, "workerinput"):
        end_with_parent()


@pytest.fixture
def anyio_backend() -> tuple[str, dict[str, bool]]:
    """Run tests on the server's event loop: another could hide defects that only this one shows."""
    return "asyncio", {"use_uvloop": sys.platform != "win32"}


@pytest.fixture(autouse=True, scope="module")
def interpreter_variables() -> Iterator[None]:
    """Remove the variables that a module's tests leave: distributed sets PYTHONHASHSEED.

    Processes started with other variables of the interpreter aren't forked, see `tests.support.preloaded`.
    """
    before = set(os.environ)
    yield
    for name in set(os.environ) - before:
        if name.startswith("PYTHON"):
            del os.environ[name]


@pytest.fixture(autouse=True, scope="module")
def garbage_collection() -> Iterator[None]:
    """Collect again after a module that runs what never does, as the bench's clients and a server's program.

    Without collections, one worker has taken 3.5 GB by the end of the run.
    """
    yield
    if not gc.isenabled():
        gc.unfreeze()
        gc.enable()


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Skip the browser tests without a Chromium, except in CI, where they fail.

    They run last: their driver leaves an event loop running in this thread, which others can't share. Those
    that take longest run first, so that no worker is busy long after the others, and those that run alone
    when most workers have ended.
    """
    items.sort(key=_place)
    if CI or find_chromium():
        return
    for item in filter(_needs_browser, items):
        item.add_marker(pytest.mark.skip(reason=NO_CHROMIUM))


def _place(item: pytest.Item) -> tuple[bool, bool, bool]:
    """Return the sort key of a test."""
    browser = item.get_closest_marker("browser")
    if browser is None:
        return False, False, False
    return True, browser.kwargs.get("alone", False), not browser.kwargs.get("long")


def _needs_browser(item: pytest.Item) -> bool:
    return item.get_closest_marker("browser") is not None


@pytest.hookimpl(trylast=True)
def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """Count the skipped browser tests of all worker processes."""
    skipped = terminalreporter.stats.get("skipped", [])
    config.stash[SKIPPED] = sum(NO_CHROMIUM in str(report.longrepr) for report in skipped)


def pytest_unconfigure(config: pytest.Config) -> None:
    """Print the number of skipped browser tests as the very last line."""
    if skipped := config.stash.get(SKIPPED, 0):
        print(f"{skipped} browser tests were SKIPPED: {NO_CHROMIUM} (apt-get install {PACKAGE})")
