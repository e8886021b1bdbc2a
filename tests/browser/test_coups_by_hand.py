"""A person deals roulette, Sic Bo and baccarat; two players get the results and are paid."""

from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.coup_player import place_chips
from tests.browser.dealt_by_hand import (
    DealtTable,
    confirm_shuffles,
    dealt_table,
    expect_accepted_bet,
    wait_for_open_bets,
)
from tests.browser.player import SLOW_MS
from tests.browser.test_everybody_can_play import check
from tests.browser.test_live_infinite import balance, result
from tests.browser.test_staff import order, scan

pytestmark = pytest.mark.browser(long=True)
START_MINOR = 100_000


def test_a_spin_is_entered_corrected_and_paid(chromium: Browser, tmp_path: Path) -> None:
    with dealt_table(chromium, tmp_path, "live_roulette") as server:
        wait_for_open_bets(server.ann)
        place_chips(server.ann, "straight_17", "red")
        place_chips(server.bob, "black")
        expect_accepted_bet(server.ann)
        expect_accepted_bet(server.bob)
        server.expect_request("the pocket")
        check(server.dealer, "a spin is wanted")
        message = server.dealer.get_by_test_id("said")
        scan(server.dealer, "37")
        expect(message).to_contain_text("a pocket of this wheel", timeout=SLOW_MS)
        server.dealer.get_by_test_id("no-spin").click()
        expect(message).to_have_text("No spin: repeat it.", timeout=SLOW_MS)
        server.dealer.get_by_test_id("pocket-18").click()
        _correct(server, "pocket-17")
        # 0.50 on 17 pays thirty-five to one; 17 is black
        result(server.ann, 1750 - 50)
        result(server.bob, 50)
        balance(server.ann, START_MINOR + 1700)
        balance(server.bob, START_MINOR + 50)
        expect(server.dealer.get_by_test_id("came-up")).to_contain_text("17")
        check(server.ann, "result")
        check(server.bob, "result")


def _correct(server: DealtTable, truth: str) -> None:
    server.manager.get_by_test_id("correct-0").click(timeout=SLOW_MS)
    dialog = server.manager.get_by_role("dialog")
    dialog.get_by_test_id(truth).click()
    dialog.get_by_test_id("reason").fill("misread")
    dialog.get_by_test_id("confirm").click()
    expect(dialog).to_be_hidden(timeout=SLOW_MS)


def test_a_roll_is_entered_by_buttons(chromium: Browser, tmp_path: Path) -> None:
    with dealt_table(chromium, tmp_path, "live_sic_bo") as server:
        wait_for_open_bets(server.ann)
        place_chips(server.ann, "small", "total_10")
        expect_accepted_bet(server.ann)
        server.expect_request("three dice")
        check(server.dealer, "a roll is wanted")
        for die, face in enumerate((1, 3, 6)):
            server.dealer.get_by_test_id(f"die-{die}-{face}").click()
        server.dealer.get_by_test_id("roll").click()
        expect(server.ann.get_by_test_id("result")).to_contain_text("You win", timeout=2 * SLOW_MS)


def test_a_coup_of_cards_is_dealt_after_the_burn(chromium: Browser, tmp_path: Path) -> None:
    with dealt_table(chromium, tmp_path, "live_baccarat") as server:
        confirm_shuffles(server)
        server.deal("AS")  # the burn card
        _correct(server, "card-AC")
        corrections = server.dealer.get_by_role("region", name="Can still be corrected")
        expect(corrections).to_contain_text("ace of clubs", timeout=SLOW_MS)
        expect(server.ann.get_by_test_id("bulletin")).to_have_count(0)
        wait_for_open_bets(server.ann)
        place_chips(server.ann, "player")
        place_chips(server.bob, "banker")
        expect_accepted_bet(server.ann)
        expect_accepted_bet(server.bob)
        server.deal("9S", "KD", "TC", "7H")
        result(server.ann, 100)
        result(server.bob, -100)
        expect(server.dealer.get_by_test_id("came-up")).to_contain_text("Player")
        order(server.manager, "pause_table", "a short break")
        expect(server.ann.get_by_test_id("paused")).to_contain_text("a short break", timeout=SLOW_MS)
