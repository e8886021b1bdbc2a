"""A coup of one's own is told once it has been seen: not by the balance, and not by the words."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from croupier.ledger.sqlite import SqliteBooks
from tests.browser.conftest import books_of, player_of
from tests.browser.coup_player import CoupPlayer, lay
from tests.browser.player import SLOW_MS
from tests.server.house_process import HouseProcess

pytestmark = pytest.mark.browser
STAKE = 1_000
"""A chip of the lowest denomination on each of two bets."""


@pytest.fixture
def moving(chromium: Browser, house: HouseProcess) -> Iterator[Page]:
    """A player who wants motion."""
    context = chromium.new_context(base_url=house.address, reduced_motion="no-preference")
    yield context.new_page()
    context.close()


def dealt(page: Page) -> CoupPlayer:
    player = CoupPlayer(page, seed=1)
    player.sit("roulette")
    lay(page, "red", "straight_17")
    page.get_by_test_id("deal").click()
    expect(page.get_by_test_id("skip")).to_be_visible(timeout=SLOW_MS)
    return player


def cash(page: Page, house: HouseProcess) -> int:
    books = SqliteBooks(books_of(house))
    me = player_of(page)
    found = books.balances(me)["GC"]["cash"]
    books.close()
    return found


def test_nothing_tells_it_before_it_is_seen(moving: Page, house: HouseProcess) -> None:
    player = dealt(moving)
    assert player.phase == "playing"
    assert player.in_play_minor == STAKE
    assert moving.get_by_test_id("result").count() == 0
    expect(moving.get_by_test_id("polite")).not_to_contain_text("Staked")
    assert moving.locator("[data-won]").count() == 0
    expect(moving.get_by_test_id("result")).to_be_visible(timeout=SLOW_MS)
    assert (player.balance_minor, player.in_play_minor) == (cash(moving, house), 0)


def test_who_doesnt_want_to_see_it_presses_enter(moving: Page, house: HouseProcess) -> None:
    player = dealt(moving)
    moving.locator("[data-table-root]").focus()
    moving.keyboard.press("Enter")
    expect(moving.get_by_test_id("result")).to_be_visible(timeout=500)
    assert player.balance_minor == cash(moving, house)
