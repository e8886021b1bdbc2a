"""Clauses of 003 that a player meets, each played in the client."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from croupier.server import wire
from tests.browser.ahead import deal_until
from tests.browser.player import Player
from tests.server.house_process import HouseProcess

pytestmark = pytest.mark.browser

STAKE = wire.Stake(0, "main", 1000)


def leave(page: Page, minor: int) -> None:
    """Leaves so much in the balance, as another table would that takes the rest."""
    more = Player(page, seed=0).balance_minor - minor
    order = {"req": f"all-but-{minor}", "currency": "GC", "amount_minor": more}
    assert page.request.post("/api/cashier/withdraw", data=order).ok


def doubles_hard(played: wire.PlayedRound) -> bool:
    """A hand that one more card can't bust, and a double on offer."""
    hand = played.view.boxes[0].hands[0]
    options = {option.action for turn in played.view.turns for option in turn.options}
    return "double" in options and "split" not in options and hand.low == hand.total <= 11


def double_by_key(page: Page) -> None:
    page.locator("[data-table-root]").focus()
    page.keyboard.press("d")


def double_by_button(page: Page) -> None:
    page.get_by_test_id("action-double").click()


@pytest.mark.parametrize("press", [double_by_key, double_by_button])
def test_003_if_your_balance_is_insufficient_a_double_is_a_hit(
    page: Page, house: HouseProcess, press: Callable[[Page], None]
) -> None:
    """003: "your preferred decisions will be rejected and the following auto-decision applied instead"."""
    page.goto("/")
    expect(page.get_by_test_id("table-classic")).to_be_visible()
    deal_until(page, house, (STAKE,), "classic", doubles_hard)
    page.goto("/table/classic")
    double = page.get_by_test_id("action-double")
    expect(double).to_have_accessible_description("")
    leave(page, STAKE.stake_minor - 1)
    says = "Balance too low for a double. The hand hits instead."
    expect(page.get_by_test_id("low-balance")).to_have_text(says)
    expect(double).to_have_accessible_description(says)
    expect(double).to_have_attribute("aria-disabled", "false")
    press(page)
    expect(page.get_by_test_id("hand-0-0").locator("li")).to_have_count(3)
    expect(page.get_by_test_id("urgent")).to_contain_text("Balance too low. The table decided for you: hit.")
    expect(page.get_by_test_id("in-play")).to_have_text("GC\u00a01,000")
