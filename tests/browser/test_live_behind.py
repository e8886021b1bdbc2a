"""Another page is shown while a live table is open: the bet stands, and the table calls the player."""

from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.dealt_by_hand import (
    confirm_shuffles,
    dealt_table,
    expect_status,
    press,
    wait_for_open_bets,
)
from tests.browser.player import SLOW_MS
from tests.browser.test_everybody_can_play import check
from tests.browser.test_live_trouble import START_MINOR, balance, bet

pytestmark = pytest.mark.browser


def look_at(page: Page, name: str) -> None:
    """Use the link in the bar above; on a phone it is in a menu."""
    page.evaluate("name => document.querySelector(`header a[href='/${name}']`).click()", name)
    expect(page.get_by_role("heading", level=1)).to_have_text(name.capitalize(), timeout=SLOW_MS)


def test_a_table_stays_open_behind_other_pages(chromium: Browser, tmp_path: Path) -> None:
    with dealt_table(chromium, tmp_path, "infinite") as server:
        ann, bob = server.players
        confirm_shuffles(server)
        wait_for_open_bets(ann)
        for page in server.players:
            bet(page, 500)
            look_at(page, "cashier")
            expect(page.get_by_test_id("back-band")).to_contain_text("Infinite Blackjack", timeout=SLOW_MS)
        check(ann, "behind a page")
        server.expect_request("first card")
        expect(ann.get_by_test_id("in-play")).to_have_text("€5.00")
        server.deal("TS", "9D", "8D", "down")

        # the player's turn is announced on any page, and the link back shows the same bet
        look_at(bob, "history")
        for page in server.players:
            expect(page.get_by_test_id("back-band")).to_contain_text("Your turn", timeout=SLOW_MS)
        check(bob, "called from behind")
        for page in server.players:
            page.get_by_test_id("back-to-tables").click()
            expect_status(page, "Your turn")
            press(page, "s")
            expect(page.get_by_test_id("back-band")).to_have_count(0)
        server.expect_request("turned")
        look_at(ann, "settings")
        server.deal("8C")
        balance(ann, START_MINOR + 500)

        # opening the lobby leaves no table; its close button does
        ann.get_by_role("link", name="croupier").click()
        ann.get_by_test_id("leave-infinite").click()
        expect(ann.get_by_test_id("back-band")).to_have_count(0)
        expect(bob.get_by_test_id("players")).to_contain_text("1", timeout=SLOW_MS)
