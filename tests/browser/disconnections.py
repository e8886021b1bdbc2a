"""A player at a live table that a person deals is disconnected in a phase, and returns."""

from playwright.sync_api import Page, expect

from tests.browser.dealt_by_hand import expect_status
from tests.browser.player import SLOW_MS

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


def wait_for_phase(page: Page, phase: str) -> str:
    page.locator(f"[data-table-root][data-phase={phase}]").wait_for(timeout=2 * SLOW_MS)
    return phase


def cut_off(page: Page, phase: str) -> None:
    """Disconnect; in `warning` close the page, since a failed network would be detected after the close."""
    if phase == "warning":
        page.goto("about:blank")
    else:
        page.context.set_offline(True)
        expect_status(page, "Connection lost, trying again")
        expect(page.get_by_role("timer")).to_have_count(0)  # the time left isn't known


def reconnect(page: Page, table: str) -> None:
    page.context.set_offline(False)
    if page.url == "about:blank":
        page.goto(f"/table/{table}")


def expect_history(page: Page, *sentences: str) -> None:
    """Check the steps of the player's last round."""
    page.goto("/history")
    page.locator("[data-testid^='round-']").first.get_by_role("link", name="Round #").click()
    page.get_by_text("All steps in words").click()
    for sentence in sentences:
        expect(page.get_by_role("button", name=sentence, exact=True)).to_be_visible(timeout=SLOW_MS)
