"""Every game with eight bets, from a small phone to a desktop: nothing overflows, all controls can be hit."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.coup_player import CoupPlayer, click
from tests.browser.partly import partly
from tests.browser.player import Player
from tests.browser.screens import DESKTOP, FEW, PHONES, SIZES, assert_layout, resize
from tests.browser.test_everybody_can_play import TABLES, check
from tests.dealing.own.test_coups import OWN

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
CLICK_SOME = """
([bets, count]) => {
  const all = [...document.querySelectorAll(bets)];
  const every = Math.floor(all.length / count);
  for (let place = 0; place < count; place++) all[place * every].click();
}
"""
"""Click as `bet_on` does, at once: only the bets matter."""
NUMBERS_IN_VIEW = """
() => [...document.querySelectorAll('[data-testid^=bet-straight_]')].filter((number) => {
  const { left, right, top, bottom } = number.getBoundingClientRect();
  const hit = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
  return number.contains(hit) && left >= 0 && right <= innerWidth && top >= 0 && bottom <= innerHeight;
}).length
"""


def bet_on(page: Page, count: int) -> None:
    """Place one chip on each of so many bets, spread over the layout."""
    page.locator("[data-testid^='chip-']").first.click()
    bets = page.locator(BETS)
    every = max(1, bets.count() // count)
    for place in range(0, bets.count(), every)[:count]:
        click(bets.nth(place))


def dealt(page: Page) -> None:
    page.set_viewport_size(DESKTOP)
    page.get_by_test_id("deal").click()
    page.locator("[data-phase='playing'], [data-phase='ended']").wait_for()


@pytest.mark.parametrize("table", partly([(table,) for table in OWN], NOW))
def test_a_coup_of_eight_bets_fits_every_screen(kept: Page, table: str) -> None:
    CoupPlayer(kept, seed=7).sit(table)
    bet_on(kept, EIGHT)
    assert_layout(kept, "betting", (*SIZES[1:], SIZES[0]))
    check(kept, "betting")
    if table == "roulette":
        all_numbers_are_in_view_on_a_phone(kept)
    dealt(kept)
    expect(kept.get_by_test_id("result")).to_be_visible()
    if table == "roulette":
        a_tablet_shows_all_lines_at_once(kept)
    assert_layout(kept, "result", FEW)
    check(kept, "result")
    open_and_close_a_panel(kept)
    kept.set_viewport_size(DESKTOP)
    kept.get_by_test_id("new-bet").click()
    if table == "roulette":
        twenty_five_bets_make_the_page_no_taller(kept)
    if table == "sic_bo":
        the_odds_of_a_total_stand_above_its_chip(kept)


def all_numbers_are_in_view_on_a_phone(page: Page) -> None:
    for size in ((390, 844), (360, 640)):
        resize(page, size)
        assert page.evaluate(NUMBERS_IN_VIEW) == 37, size


def a_tablet_shows_all_lines_at_once(page: Page) -> None:
    lines = page.get_by_test_id("result-lines")
    expect(lines.get_by_role("listitem")).to_have_count(EIGHT)
    resize(page, TABLET)
    assert lines.evaluate(HIDDEN_PX) == [0, 0]


def open_and_close_a_panel(page: Page) -> None:
    """Check that a phone's page is unchanged after a panel over it is closed."""
    resize(page, PHONES[1])
    page.get_by_test_id("table-menu").click()
    page.get_by_test_id("menu-limits").click()
    expect(page.get_by_role("dialog")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_be_hidden()
    assert_layout(page, "a panel was closed", PHONES[1:])


def twenty_five_bets_make_the_page_no_taller(page: Page) -> None:
    page.locator("[data-testid^='chip-']").first.click()
    page.evaluate(CLICK_SOME, [BETS, MANY])
    dealt(page)
    expect(page.get_by_test_id("result-lines").get_by_role("listitem")).to_have_count(MANY)
    assert_layout(page, "result", FEW)


def the_odds_of_a_total_stand_above_its_chip(page: Page) -> None:
    for size in (TABLET, (1280, 800)):
        resize(page, size)
        cell = page.get_by_test_id("bet-total_5")
        cell.click()
        assert cell.evaluate(UNDER_THE_CHIP_PX) <= 0, size


@pytest.mark.parametrize("table", partly([(table,) for table in TABLES], ["multihand"]))
def test_a_round_in_every_box_fits_every_screen(kept: Page, table: str) -> None:
    player = Player(kept, seed=3)
    player.sit(table)
    for spot in kept.locator("[data-testid^='spot-']").all():
        spot.click()
    assert_layout(kept, "betting")
    dealt(kept)
    if player.wait_for_turn():
        assert_layout(kept, "decision", FEW)
    kept.set_viewport_size(DESKTOP)
    while player.wait_for_turn():
        player.decide("mouse")
    assert_layout(kept, "result", FEW)
