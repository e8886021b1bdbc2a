"""A person deals a roulette and a baccarat at the console; two players see it and are paid."""

from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.coup_player import lay
from tests.browser.dealt_by_hand import Night, bets_open, night, shuffled, stands
from tests.browser.player import SLOW_MS
from tests.browser.test_everybody_can_play import check
from tests.browser.test_live_infinite import balance, result
from tests.browser.test_staff import order, scan

pytestmark = pytest.mark.browser
START_MINOR = 100_000


def test_a_spin(chromium: Browser, tmp_path: Path) -> None:
    with night(chromium, tmp_path, "live_roulette") as house:
        bets_open(house.ann)
        lay(house.ann, "straight_17", "red")
        lay(house.bob, "black")
        stands(house.ann)
        stands(house.bob)
        house.asked("the pocket")
        check(house.dealer, "a spin is wanted")
        said = house.dealer.get_by_test_id("said")
        scan(house.dealer, "37")
        expect(said).to_contain_text("a pocket of this wheel", timeout=SLOW_MS)
        house.dealer.get_by_test_id("no-spin").click()
        expect(said).to_have_text("No spin: repeat it.", timeout=SLOW_MS)
        house.dealer.get_by_test_id("pocket-17").click()
        # 0.50 on 17 pays thirty-five to one; 17 is black
        result(house.ann, 1750 - 50)
        result(house.bob, 50)
        balance(house.ann, START_MINOR + 1700)
        balance(house.bob, START_MINOR + 50)
        expect(house.dealer.get_by_test_id("came-up")).to_contain_text("17")
        check(house.ann, "result")
        check(house.bob, "result")


def test_a_pocket_that_was_entered_wrong(chromium: Browser, tmp_path: Path) -> None:
    with night(chromium, tmp_path, "live_roulette") as house:
        bets_open(house.ann)
        lay(house.ann, "straight_17")
        stands(house.ann)
        house.asked("the pocket")
        scan(house.dealer, "18")
        _corrected(house, "pocket-17")
        result(house.ann, 1750)
        balance(house.ann, START_MINOR + 1750)


def _corrected(house: Night, truth: str) -> None:
    house.floor.get_by_test_id("correct-0").click(timeout=SLOW_MS)
    dialog = house.floor.get_by_role("dialog")
    dialog.get_by_test_id(truth).click()
    dialog.get_by_test_id("reason").fill("misread")
    dialog.get_by_test_id("confirm").click()
    expect(dialog).to_be_hidden(timeout=SLOW_MS)


def test_dice(chromium: Browser, tmp_path: Path) -> None:
    with night(chromium, tmp_path, "live_sic_bo") as house:
        bets_open(house.ann)
        lay(house.ann, "small", "total_10")
        stands(house.ann)
        house.asked("three dice")
        check(house.dealer, "a roll is wanted")
        for die, face in enumerate((1, 3, 6)):
            house.dealer.get_by_test_id(f"die-{die}-{face}").click()
        house.dealer.get_by_test_id("roll").click()
        expect(house.ann.get_by_test_id("result")).to_contain_text("You win", timeout=2 * SLOW_MS)


def test_a_coup_of_cards(chromium: Browser, tmp_path: Path) -> None:
    with night(chromium, tmp_path, "live_baccarat") as house:
        shuffled(house)
        house.deals("AS")  # the burn
        _corrected(house, "card-AC")
        lies = house.dealer.get_by_role("region", name="Can still be corrected")
        expect(lies).to_contain_text("ace of clubs", timeout=SLOW_MS)
        expect(house.ann.get_by_test_id("bulletin")).to_have_count(0)
        bets_open(house.ann)
        lay(house.ann, "player")
        lay(house.bob, "banker")
        stands(house.ann)
        stands(house.bob)
        house.deals("9S", "KD", "TC", "7H")
        result(house.ann, 100)
        result(house.bob, -100)
        expect(house.dealer.get_by_test_id("came-up")).to_contain_text("Player")
        order(house.floor, "pause_table", "a short break")
        expect(house.ann.get_by_test_id("paused")).to_contain_text("a short break", timeout=SLOW_MS)
