"""The board shows the current shoe, also after a reload."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import opened
from tests.browser.coup_player import place_chips
from tests.browser.dealt_by_hand import expect_accepted_bet
from tests.browser.player import SLOW_MS
from tests.support.server_process import ServerProcess

pytestmark = pytest.mark.browser

TABLE = """
[short_shoe]
game = "dragon_tiger"
title = "A short shoe"
line = "The cut card comes out in the second coup"
dealing = "live"
source = "a test"
rules_version = "1.0"
rules_date = "2026-11-21"
limits = { EUR = "1-100" }
wagering = "live_casino"
decks = 1
shuffle = "at_cut_card"
shoes = 1
cut_card_from_back = 49
rounds_after_cut = 0
burn = "none"
ace = "low"
dragon = ["dragon_wins 1:1", "tie half back"]
tiger = ["tiger_wins 1:1", "tie half back"]
tie = ["tie 11:1"]
suited_tie = []
"""
CONFIG_TOML = """
[short_shoe]
betting_ms = 4000
warning_ms = 1000
pace_ms = 50
pause_ms = 2000
"""
COUPS = ("1 coup", "2 coups", "1 coup")


@pytest.fixture
def player(chromium: Browser, tmp_path: Path) -> Iterator[Page]:
    (tmp_path / "tables.toml").write_text(TABLE)
    (tmp_path / "croupier.toml").write_text(CONFIG_TOML)
    files = ("--tables", str(tmp_path / "tables.toml"), "--config", str(tmp_path / "croupier.toml"))
    server = ServerProcess(tmp_path / "data", options=files).start()
    with opened(chromium, server, width=1280, height=800) as page:
        yield page
    server.stop()


def test_a_new_shoe_starts_a_new_board(player: Page) -> None:
    player.goto("/table/short_shoe")
    for counted in COUPS:
        _play(player)
        _expect_board(player, counted)
    player.reload()
    _expect_board(player, COUPS[-1])


def _play(page: Page) -> None:
    """Play from the green light to the result, so that the next green light belongs to the next coup."""
    expect(page.get_by_test_id("light")).to_have_attribute("data-light", "green", timeout=SLOW_MS)
    place_chips(page, "dragon")
    expect_accepted_bet(page)
    expect(page.get_by_test_id("result")).to_be_visible(timeout=SLOW_MS)


def _expect_board(page: Page, counted: str) -> None:
    words = page.get_by_test_id("roads").locator("p")
    expect(words).to_contain_text(f"{counted} of this shoe", timeout=SLOW_MS)
