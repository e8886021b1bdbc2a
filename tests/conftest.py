"""What every test stands on: hypothesis's profiles, and a Chromium for those that need one."""

import os
import shutil
import sys

import pytest
from hypothesis import settings

pytest_plugins = ["tests.support.servers"]

CI = bool(os.environ.get("CI"))
WITHOUT_BROWSER = "Debian's chromium is not installed"
SKIPPED = pytest.StashKey[int]()

os.environ.pop("COLUMNS", None)
"""A process beside others is given the terminal's width, and consoles made under it would keep it."""

settings.register_profile("here", deadline=None)
settings.register_profile("ci", deadline=None, derandomize=True)
settings.load_profile("ci" if CI else "here")


@pytest.fixture
def anyio_backend() -> tuple[str, dict[str, bool]]:
    """The event loop that the house runs: another hides what only this one does."""
    return "asyncio", {"use_uvloop": sys.platform != "win32"}


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Without a chromium the browser tests are skipped; where CI relies on them, they are run and fail.

    They come last: their driver leaves an event loop running in this thread, which others can't share.
    """
    items.sort(key=_needs_browser)
    if CI or shutil.which("chromium"):
        return
    for item in filter(_needs_browser, items):
        item.add_marker(pytest.mark.skip(reason=WITHOUT_BROWSER))


def _needs_browser(item: pytest.Item) -> bool:
    return item.get_closest_marker("browser") is not None


@pytest.hookimpl(trylast=True)
def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """Tests may have run in processes of their own: this one counts what they reported."""
    skipped = terminalreporter.stats.get("skipped", [])
    config.stash[SKIPPED] = sum(WITHOUT_BROWSER in str(report.longrepr) for report in skipped)


def pytest_unconfigure(config: pytest.Config) -> None:
    """The very last line says what was not tested."""
    if skipped := config.stash.get(SKIPPED, 0):
        print(f"{skipped} browser tests were SKIPPED: {WITHOUT_BROWSER} (apt-get install chromium)")
