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


def look(page: Page, station: str, at: Locator | None = None) -> None:
    """Check the page on a phone and on a desktop, which it is left at."""
    for size in (PHONE, DESKTOP):
        resize(page, size)
        if at:
            at.scroll_into_view_if_needed()
        fits(page, f"{station} at {size}")
    check(page, station)
