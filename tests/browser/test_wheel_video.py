"""A round of roulette with a second camera, which shows the wheel while the ball runs."""

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.coup_player import place_chips
from tests.browser.filming import (
    KEEPING,
    WHEEL,
    covers_nothing,
    dealer_page,
    filmed,
    filming,
    hears,
    janus,
    moves,
    page_with,
)
from tests.browser.player import SLOW_MS
from tests.browser.test_staff import scan, wanted
from tests.support.janus import needs_janus
from tests.support.server_process import ServerProcess

__all__ = ["filmed", "filming", "janus"]
pytestmark = [pytest.mark.browser(long=True), needs_janus]

TIME_TO_BET = """
() => document.querySelector('[data-testid=light]')?.dataset.light === 'green' &&
  parseInt(document.querySelector('[data-testid=seconds]')?.textContent) >= 3
"""
DECIDED = """
() => document.querySelector('[data-testid=light]')?.dataset.light === 'red' ||
  document.querySelector('[data-testid=bet-state]')?.dataset.stands === 'true'
"""
ATTEMPTS = 3
WANTED = "the pocket, when the ball has come to rest"


def test_the_wheel_is_shown_while_the_ball_runs(filming: Browser, filmed: ServerProcess) -> None:
    with (
        dealer_page(filming, filmed, WHEEL) as dealer,
        page_with(filming, filmed, f"/table/{WHEEL}", KEEPING) as ann,
    ):
        for view in ("dealer", "equipment"):
            camera = dealer.get_by_test_id(f"camera-{view}")
            camera.get_by_test_id("camera-on").click()
            expect(camera.get_by_test_id("camera-state")).to_contain_text("Players see", timeout=2 * SLOW_MS)
        bet_on_red(ann)
        wanted(dealer, WANTED)
        check_view(ann, "equipment", "dealer")
        scan(dealer, "17")
        expect(ann.get_by_test_id("result")).to_have_attribute("data-net", "-50", timeout=2 * SLOW_MS)
        check_view(ann, "dealer", "equipment")


def bet_on_red(player: Page) -> None:
    """Bet in the next round, or in a later one if a busy machine is too slow for it."""
    for _ in range(ATTEMPTS):
        player.wait_for_function(TIME_TO_BET, timeout=2 * SLOW_MS)
        place_chips(player, "red")
        player.wait_for_function(DECIDED, timeout=SLOW_MS)
        if player.get_by_test_id("bet-state").get_attribute("data-stands") == "true":
            return
    raise AssertionError("no bet was in time")


def check_view(player: Page, shown: str, hidden: str) -> None:
    """One camera is shown, and the dealer goes on being heard."""
    view = player.get_by_test_id("camera-view")
    expect(view).to_have_attribute("data-view", shown, timeout=2 * SLOW_MS)
    expect(player.get_by_test_id(f"{shown}-picture")).to_be_visible()
    expect(player.get_by_test_id(f"{hidden}-picture")).to_be_hidden()
    moves(player, picture=f"[data-testid={shown}-picture]")
    hears(player)
    covers_nothing(player)
