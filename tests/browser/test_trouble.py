"""Failures during play: a lost network, a second browser."""

import socket

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.partly import partly
from tests.browser.player import SLOW_MS, Player, follow

pytestmark = pytest.mark.browser

NOTICED_MS = 4_000


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        return int(listening.getsockname()[1])


def hands(page: Page | Locator) -> list[str | None]:
    """Return the text of every hand on the table."""
    return [hand.inner_text() for hand in page.locator("[data-testid^='hand-']").all()]


def to_a_decision(page: Page, player: Player) -> None:
    """Deal until a hand waits for a decision."""
    for _ in range(20):
        if player.phase == "ended":
            page.get_by_test_id("new-bet").click()
        page.get_by_test_id("spot-0-main").click()
        page.get_by_test_id("deal").click()
        if player.wait_for_turn():
            return
    raise AssertionError("twenty rounds without a decision")


def finish(player: Player) -> None:
    while player.wait_for_turn():
        player.decide("mouse")


@pytest.mark.parametrize("outage_ms", partly([(1_000,), (10_000,)], [1_000]))
def test_a_hand_survives_an_outage_and_another_browser_takes_the_table_and_the_settings(
    kept: Page, outage_ms: int
) -> None:
    page = kept
    player = Player(page, seed=11)
    player.sit("classic")
    to_a_decision(page, player)
    before = hands(page)
    page.context.set_offline(True)
    expect(page.get_by_text("Connection lost").first).to_be_visible(timeout=NOTICED_MS)
    page.wait_for_timeout(outage_ms)
    page.context.set_offline(False)
    expect(page.get_by_text("Reconnected. Nothing was lost.").first).to_be_visible(timeout=2 * SLOW_MS)
    assert hands(page) == before
    finish(player)

    # a table that is opened in another browser is left here
    other = page.context.new_page()
    other.goto("/table/classic")
    expect(page.get_by_role("button", name="Continue here")).to_be_visible(timeout=SLOW_MS)
    page.get_by_role("button", name="Continue here").click()
    expect(page.locator("[data-table-root]")).to_be_visible()
    expect(other.get_by_role("button", name="Continue here")).to_be_visible(timeout=SLOW_MS)

    # settings arrive in the other browser
    box = "Four-colour deck"
    for one in (page, other):
        follow(one, "/settings")
        expect(one.get_by_label(box)).not_to_be_checked()
    page.get_by_label(box).check()
    expect(other.get_by_label(box)).to_be_checked(timeout=SLOW_MS)
    other.reload()
    expect(other.get_by_label(box)).to_be_checked()
    other.close()
