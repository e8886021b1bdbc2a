"""One of two players is disconnected in each phase of a round, and returns to the state the rules demand."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.dealt_by_hand import (
    DealtTable,
    confirm_shuffles,
    dealt_table,
    expect_accepted_bet,
    expect_status,
    press,
    wait_for_open_bets,
)
from tests.browser.partly import partly
from tests.browser.player import SLOW_MS

pytestmark = pytest.mark.browser(long=True)

START_MINOR = 100_000
# Bob's winnings if disconnected in this phase, with one hundred on nineteen against eighteen:
# before the close the bet is returned (003); after it the bet stands, and the table decides.
WON_MINOR = {
    "betting": 0,
    "warning": 0,
    "dealing": 10_000,
    "offer": 10_000,
    "decisions": 10_000,
    "dealer": 10_000,
    "pause": 10_000,
}
NOW = ("warning", "decisions")


def bet(page: Page, chip: int, box: int = 0) -> None:
    page.get_by_test_id(f"chip-{chip}").click()
    page.get_by_test_id(f"spot-{box}-main").click()
    expect_accepted_bet(page)


def wait_for_phase(page: Page, phase: str) -> str:
    page.locator(f"[data-table-root][data-phase={phase}]").wait_for(timeout=2 * SLOW_MS)
    return phase


def play_round(server: DealtTable) -> Iterator[str]:
    """Yield each phase once it is reached. Ann stakes five and stands; Bob only bets."""
    ann = server.ann
    wait_for_open_bets(ann)
    bet(server.bob, 10_000)
    yield "betting"
    bet(ann, 500)
    yield wait_for_phase(ann, "warning")
    server.expect_request("first card")
    yield wait_for_phase(ann, "dealing")
    server.deal("TS", "AD", "9D", "down")
    yield wait_for_phase(ann, "offer")
    press(ann, "n")
    server.expect_request("look at")
    server.deal("no")
    yield wait_for_phase(ann, "decisions")
    press(ann, "s")
    server.expect_request("turned")
    yield wait_for_phase(ann, "dealer")
    server.deal("7H")
    yield wait_for_phase(ann, "pause")


def cut_off(page: Page, phase: str) -> None:
    """Disconnect; in `warning` close the page, since a failed network would be detected after the close."""
    if phase == "warning":
        page.goto("about:blank")
    else:
        page.context.set_offline(True)
        expect_status(page, "Connection lost, trying again")
        expect(page.get_by_role("timer")).to_have_count(0)  # the time left isn't known


def reconnect(page: Page, table: str = "infinite") -> None:
    page.context.set_offline(False)
    if page.url == "about:blank":
        page.goto(f"/table/{table}")


def balance(page: Page, minor: int) -> None:
    expect(page.get_by_test_id("balance")).to_have_text(f"€{minor / 100:,.2f}", timeout=2 * SLOW_MS)


def expect_history(page: Page, *sentences: str) -> None:
    """Check the steps of the player's last round."""
    page.goto("/history")
    page.locator("[data-testid^='round-']").first.get_by_role("link", name="Round #").click()
    page.get_by_text("All steps in words").click()
    for sentence in sentences:
        expect(page.get_by_role("button", name=sentence, exact=True)).to_be_visible(timeout=SLOW_MS)


@pytest.mark.parametrize(("phase", "won_minor"), partly(WON_MINOR.items(), NOW))
def test_a_disconnected_player_returns_to_the_state_the_rules_demand(
    chromium: Browser, tmp_path: Path, phase: str, won_minor: int
) -> None:
    with dealt_table(chromium, tmp_path, "infinite", decision_ms=5_000) as server:
        confirm_shuffles(server)
        for now in play_round(server):
            reconnect(server.bob)
            if now == phase:
                cut_off(server.bob, phase)
        reconnect(server.bob)
        balance(server.bob, START_MINOR + won_minor)
        balance(server.ann, START_MINOR + 500)
        expect(server.bob.get_by_test_id("in-play")).to_have_text("€0.00")
        if won_minor:
            expect_history(server.bob, "Box 1 stands (time ran out).")
