"""Every game with eight bets, from a small phone to a desktop: nothing overflows, all controls can be hit."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import opened
from tests.browser.coup_player import CoupPlayer, click
from tests.browser.partly import partly
from tests.browser.player import Player
from tests.browser.screens import DESKTOP, FEW, PHONES, SIZES, assert_layout, resize
from tests.browser.test_everybody_can_play import TABLES, check
from tests.dealing.own.test_coups import OWN
from tests.support.server_process import ServerProcess

pytestmark = pytest.mark.browser(long=True)

BETS = "[data-testid^='bet-'][data-spot]"
EIGHT = 8
NOW = ("baccarat", "roulette", "sic_bo")
"""One table of each layout; the campaign takes the others."""
MANY = 25
TABLET = (768, 1024)
HIDDEN_PX = "list => [list.scrollWidth - list.clientWidth, list.scrollHeight - list.clientHeight]"
UNDER_THE_CHIP_PX = """
cell => cell.querySelector('small').getBoundingClientRect().bottom
  - cell.querySelector('.lies').getBoundingClientRect().top
"""
NUMBERS_IN_VIEW = """
() => [...document.querySelectorAll('[data-testid^=bet-straight_]')].filter((number) => {
  const { left, right, top, bottom } = number.getBoundingClientRect();
  const hit = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
  return number.contains(hit) && left >= 0 && right <= innerWidth && top >= 0 && bottom <= innerHeight;
}).length
"""


@pytest.fixture(scope="module")
def screen(chromium: Browser, server: ServerProcess) -> Iterator[Page]:
    """Open one page for all tests, which resize it."""
    with opened(chromium, server, **DESKTOP) as page:
        yield page


def bet_on(page: Page, count: int) -> None:
    """Place one chip on each of so many bets, spread over the layout."""
    page.locator("[data-testid^='chip-']").first.click()
    bets = page.locator(BETS)
    every = max(1, bets.count() // count)
    for place in range(0, bets.count(), every)[:count]:
        click(bets.nth(place))


def coup_of(page: Page, table: str, bets: int) -> None:
    CoupPlayer(page, seed=7).sit(table)
    bet_on(page, bets)


def dealt(page: Page) -> None:
    page.set_viewport_size(DESKTOP)
    page.get_by_test_id("deal").click()
    page.locator("[data-phase='playing'], [data-phase='ended']").wait_for()


def check_screens(page: Page, where: str, sizes: tuple[tuple[int, int], ...]) -> None:
    """Check the layout at each size, and with axe at the last one."""
    assert_layout(page, where, sizes)
    check(page, where)


@pytest.mark.parametrize("table", partly([(table,) for table in OWN], NOW))
def test_a_coup_of_eight_bets_fits_every_screen(screen: Page, table: str) -> None:
    coup_of(screen, table, EIGHT)
    check_screens(screen, "betting", (*SIZES[1:], SIZES[0]))
    dealt(screen)
    expect(screen.get_by_test_id("result")).to_be_visible()
    check_screens(screen, "result", FEW)
    open_and_close_a_panel(screen)


def open_and_close_a_panel(page: Page) -> None:
    """Check that a phone's page is unchanged after a panel over it is closed."""
    resize(page, PHONES[1])
    page.get_by_test_id("table-menu").click()
    page.get_by_test_id("menu-limits").click()
    expect(page.get_by_role("dialog")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_be_hidden()
    assert_layout(page, "a panel was closed", PHONES[1:])


@pytest.mark.parametrize("table", partly([(table,) for table in TABLES], ["multihand"]))
def test_a_round_in_every_box_fits_every_screen(screen: Page, table: str) -> None:
    player = Player(screen, seed=3)
    player.sit(table)
    for spot in screen.locator("[data-testid^='spot-']").all():
        spot.click()
    assert_layout(screen, "betting")
    dealt(screen)
    if player.wait_for_turn():
        assert_layout(screen, "decision", FEW)
    screen.set_viewport_size(DESKTOP)
    while player.wait_for_turn():
        player.decide("mouse")
    assert_layout(screen, "result", FEW)


def test_twenty_five_bets_make_the_page_no_taller(screen: Page) -> None:
    coup_of(screen, "roulette", MANY)
    dealt(screen)
    expect(screen.get_by_test_id("result-lines").get_by_role("listitem")).to_have_count(MANY)
    assert_layout(screen, "result", FEW)


def test_a_tablet_shows_the_lines_of_eight_bets_at_once(screen: Page) -> None:
    coup_of(screen, "american_roulette", EIGHT)
    dealt(screen)
    lines = screen.get_by_test_id("result-lines")
    expect(lines.get_by_role("listitem")).to_have_count(EIGHT)
    resize(screen, TABLET)
    assert lines.evaluate(HIDDEN_PX) == [0, 0]
    assert_layout(screen, "result", (TABLET,))


def test_the_odds_of_a_total_stand_above_its_chip(screen: Page) -> None:
    CoupPlayer(screen, seed=7).sit("sic_bo")
    for size in (TABLET, (1280, 800)):
        resize(screen, size)
        cell = screen.get_by_test_id("bet-total_5")
        cell.click()
        assert cell.evaluate(UNDER_THE_CHIP_PX) <= 0, size


def test_all_numbers_are_in_view_on_a_phone(screen: Page) -> None:
    coup_of(screen, "roulette", EIGHT)
    for size in ((390, 844), (360, 640)):
        resize(screen, size)
        assert screen.evaluate(NUMBERS_IN_VIEW) == 37, size
