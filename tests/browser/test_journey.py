"""A player's whole journey, from a guest's first round to self-exclusion, with every page looked at."""

from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page

from tests.browser.journey.stage import DESKTOP, PHONE, new_journey
from tests.browser.journey.story import play
from tests.browser.screens import resize
from tests.browser.test_everybody_can_play import check, fits
from tests.support.paying import assert_audited

pytestmark = pytest.mark.browser(long=True)


def test_a_player_goes_from_the_first_round_to_self_exclusion(chromium: Browser, tmp_path: Path) -> None:
    with new_journey(chromium, tmp_path, look) as played:
        play(played)
    assert_audited(tmp_path / "data")
    assert "Traceback" not in played.server.log.read_text()


CHECKED_ELSEWHERE = {
    "lobby": "test_everybody_can_play",
    "terms": "test_documents",
    "first-round": "test_everybody_can_play",
    "create-an-account": "test_accounts",
    "second-device": "test_security",
    "deposit-pending": "test_payments",
    "deposit-paid": "test_payments",
    "bonus-granted": "test_bonus",
    "bonus-half-way": "test_bonus",
    "bonus-coup": "test_screens",
    "limit-reached": "test_live_coups",
    "withdrawal-held": "test_payments",
    "withdrawal-paid": "excluded-cashier",
    "excluded": "excluded-in-mid-round",
    "helplines": "excluded-safer-play",
    "excluded-launch": "excluded-cashier",
}
"""The tests, and other stations, that check with axe what these stations show."""


def look(page: Page, station: str, at: Locator | None = None) -> None:
    """Check the page on a phone and on a desktop, which it is left at."""
    for size in (PHONE, DESKTOP):
        resize(page, size)
        if at:
            at.scroll_into_view_if_needed()
        fits(page, f"{station} at {size}")
    if station not in CHECKED_ELSEWHERE:
        check(page, station)
