"""The board of a player's own table is restored after a reload and on another device."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.browser.conftest import opened
from tests.browser.coup_player import CoupPlayer, lay
from tests.browser.player import SLOW_MS
from tests.support.server_process import HouseProcess

pytestmark = pytest.mark.browser

COUPS = 3
BOARDS = {"roulette": ("red", f"{COUPS} spins"), "baccarat": ("player", f"{COUPS} coups")}
"""A bet of each table, and its board's text after these coups."""
OFF = "[profile]\nresults = false\n"


@pytest.mark.parametrize("table", BOARDS)
def test_a_board_comes_back(page: Page, chromium: Browser, house: HouseProcess, table: str) -> None:
    played(page, table)
    said = strip(page).all_text_contents()
    assert len(said) == COUPS
    page.reload()
    stands(page, table, said)
    device = chromium.new_context(base_url=house.address, storage_state=page.context.storage_state())
    other = device.new_page()
    other.goto(f"/table/{table}")
    stands(other, table, said)
    device.close()


@pytest.fixture
def phone(chromium: Browser, house: HouseProcess) -> Iterator[Page]:
    yield from opened(chromium, house, width=390, height=844)


def test_on_a_phone_what_came_up_covers_no_bet(phone: Page) -> None:
    """All bets are in view, and neither the strip nor the status covers one."""
    played(phone, "roulette")
    expect(phone.get_by_text("Place your bets")).to_be_in_viewport()
    bets = phone.locator("[data-testid^='bet-']:visible")
    tops = bets.evaluate_all("bets => bets.map(bet => bet.getBoundingClientRect().top)")
    for shown in (strip(phone).first, phone.get_by_text("Place your bets")):
        box = shown.bounding_box()
        assert box is None or box["y"] + box["height"] <= min(tops)


@pytest.fixture
def tells_none(chromium: Browser, tmp_path: Path) -> Iterator[Page]:
    """A guest of a server that doesn't show past results."""
    (tmp_path / "floor.toml").write_text(OFF)
    house = HouseProcess(tmp_path / "data", words=("--floor", str(tmp_path / "floor.toml"))).start()
    yield from opened(chromium, house, width=1280, height=800)
    house.stop()


def test_no_board_is_shown_where_the_profile_forbids_it(tells_none: Page) -> None:
    played(tells_none, "roulette")
    expect(strip(tells_none)).to_have_count(0)
    expect(tells_none.get_by_text(BOARDS["roulette"][1])).to_have_count(0)


def played(page: Page, table: str) -> None:
    CoupPlayer(page, seed=1).sit(table)
    for _ in range(COUPS):
        lay(page, BOARDS[table][0])
        page.get_by_test_id("deal").click()
        expect(page.get_by_test_id("result")).to_be_visible(timeout=SLOW_MS)
        page.get_by_test_id("new-bet").click()


def strip(page: Page) -> Locator:
    return page.get_by_role("list", name="Last results, newest first").get_by_role("listitem")


def stands(page: Page, table: str, said: list[str]) -> None:
    """The strip and the board are as they were."""
    expect(strip(page)).to_have_text(said, timeout=SLOW_MS)
    expect(page.get_by_text(BOARDS[table][1]).first).to_be_attached()
