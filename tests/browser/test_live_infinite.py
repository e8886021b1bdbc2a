"""Two browsers at Infinite Blackjack: one deal, separate decisions, correct money in the ledger."""

from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.dealt_by_hand import (
    DealtTable,
    confirm_shuffles,
    dealt_table,
    expect_accepted_bet,
    expect_status,
    press,
    wait_for_open_bets,
)
from tests.browser.player import SLOW_MS, digits
from tests.browser.screens import FEW, assert_layout
from tests.browser.test_everybody_can_play import check
from tests.browser.test_staff import order

pytestmark = pytest.mark.browser(long=True)

START_MINOR = 100_000


def bet(page: Page, chip: int, *bets: str) -> None:
    page.get_by_test_id(f"chip-{chip}").click()
    for name in bets:
        page.get_by_test_id(f"spot-0-{name}").click()
    expect_accepted_bet(page)


def first_bets(server: DealtTable) -> None:
    """Ann puts five on the main bet and on each side bet; Bob one hundred on the main bet."""
    confirm_shuffles(server)
    wait_for_open_bets(server.ann)
    bet(server.ann, 500, "main", "any_pair", "twenty_one_plus_three", "hot_3", "bust_it")
    bet(server.bob, 10_000, "main")


def balance(page: Page, minor: int) -> None:
    expect(page.get_by_test_id("balance")).to_have_text(f"€{minor / 100:,.2f}", timeout=SLOW_MS)


def result(page: Page, net_minor: int) -> None:
    expect(page.get_by_test_id("result")).to_have_attribute("data-net", str(net_minor), timeout=2 * SLOW_MS)


def test_one_deal_with_separate_decisions(chromium: Browser, tmp_path: Path) -> None:
    with dealt_table(chromium, tmp_path, "infinite") as server:
        ann, bob = server.players
        first_bets(server)
        check(bob, "bet")
        server.expect_request("first card")
        server.deal("8S", "AD", "8D", "down")

        # Ann takes insurance, Bob declines, and the dealer checks
        expect_status(ann, "Insurance?")
        expect(ann.get_by_text("no answer declines")).to_be_visible()
        press(ann, "i")
        expect_status(ann, "You take insurance. Waiting for other players")
        press(bob, "n")
        server.deal("no")

        # Bob stands, and Ann sees it before she splits
        expect_status(ann, "Your turn")
        press(bob, "s")
        expect(ann.get_by_test_id("share-stand")).to_contain_text("100", timeout=SLOW_MS)
        check(ann, "decision")
        press(ann, "p")
        server.deal("TC", "3H")

        # Ann's hands decide together; eleven may not be doubled after a split
        expect_status(ann, "Your turn: first hand")
        expect(ann.get_by_test_id("action-double")).to_have_attribute("aria-disabled", "true")
        press(ann, "s")
        expect_status(ann, "Your turn: second hand")
        press(ann, "h")
        server.deal("9S")
        expect(ann.get_by_test_id("total-0-1")).to_have_text("20", timeout=SLOW_MS)
        press(ann, "s")
        expect_status(ann, "Dealer plays")
        server.deal("6H")
        expect(ann.get_by_test_id("total-0-0")).to_have_text("18✓", timeout=2 * SLOW_MS)
        expect(ann.get_by_test_id("total-0-1")).to_have_text("20✓")
        # two hands of five, eight for one on the pair; insurance and three side bets are lost
        result(ann, 500 + 500 + 4000 - 250 - 3 * 500)
        result(bob, -10_000)
        balance(ann, START_MINOR + 3250)
        balance(bob, START_MINOR - 10_000)
        check(ann, "result")
        assert_layout(ann, "result", FEW)


def test_bets_by_the_clock(chromium: Browser, tmp_path: Path) -> None:
    with dealt_table(chromium, tmp_path, "infinite", betting_ms=10_000) as server:
        ann, bob = server.players
        confirm_shuffles(server)
        wait_for_open_bets(ann)
        bet(ann, 500, "main")
        ann.get_by_test_id("all-sides").click()
        expect_accepted_bet(ann)
        assert digits(ann.get_by_test_id("placed").text_content()) == 5 * 500
        press(ann, "Backspace")
        expect(ann.get_by_test_id("placed")).to_have_text("€5.00")
        expect_accepted_bet(ann)
        balance(ann, START_MINOR - 500)
        # leaving the page is a disconnection: before the close the bet is returned
        ann.reload()
        wait_for_open_bets(ann)
        expect(ann.get_by_test_id("placed")).to_have_text("€0.00")
        balance(ann, START_MINOR)
        bet(ann, 500, "main")
        # betting is closed; a player without a bet watches
        server.expect_request("first card")
        expect_status(bob, "Cards are dealt")
        expect(bob.get_by_test_id("waiting")).to_contain_text("You have no bet in this round")
        server.deal("TS", "9D", "TD", "down")
        press(ann, "s")
        server.deal("7C", "9C")
        result(ann, 500)


def test_the_table_decides_on_time_out_and_a_reconnected_player_is_informed(
    chromium: Browser, tmp_path: Path
) -> None:
    with dealt_table(chromium, tmp_path, "infinite", decision_ms=4_000) as server:
        ann, bob = server.players
        first_bets(server)
        server.expect_request("first card")
        bob.context.set_offline(True)
        server.deal("TS", "9D", "7D", "down")
        expect_status(ann, "Your turn")
        expect(ann.get_by_test_id("message")).to_contain_text(
            "The table decided for you: stand", timeout=SLOW_MS
        )
        server.expect_request("turned")
        server.deal("TC")
        result(ann, 500 * -5)
        bob.context.set_offline(False)
        expect(bob.get_by_text("Staked €100.00, returned €0.00").first).to_be_visible(timeout=2 * SLOW_MS)
        balance(bob, START_MINOR - 10_000)


def test_a_pause_and_a_void_are_announced_and_stakes_are_returned(chromium: Browser, tmp_path: Path) -> None:
    with dealt_table(chromium, tmp_path, "infinite") as server:
        first_bets(server)
        server.expect_request("first card")
        server.deal("TS")
        order(server.dealer, "floor", "A card fell to the ground")
        for page in server.players:
            expect_status(page, "The table is paused")
            expect(page.get_by_test_id("bulletin")).to_contain_text("A card fell to the ground")
            check(page, "paused")
        order(server.manager, "void_round", "The shoe fell")
        for page in server.players:
            expect(page.get_by_test_id("bulletin")).to_contain_text(
                "Every stake of this round is returned", timeout=SLOW_MS
            )
            balance(page, START_MINOR)
        result(server.bob, 0)
