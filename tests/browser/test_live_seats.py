"""Two browsers at Seven-seat Blackjack: seats are taken and left, hands play in turn, also ahead of it."""

from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.browser.dealt_by_hand import (
    DealtTable,
    confirm_shuffles,
    dealt_table,
    expect_accepted_bet,
    expect_status,
    press,
    wait_for_open_bets,
)
from tests.browser.player import SLOW_MS
from tests.browser.test_everybody_can_play import check

pytestmark = pytest.mark.browser


def sit(page: Page, seat: int) -> None:
    page.get_by_test_id(f"sit-{seat}").click()
    expect(page.locator("[data-own='true']")).to_be_visible(timeout=SLOW_MS)


def bet(page: Page, seat: int) -> None:
    page.get_by_test_id(f"spot-{seat}-main").click()
    expect_accepted_bet(page)


def seat_players(server: DealtTable) -> None:
    """Bob on the first seat, Ann on the third, each with five on the main bet."""
    confirm_shuffles(server)
    wait_for_open_bets(server.ann)
    sit(server.ann, 2)
    sit(server.bob, 0)
    bet(server.ann, 2)
    bet(server.bob, 0)


def hand(page: Page, seat: int) -> Locator:
    return page.get_by_test_id(f"total-{seat}-0")


def test_hands_play_in_turn_and_one_may_decide_ahead(chromium: Browser, tmp_path: Path) -> None:
    with dealt_table(chromium, tmp_path, "seven_seat") as server:
        ann, bob = server.players
        seat_players(server)
        check(ann, "seated")
        check(bob, "seated")
        server.expect_request("first card")
        # Bob 16, Ann 11, the dealer shows 6
        server.deal("TS", "6H", "6D", "6C", "5H", "down")

        # each sees the other's cards, and whose turn it is
        expect_status(bob, "Your turn")
        expect(hand(ann, 0)).to_have_text("16", timeout=SLOW_MS)
        expect(hand(bob, 2)).to_have_text("11")
        expect(ann.get_by_role("group", name="Decide in advance")).to_be_visible()
        check(ann, "ahead")
        check(bob, "in turn")
        press(ann, "h")
        expect(ann.get_by_test_id("action-hit")).to_have_attribute("aria-pressed", "true", timeout=SLOW_MS)

        # Bob stands; Ann's decision in advance counts at once, then she decides
        press(bob, "s")
        server.expect_request("third card")
        server.deal("9C")
        expect_status(ann, "Your turn")
        expect(hand(ann, 2)).to_have_text("20")
        press(ann, "s")
        server.deal("TH", "8H")
        for page in server.players:
            expect(page.get_by_test_id("result")).to_have_attribute("data-net", "500", timeout=2 * SLOW_MS)
            check(page, "result")


def test_a_seat_belongs_to_one_player_until_they_leave_it(chromium: Browser, tmp_path: Path) -> None:
    with dealt_table(chromium, tmp_path, "seven_seat") as server:
        ann, bob = server.players
        sit(ann, 2)
        expect(bob.get_by_test_id("sit-2")).to_have_count(0, timeout=SLOW_MS)
        # Ann can't take a second one
        ann.get_by_test_id("sit-4").click()
        expect(ann.get_by_test_id("message")).to_have_text("You already have a seat.", timeout=SLOW_MS)
        ann.get_by_test_id("stand-up-2").click()
        bob.get_by_test_id("sit-2").click()
        expect(ann.get_by_test_id("sit-2")).to_have_count(0, timeout=SLOW_MS)
        expect(ann.get_by_test_id("sit-4")).to_be_visible()
