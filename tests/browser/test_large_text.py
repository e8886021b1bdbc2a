"""Text of twice the size on a small phone: everything is reached by scrolling down, nothing sideways."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import launch, opened
from tests.browser.coup_player import CoupPlayer
from tests.browser.player import SLOW_MS, follow
from tests.browser.screens import resize
from tests.browser.test_everybody_can_play import overflowing
from tests.support.server_process import ServerProcess

pytestmark = pytest.mark.browser

PAGES = (
    "/",
    "/history",
    "/cashier",
    "/safer-play",
    "/settings",
)
LOADED = ("/learn", "/table/classic", "/table/infinite+classic")
"""No link in the bar above leads there."""
COUPS = ("baccarat", "dragon_tiger", "roulette", "sic_bo")
NORMAL_PX = 16
LAID = 4
PHONE = (390, 844)
WIDTHS = ((1280, 800), PHONE)
UNREADABLE = """
() => [...document.querySelectorAll('[data-spot]:has(> .drawn)')].flatMap((spot) => {
  const around = spot.getBoundingClientRect();
  const chip = spot.querySelector('.chip')?.getBoundingClientRect();
  const meets = (a, b) => a.left < b.right - 2 && a.right > b.left + 2
    && a.top < b.bottom - 2 && a.bottom > b.top + 2;
  const out = (print) => print.left < around.left - 2 || print.right > around.right + 2
    || print.top < around.top - 2 || print.bottom > around.bottom + 2;
  return [...spot.querySelectorAll('.title, .odds, .limits, .word, small')].filter((print) => {
    const text = document.createRange();
    text.selectNodeContents(print);
    const box = text.getBoundingClientRect();
    return box.width > 0 && (out(box) || (chip && meets(box, chip)));
  }).map((print) => `${spot.dataset.spot}: ${print.textContent}`);
})
"""
"""Return labels that extend out of their bet or are under its chip."""


@pytest.fixture(scope="module")
def large(chromium: Browser, server: ServerProcess) -> Iterator[Page]:
    """Launch a browser whose text is set to twice the usual size."""
    doubled = f"--blink-settings=defaultFontSize={2 * NORMAL_PX}"
    browser = launch(chromium.browser_type, doubled)
    with opened(browser, server, width=PHONE[0], height=PHONE[1]) as page:
        yield page
    browser.close()


def test_text_of_twice_the_size_overflows_nowhere(large: Page) -> None:
    """The labels of a bet stay within it, too."""
    large.goto(PAGES[0])
    for path in PAGES:
        follow(large, path)
        _nothing_overflows(large, path)
    for table in COUPS:
        _labels_of_bets_stay_within_them(large, table)
    resize(large, PHONE)
    for path in LOADED:
        large.goto(path)
        _nothing_overflows(large, path)


def _nothing_overflows(page: Page, path: str) -> None:
    expect(page.get_by_test_id("balance")).to_be_visible(timeout=SLOW_MS)
    page.wait_for_load_state("networkidle")
    size = page.evaluate("parseFloat(getComputedStyle(document.documentElement).fontSize)")
    assert (path, size, max(0, overflowing(page))) == (path, 2 * NORMAL_PX, 0)


def _labels_of_bets_stay_within_them(page: Page, table: str) -> None:
    CoupPlayer(page, seed=1).move(table)
    page.locator("[data-testid^='chip-']").first.click()
    for bet in page.locator("[data-testid^='bet-'][data-spot]").all()[:LAID]:
        bet.click()
    for width, height in WIDTHS:
        resize(page, (width, height))
        found = (table, width, page.evaluate(UNREADABLE), max(0, overflowing(page)))
        assert found == (table, width, [], 0)
