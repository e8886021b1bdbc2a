"""Another page is looked at while a live table is open: the bet stands, and the table calls."""

from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.dealt_by_hand import bets_open, night, press, says, shuffled
from tests.browser.player import SLOW_MS
from tests.browser.test_everybody_can_play import check
from tests.browser.test_live_trouble import START_MINOR, balance, bet

pytestmark = pytest.mark.browser


def look_at(page: Page, name: str) -> None:
    """Use the link in the bar above; on a phone it is in a menu."""
    page.evaluate("name => document.querySelector(`header a[href='/${name}']`).click()", name)
    expect(page.get_by_role("heading", level=1)).to_have_text(name.capitalize(), timeout=SLOW_MS)


def test_a_table_stays_open_behind_other_pages(chromium: Browser, tmp_path: Path) -> None:
    with night(chromium, tmp_path, "infinite") as house:
        ann, bob = house.players
        shuffled(house)
        bets_open(ann)
        for page in house.players:
            bet(page, 500)
            look_at(page, "cashier")
            expect(page.get_by_test_id("back-band")).to_contain_text("Infinite Blackjack", timeout=SLOW_MS)
        check(ann, "behind a page")
        house.asked("first card")
        expect(ann.get_by_test_id("in-play")).to_have_text("€5.00")
        house.deals("TS", "9D", "8D", "down")

        # his turn is announced on any page, and the way back leads to the same bet
        look_at(bob, "history")
        for page in house.players:
            expect(page.get_by_test_id("back-band")).to_contain_text("Your turn", timeout=SLOW_MS)
        check(bob, "called from behind")
        for page in house.players:
            page.get_by_test_id("back-to-tables").click()
            says(page, "Your turn")
            press(page, "s")
            expect(page.get_by_test_id("back-band")).to_have_count(0)
        house.asked("turned")
        look_at(ann, "settings")
        house.deals("8C")
        balance(ann, START_MINOR + 500)

        # the lobby leaves no table; the cross there does
        ann.get_by_role("link", name="croupier").click()
        ann.get_by_test_id("leave-infinite").click()
        expect(ann.get_by_test_id("back-band")).to_have_count(0)
        expect(bob.get_by_test_id("players")).to_contain_text("1", timeout=SLOW_MS)
