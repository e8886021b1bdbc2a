"""Advice and the trainer at an own table: off until chosen, by keys, and on its own page."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.player import SLOW_MS, Player, follow
from tests.browser.test_everybody_can_play import check

pytestmark = pytest.mark.browser

SETTINGS = ("Advice", "Trainer")
JUDGED = re.compile("was the best decision|Better: ")


def switch_on(page: Page) -> None:
    """Use the keyboard throughout."""
    follow(page, "/settings")
    for name in SETTINGS:
        control = page.get_by_role("switch", name=name, exact=False)
        expect(control).not_to_be_checked(timeout=SLOW_MS)
        control.focus()
        page.keyboard.press("Space")
        expect(control).to_be_checked()


def to_a_decision(player: Player, page: Page) -> None:
    """Deal rounds until one has a decision, since a blackjack ends at once."""
    page.get_by_test_id("deal").click()
    while not player.wait_for_turn():
        page.get_by_test_id("rebet").click()


def test_advice_is_given_and_decisions_are_judged(kept: Page) -> None:
    page = kept
    player = Player(page, 1)
    player.sit("premium")
    expect(page.get_by_test_id("learn")).to_have_count(0)
    switch_on(page)
    page.get_by_test_id("back-to-tables").click()
    page.locator("[data-testid^='chip-']").first.click()
    page.locator("[data-testid^='spot-'][data-testid$='-main']").first.click()
    to_a_decision(player, page)
    status = page.get_by_test_id("learn").get_by_role("status")
    page.keyboard.press("b")
    expect(status).to_contain_text("est is", timeout=SLOW_MS)
    check(page, "advice")
    while player.wait_for_turn():
        page.keyboard.press("s" if page.get_by_test_id("action-stand").count() else "n")
        page.wait_for_timeout(20)
    expect(status).to_have_text(JUDGED, timeout=SLOW_MS)
    page.get_by_test_id("learn").get_by_role("link").click()
    expect(page.get_by_test_id("training-total")).to_contain_text("1 more after advice", timeout=SLOW_MS)
