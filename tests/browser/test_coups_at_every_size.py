"""Axe finds nothing and nothing overflows at any table of coups, from a small phone to a wide desk."""

import pytest
from playwright.sync_api import Page

from tests.browser.coup_player import CoupPlayer, click
from tests.browser.partly import partly
from tests.browser.test_everybody_can_play import SIZES, check, sized
from tests.server.test_coups import OWN

__all__ = ["sized"]
pytestmark = pytest.mark.browser
NOW = ((320, 640), (1440, 900))


@pytest.mark.parametrize(
    "sized", partly([(size,) for size in SIZES], NOW), indirect=True, ids=lambda size: f"{size[0]}x{size[1]}"
)
def test_phases_of_a_coup(sized: Page) -> None:
    for table in OWN:
        player = CoupPlayer(sized, seed=7)
        player.sit(table)
        sized.locator("[data-testid^='chip-']").first.click()
        bets = sized.locator("[data-testid^='bet-'][data-spot]")
        click(bets.first)
        click(bets.last)
        check(sized, f"{table}: chips placed")
        sized.get_by_test_id("deal").click()
        sized.locator("[data-phase='ended']").wait_for()
        check(sized, f"{table}: ended")
