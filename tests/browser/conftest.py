"""A real server, with Debian's Chromium in front of it."""

import tempfile
from collections.abc import Generator, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserType, Page, sync_playwright

from tests.browser import pictures
from tests.support.server_process import HouseProcess

CHROMIUM = "/usr/bin/chromium"
_POPUPS = ("WebUIOmniboxPopup", "WebUIOmniboxAimPopup")
"""Two pages that each window loads for its address bar; they take a third of a test's time."""
_DRIVERS = ("AvoidUnnecessaryBeforeUnloadCheckSync", "DestroyProfileOnBrowserClose", "PaintHolding")
"""Features of page display that the driver disables: only the last list given counts."""
_ARGS = ("--no-sandbox", f"--disable-features={','.join((*_POPUPS, *_DRIVERS))}")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """A browser waits for a busy machine: what fails is played once more, and the run counts it as "rerun".

    Each of these is a fault to look for, in the page or in its test. The campaign plays once.
    """
    for item in items:
        if item.get_closest_marker("browser") and not item.get_closest_marker("campaign"):
            item.add_marker(pytest.mark.flaky(reruns=1))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Function, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Name the pictures of a failing test's pages while its fixtures are still open."""
    report = yield
    if report.failed and report.when == "call":
        folder = Path(tempfile.mkdtemp(prefix="croupier-pictures-"))
        browsers = [one for one in item.funcargs.values() if isinstance(one, Browser)]
        lines = [line for browser in browsers for line in pictures.taken(browser, folder)]
        report.sections.append(("pages", "\n".join(lines)))
    return report


@pytest.fixture(scope="package")
def chromium() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = launched(playwright.chromium)
        yield browser
        browser.close()


def launched(kind: BrowserType, *args: str) -> Browser:
    """Debian's Chromium, without what no test looks at."""
    return kind.launch(executable_path=CHROMIUM, args=[*_ARGS, *args])


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[HouseProcess]:
    process = HouseProcess(tmp_path_factory.mktemp("house") / "data").start()
    yield process
    process.stop()


@pytest.fixture
def page(chromium: Browser, house: HouseProcess) -> Iterator[Page]:
    """A new guest on a desktop; any page error fails the test."""
    yield from opened(chromium, house, width=1280, height=800)


def opened(chromium: Browser, house: HouseProcess, *, width: int, height: int) -> Iterator[Page]:
    context = chromium.new_context(
        viewport={"width": width, "height": height}, reduced_motion="reduce", base_url=house.address
    )
    page = context.new_page()
    complaints: list[str] = []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    yield page
    context.close()
    assert not complaints


def books_of(house: HouseProcess) -> Path:
    return house.data / "croupier.db"


def player_of(page: Page) -> str:
    """Return the page's player. If the server has just closed an idle connection, retry, as browsers do."""
    return str(page.request.get("/api/me", max_retries=2).json()["player"])
