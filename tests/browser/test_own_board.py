"""The board of a player's own table is restored after a reload and on another device."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, ViewportSize, expect

from tests.browser.conftest import opened
from tests.browser.coup_player import CoupPlayer, place_chips
from tests.browser.player import SLOW_MS
from tests.support.server_process import ServerProcess

pytestmark = pytest.mark.browser

COUPS = 3
BOARDS = {"roulette": ("red", f"{COUPS} spins"), "baccarat": ("player", f"{COUPS} coups")}
"""A bet of each table, and its board's text after these coups."""
PROFILE = """
[profile]
results = false
tables_max = 1
"""
PHONE: ViewportSize = {"width": 390, "height": 844}


@pytest.mark.parametrize("table", BOARDS)
def test_a_board_is_restored_and_on_a_phone_covers_no_bet(
    page: Page, chromium: Browser, server: ServerProcess, table: str
) -> None:
    requested = list[str]()
    page.on("request", lambda request: requested.append(request.url))
    play_coups(page, table, COUPS)
    assert len([url for url in requested if "/results?" in url]) == 1
    results = strip(page).all_text_contents()
    assert len(results) == COUPS
    page.reload()
    expect_board(page, table, results)

    # another device, which is a phone, shows it too
    device = chromium.new_context(
        base_url=server.address, storage_state=page.context.storage_state(), viewport=PHONE
    )
    other = device.new_page()
    other.goto(f"/table/{table}")
    expect_board(other, table, results)
    if table == "roulette":
        _all_bets_are_in_view_below_the_results(other)
    device.close()


def _all_bets_are_in_view_below_the_results(phone: Page) -> None:
    """Neither the strip nor the status covers one."""
    expect(phone.get_by_text("Place your bets")).to_be_in_viewport()
    bets = phone.locator("[data-testid^='bet-']:visible")
    tops = bets.evaluate_all("bets => bets.map(bet => bet.getBoundingClientRect().top)")
    for shown in (strip(phone).first, phone.get_by_text("Place your bets")):
        box = shown.bounding_box()
        assert box is None or box["y"] + box["height"] <= min(tops)


@pytest.fixture
def strict(chromium: Browser, tmp_path: Path) -> Iterator[Page]:
    """Open a page of a server that shows no past results, and allows one table at a time."""
    (tmp_path / "croupier.toml").write_text(PROFILE)
    server = ServerProcess(tmp_path / "data", options=("--config", str(tmp_path / "croupier.toml"))).start()
    with opened(chromium, server, width=1280, height=800) as page:
        yield page
    server.stop()


def test_a_profile_may_forbid_the_board_and_a_second_table(strict: Page) -> None:
    strict.goto("/table/roulette+classic")
    expect(strict.get_by_text("Classic Blackjack wasn\u2019t opened")).to_be_visible(timeout=SLOW_MS)
    expect(strict.get_by_test_id("frame-roulette").locator("[data-table-root]")).to_be_visible(
        timeout=SLOW_MS
    )
    expect(strict.get_by_test_id("frame-classic")).to_have_count(0)
    expect(strict.get_by_test_id("add-table")).to_have_count(0)
    play_coup(strict, "roulette")
    expect(strip(strict)).to_have_count(0)
    expect(strict.get_by_text(re.compile(r"\d spins?"))).to_have_count(0)


def play_coups(page: Page, table: str, count: int) -> None:
    CoupPlayer(page, seed=1).sit(table)
    for _ in range(count):
        play_coup(page, table)


def play_coup(page: Page, table: str) -> None:
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
