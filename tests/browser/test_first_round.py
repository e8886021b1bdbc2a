"""Help for new players: hints until dismissed, keys, and the reason of a disabled control."""

import pytest
from playwright.sync_api import Locator, Page, expect

pytestmark = pytest.mark.browser


def reason_of(control: Locator) -> str | None:
    """Return the reason that a disabled control shows on hover and to a screen reader."""
    expect(control).to_have_attribute("aria-disabled", "true")
    title = control.get_attribute("title")
    assert control.get_attribute("aria-description") == title
    return title


def test_a_first_round_shows_hints_until_they_are_dismissed(page: Page) -> None:
    page.goto("/table/classic")
    hint = page.get_by_test_id("hint")
    expect(hint).to_contain_text("Choose a chip")
    assert reason_of(page.get_by_test_id("deal")) == "Place a bet first"
    page.get_by_test_id("spot-0-main").click()
    expect(hint).to_have_count(0)
    page.get_by_test_id("undo").click()
    hint.get_by_role("button", name="show hints again").click()
    expect(hint).to_have_count(0)
    assert reason_of(page.get_by_test_id("undo")) == "Place a bet first"
    page.goto("/table/roulette")
    expect(page.get_by_test_id("undo")).to_be_visible()
    expect(hint).to_have_count(0)


def test_controls_show_their_keys_if_there_is_a_keyboard(page: Page) -> None:
    page.goto("/table/classic")
    chip = page.locator("[data-testid^='chip-']").nth(1)
    expect(chip.locator(".key")).to_have_text("2")
    expect(chip.locator(".key")).to_be_visible()
    page.keyboard.press("1")
    page.get_by_test_id("spot-0-main").click()
    page.get_by_test_id("deal").click()
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


def test_a_tap_on_a_disabled_control_shows_the_reason(page: Page) -> None:
    page.goto("/table/classic")
    page.get_by_test_id("deal").click(force=True)
    expect(page.get_by_test_id("message")).to_have_text("Place a bet first")
