"""A real server, with Debian's Chromium in front of it."""

import tempfile
from collections.abc import Generator, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
from playwright.sync_api import Browser, BrowserType, Page, Response, sync_playwright

from tests.browser import pictures
from tests.browser.screens import DESKTOP
from tests.support import work
from tests.support.chromium import find_chromium
from tests.support.processors import share_processors
from tests.support.server_process import ServerProcess


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


@pytest.fixture(autouse=True)
def processors(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Let no other browser test run beside one that is marked `alone`: it needs all processors."""
    marker = request.node.get_closest_marker("browser")
    with share_processors(tmp_path_factory.getbasetemp().parent, alone=marker.kwargs.get("alone", False)):
        yield


@pytest.fixture(scope="package")
def chromium() -> Iterator[Browser]:
    with sync_playwright() as playwright, patch.object(Page, "goto", counted_goto):
        browser = launch(playwright.chromium)
        yield browser
        browser.close()


go_to = Page.goto


def counted_goto(page: Page, url: str, **options: Any) -> Response | None:
    work.record("pages")
    return go_to(page, url, **options)


def launch(kind: BrowserType, *args: str) -> Browser:
    """Launch Debian's Chromium with further command line arguments."""
    return kind.launch(executable_path=find_chromium(), args=["--no-sandbox", *args])


@pytest.fixture(scope="package")
def shared_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    process = ServerProcess(tmp_path_factory.mktemp("server") / "data").start()
    yield process
    process.stop()


@pytest.fixture(scope="module")
def server(shared_server: ServerProcess) -> ServerProcess:
    """Return the server that tests share; modules that stop or configure one have their own."""
    return shared_server


@pytest.fixture
def page(chromium: Browser, server: ServerProcess) -> Iterator[Page]:
    """Open a new guest's page on a desktop; any page error fails the test."""
    with opened(chromium, server, width=1280, height=800) as page:
        yield page


@pytest.fixture(scope="module")
def kept_page(chromium: Browser, server: ServerProcess) -> Iterator[Page]:
    with opened(chromium, server, width=DESKTOP["width"], height=DESKTOP["height"]) as page:
        yield page


@pytest.fixture
def kept(kept_page: Page) -> Page:
    """Return the module's page for a new guest: a new page takes twice the processor time.

    It isn't for tests that change the page itself, by routes, scripts, clocks or listeners.
    """
    if kept_page.url != "about:blank":
        kept_page.evaluate("localStorage.clear(), sessionStorage.clear()")
        kept_page.goto("about:blank")
    kept_page.context.clear_cookies()
    kept_page.set_viewport_size(DESKTOP)
    return kept_page


def opened(
    chromium: Browser, server: ServerProcess, *, width: int, height: int, locale: str = "en-US"
) -> AbstractContextManager[Page]:
    return opened_at(chromium, server.address, width=width, height=height, locale=locale)


@contextmanager
def opened_at(
    chromium: Browser, address: str, *, width: int, height: int, locale: str = "en-US", proxy: str = ""
) -> Iterator[Page]:
    """Open a new guest's page at this address, through a proxy if given; any page error fails the test.

    The page of a failing test is closed too: an open table would go on taking processor time.
    """
    context = chromium.new_context(
        viewport={"width": width, "height": height},
        reduced_motion="reduce",
        base_url=address,
        locale=locale,
        ignore_https_errors=True,
        proxy={"server": proxy} if proxy else None,
    )
    page = context.new_page()
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    try:
        yield page
    finally:
        context.close()
    assert not errors


def database_of(server: ServerProcess) -> Path:
    return server.data / "croupier.db"


def player_of(page: Page) -> str:
    """Return the page's player. If the server has just closed an idle connection, retry, as browsers do."""
    return str(page.request.get("/api/me", max_retries=2).json()["player"])
