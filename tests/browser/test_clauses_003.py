"""Clauses of 003 that a player meets, each played in the client."""

import re

import pytest
from playwright.sync_api import Page, expect

from croupier.protocol import wire
from tests.browser.ahead import deal_until
from tests.browser.player import SLOW_MS, Player, follow
from tests.support.browser_connection import new_req
from tests.support.server_process import ServerProcess

pytestmark = pytest.mark.browser

STAKE = wire.Stake(0, "main", 1000)


def leave(page: Page, minor: int) -> None:
    """Withdraw all but this amount, as a bet at another table would."""
    more = Player(page, seed=0).balance_minor - minor
    order = {"req": new_req(), "currency": "GC", "amount_minor": more}
    assert page.request.post("/api/cashier/withdraw", data=order).ok


def doubles_hard(played: wire.PlayedRound) -> bool:
    """Return whether a double is offered to a hand that one more card can't bust."""
    hand = played.view.boxes[0].hands[0]
    options = {option.action for turn in played.view.turns for option in turn.options}
    return "double" in options and "split" not in options and hand.low == hand.total <= 11


def double_by_key(page: Page) -> None:
    page.locator("[data-table-root]").focus()
    page.keyboard.press("d")


def double_by_button(page: Page) -> None:
    page.get_by_test_id("action-double").click()


def test_003_if_your_balance_is_insufficient_a_double_is_a_hit(kept: Page, server: ServerProcess) -> None:
    """003: "your preferred decisions will be rejected and the following auto-decision applied instead"."""
    page = kept
    page.goto("/history")
    for press in (double_by_key, double_by_button):
        deal_until(page, server, (STAKE,), "classic", doubles_hard)
        follow(page, "/")
        page.get_by_test_id("table-classic").click(timeout=SLOW_MS)
        double = page.get_by_test_id("action-double")
        expect(double).to_have_accessible_description("")
        leave(page, STAKE.stake_minor - 1)
        sentence = "Balance too low for a double. The hand hits instead."
        expect(page.get_by_test_id("low-balance")).to_have_text(sentence)
        expect(double).to_have_accessible_description(sentence)
        expect(double).to_have_attribute("aria-disabled", "false")
        press(page)
        expect(page.get_by_test_id("hand-0-0").locator("li")).to_have_count(3)
        said = "Balance too low. The table decided for you: hit."
        expect(page.get_by_test_id("urgent")).to_contain_text(said)
        expect(page.get_by_test_id("in-play")).to_have_text("GC\u00a01,000")
        end_the_round(page)


def end_the_round(page: Page) -> None:
    """Play to the end, deposit for more rounds, and leave the table."""
    player = Player(page, seed=0)
    while player.wait_for_turn():
        player.decide("mouse")
    order = {"req": new_req(), "currency": "GC", "amount_minor": 1_000_000}
    assert page.request.post("/api/cashier/deposit", data=order).ok
    page.get_by_test_id("table-menu").click()
    page.get_by_test_id("menu-leave").click()


def test_003_the_sound_is_on_again_at_another_table(kept: Page) -> None:
    """003: "if you change tables, the sound will automatically unmute". The setting in Settings stays."""
    page = kept
    player = Player(page, seed=4)
    player.sit("classic")
    mute = page.get_by_role("button", name="Mute", exact=True)
    mute.click()
    expect(mute).to_have_attribute("aria-pressed", "true")
    page.get_by_role("link", name="To the lobby").click()
    page.get_by_test_id("table-premium").click()
    expect(page.get_by_test_id("spot-0-main")).to_be_visible()
    expect(mute).to_have_attribute("aria-pressed", "false")
    page.get_by_test_id("table-menu").click()
    page.get_by_test_id("menu-settings").click()
    page.get_by_label("Game sounds").uncheck()
    expect(mute).to_have_attribute("title", "Mute: only the dealer can be heard")
    expect(mute).to_have_attribute("aria-pressed", "false")
    page.get_by_label(re.compile("Dealer.s voice")).uncheck()
    page.keyboard.press("Escape")
    expect(mute).to_have_attribute("aria-pressed", "true")
    page.get_by_role("link", name="To the lobby").click()
    page.get_by_test_id("table-classic").click()
    expect(page.get_by_test_id("spot-0-main")).to_be_visible()
    expect(mute).to_have_attribute("aria-pressed", "true")


def test_the_help_icon_opens_the_rules_and_no_panel_blocks_another_table(kept: Page) -> None:
    """002: "The rules are also available by clicking the i icon within the game"; 004, 4: "the help icon".

    Each panel is over its own table; ESC closes the one that has the focus.
    """
    page = kept
    page.goto("/table/roulette+classic")
    classic, roulette = (page.get_by_test_id(f"frame-{table}") for table in ("classic", "roulette"))
    expect(classic.get_by_test_id("spot-0-main")).to_be_visible()
    roulette.get_by_test_id("help").click()
    rules = roulette.get_by_role("dialog", name="Roulette: rules")
    expect(rules).to_be_visible()
    classic.get_by_test_id("spot-0-main").click()
    expect(classic.get_by_test_id("placed")).to_have_text("GC\u00a01,000")
    classic.get_by_test_id("table-menu").click()
    mute = classic.get_by_test_id("menu-mute")
    mute.click()
    expect(mute).to_have_attribute("aria-pressed", "true")
    page.keyboard.press("Escape")
    classic.get_by_test_id("limits").click()
    limits = classic.get_by_role("dialog", name="Limits and payouts")
    expect(limits).to_be_visible()
    page.keyboard.press("Escape")
    expect(limits).to_be_hidden()
    expect(rules).to_be_visible()
    rules.get_by_role("button", name="Close").click()
    expect(rules).to_be_hidden()
    roulette.get_by_test_id("help").click()
    expect(rules).to_be_visible()
    page.keyboard.press("Escape")
    expect(rules).to_be_hidden()
    expect(roulette.get_by_test_id("deal")).to_contain_text("Spin")
