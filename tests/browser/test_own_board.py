"""The board of a player's own table is restored after a reload and on another device."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.browser.conftest import opened
from tests.browser.coup_player import CoupPlayer, place_chips
from tests.browser.player import SLOW_MS
from tests.support.server_process import ServerProcess

pytestmark = pytest.mark.browser

COUPS = 3
BOARDS = {"roulette": ("red", f"{COUPS} spins"), "baccarat": ("player", f"{COUPS} coups")}
"""A bet of each table, and its board's text after these coups."""
OFF = "[profile]\nresults = false\n"


@pytest.mark.parametrize("table", BOARDS)
def test_a_board_is_restored(page: Page, chromium: Browser, server: ServerProcess, table: str) -> None:
    play_coups(page, table)
    results = strip(page).all_text_contents()
    assert len(results) == COUPS
    page.reload()
    expect_board(page, table, results)
    device = chromium.new_context(base_url=server.address, storage_state=page.context.storage_state())
    other = device.new_page()
    other.goto(f"/table/{table}")
    expect_board(other, table, results)
    device.close()


@pytest.fixture
def phone(chromium: Browser, server: ServerProcess) -> Iterator[Page]:
    with opened(chromium, server, width=390, height=844) as page:
        yield page


def test_on_a_phone_the_results_cover_no_bet(phone: Page) -> None:
    """All bets are in view, and neither the strip nor the status covers one."""
    play_coups(phone, "roulette")
    expect(phone.get_by_text("Place your bets")).to_be_in_viewport()
    bets = phone.locator("[data-testid^='bet-']:visible")
    tops = bets.evaluate_all("bets => bets.map(bet => bet.getBoundingClientRect().top)")
    for shown in (strip(phone).first, phone.get_by_text("Place your bets")):
        box = shown.bounding_box()
        assert box is None or box["y"] + box["height"] <= min(tops)


@pytest.fixture
def without_results(chromium: Browser, tmp_path: Path) -> Iterator[Page]:
    """Open a page of a server that doesn't show past results."""
    (tmp_path / "croupier.toml").write_text(OFF)
    server = ServerProcess(tmp_path / "data", options=("--config", str(tmp_path / "croupier.toml"))).start()
    with opened(chromium, server, width=1280, height=800) as page:
        yield page
    server.stop()


def test_no_board_is_shown_if_the_profile_forbids_it(without_results: Page) -> None:
    play_coups(without_results, "roulette")
    expect(strip(without_results)).to_have_count(0)
    expect(without_results.get_by_text(BOARDS["roulette"][1])).to_have_count(0)


def play_coups(page: Page, table: str) -> None:
    CoupPlayer(page, seed=1).sit(table)
    for _ in range(COUPS):
        place_chips(page, BOARDS[table][0])
        page.get_by_test_id("deal").click()
        expect(page.get_by_test_id("result")).to_be_visible(timeout=SLOW_MS)
        page.get_by_test_id("new-bet").click()


def strip(page: Page) -> Locator:
    return page.get_by_role("list", name="Last results, newest first").get_by_role("listitem")


def expect_board(page: Page, table: str, results: list[str]) -> None:
    """Check that strip and board show these results."""
    expect(strip(page)).to_have_text(results, timeout=SLOW_MS)
    expect(page.get_by_text(BOARDS[table][1]).first).to_be_attached()
