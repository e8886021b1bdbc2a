"""Text of twice the size on a small phone: everything is reached by scrolling down, nothing sideways."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import launched, opened
from tests.browser.player import SLOW_MS
from tests.browser.test_everybody_can_play import overflowing
from tests.server.house_process import HouseProcess

pytestmark = pytest.mark.browser

PAGES = (
    "/",
    "/history",
    "/cashier",
    "/care",
    "/settings",
    "/learn",
    "/table/classic",
    "/table/infinite+classic",
)
NORMAL_PX = 16


@pytest.fixture
def large(chromium: Browser, house: HouseProcess) -> Iterator[Page]:
    """A browser whose user has set its text to twice the usual size."""
    doubled = f"--blink-settings=defaultFontSize={2 * NORMAL_PX}"
    browser = launched(chromium.browser_type, doubled)
    yield from opened(browser, house, width=390, height=844)
    browser.close()


def test_text_of_twice_the_size(large: Page) -> None:
    for path in PAGES:
        large.goto(path)
        expect(large.get_by_test_id("balance")).to_be_visible(timeout=SLOW_MS)
        large.wait_for_load_state("networkidle")
        size = large.evaluate("parseFloat(getComputedStyle(document.documentElement).fontSize)")
        assert (path, size, max(0, overflowing(large))) == (path, 2 * NORMAL_PX, 0)
