"""Help for new players: hints until dismissed, keys, and the reason of a disabled control."""

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.player import SLOW_MS, Player, follow

pytestmark = pytest.mark.browser


def reason_of(control: Locator) -> str | None:
    """Return the reason that a disabled control shows on hover and to a screen reader."""
    expect(control).to_have_attribute("aria-disabled", "true")
    title = control.get_attribute("title")
    assert control.get_attribute("aria-description") == title
    return title


def test_a_first_round_shows_keys_reasons_and_hints_until_they_are_dismissed(kept: Page) -> None:
    page = kept
    page.goto("/table/premium")
    hint = page.get_by_test_id("hint")
    deal = page.get_by_test_id("deal")
    undo = page.get_by_test_id("undo")
    expect(hint).to_contain_text("Choose a chip")
    assert reason_of(deal) == "Place a bet first"
    chip = page.locator("[data-testid^='chip-']").nth(1)
    expect(chip.locator(".key")).to_have_text("2")
    expect(chip.locator(".key")).to_be_visible()

    # a tap on a disabled control shows the reason
    deal.click(force=True)
    expect(page.get_by_test_id("message")).to_have_text("Place a bet first")

    # decisions show their keys, what they do, and why not
    page.keyboard.press("1")
    page.get_by_test_id("spot-0-main").click()
    expect(hint).to_have_count(0)
    deal.click()
    _decisions_show_their_keys(page)

    # hints are shown at each table, until they are dismissed at one
    follow(page, "/")
    page.get_by_test_id("table-multihand").click()
    expect(hint).to_contain_text("Choose a chip", timeout=SLOW_MS)
    page.get_by_test_id("spot-0-main").click()
    expect(hint).to_have_count(0)
    undo.click()
    hint.get_by_role("button", name="show hints again").click()
    expect(hint).to_have_count(0)
    assert reason_of(undo) == "Place a bet first"
    Player(page, seed=1).move("roulette")
    expect(undo).to_be_visible()
    expect(hint).to_have_count(0)


def _decisions_show_their_keys(page: Page) -> None:
    hit, split = page.get_by_test_id("action-hit"), page.get_by_test_id("action-split")
    after_an_offer = page.locator(
        "[data-testid='action-hit'][aria-disabled='false'], [data-testid='new-bet']"
    )
    offer = page.locator("[data-testid^='action-decline_'][aria-disabled='false']")  # the dealer has an ace
    expect(after_an_offer.or_(offer)).to_have_count(1)
    if offer.count():
        offer.click()
    expect(after_an_offer).to_have_count(1)
    if hit.count():
        expect(hit.locator(".key")).to_have_text("H")
        expect(hit.get_by_test_id("hint")).to_have_text("one card")
        if split.get_attribute("aria-disabled") == "true":
            assert reason_of(split) == "Not available for this hand"
