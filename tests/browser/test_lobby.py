"""The lobby: order of the tables, content of their cards, and row heights on a phone."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import opened
from tests.browser.player import Player
from tests.support.server_process import ServerProcess

pytestmark = pytest.mark.browser

ROW_HEIGHT_MAX = 96
"""CSS pixels; a longer text takes another line."""


@pytest.fixture(scope="module")
def phone(chromium: Browser, server: ServerProcess) -> Iterator[Page]:
    with opened(chromium, server, width=390, height=844) as page:
        yield page


def test_a_phone_shows_rows_and_blackjack_first(phone: Page) -> None:
    phone.goto("/")
    rows = phone.locator("article")
    expect(phone.get_by_test_id("table-classic")).to_be_visible()
    expect(phone.get_by_test_id("recent")).to_have_count(0)
    titles = phone.locator("article h2").all_text_contents()
    assert ["Blackjack" in title for title in titles] == [True] * 6 + [False] * (len(titles) - 6)
    assert max(row.bounding_box()["height"] for row in rows.all()) <= ROW_HEIGHT_MAX  # type: ignore[index]
    expect(rows.first.get_by_role("link", name="Play Classic Blackjack")).to_be_visible()


def test_every_card_shows_its_return_and_limits_that_can_be_staked(phone: Page) -> None:
    for card in phone.locator("article").all():
        expect(card).to_contain_text("%")
        expect(card).not_to_contain_text("$")


def test_recently_played_tables_are_listed_first(phone: Page) -> None:
    player = Player(phone, seed=3)
    player.sit("baccarat")
    phone.get_by_test_id("bet-player").click()
    phone.get_by_test_id("deal").click()
    expect(phone.locator("[data-table-root]")).to_have_attribute("data-phase", "ended", timeout=20_000)
    phone.goto("/")
    phone.get_by_test_id("recent").get_by_role("link", name="Baccarat").click()
    expect(phone.get_by_test_id("frame-baccarat")).to_be_visible()
