"""The lobby: order of the tables, content of their cards, and row heights on a phone."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.player import SLOW_MS, Player, follow
from tests.browser.screens import resize

pytestmark = pytest.mark.browser

ROW_HEIGHT_MAX = 96
"""CSS pixels; a longer text takes another line."""


def test_a_phone_shows_rows_with_returns_and_limits_blackjack_and_recent_tables_first(kept: Page) -> None:
    phone = kept
    resize(phone, (390, 844))
    phone.goto("/")
    rows = phone.locator("article")
    expect(phone.get_by_test_id("table-classic")).to_be_visible()
    expect(phone.get_by_test_id("recent")).to_have_count(0)
    titles = phone.locator("article h2").all_text_contents()
    assert ["Blackjack" in title for title in titles] == [True] * 6 + [False] * (len(titles) - 6)
    assert max(row.bounding_box()["height"] for row in rows.all()) <= ROW_HEIGHT_MAX  # type: ignore[index]
    expect(rows.first.get_by_role("link", name="Play Classic Blackjack")).to_be_visible()

    # every card shows its return, and limits that can be staked
    for card in rows.all():
        expect(card).to_contain_text("%")
        expect(card).not_to_contain_text("$")

    # recently played tables are listed first
    Player(phone, seed=3).move("baccarat")
    phone.get_by_test_id("bet-player").click()
    phone.get_by_test_id("deal").click()
    expect(phone.locator("[data-table-root]")).to_have_attribute("data-phase", "ended", timeout=SLOW_MS)
    follow(phone, "/")
    phone.get_by_test_id("recent").get_by_role("link", name="Baccarat").click()
    expect(phone.get_by_test_id("frame-baccarat")).to_be_visible()
