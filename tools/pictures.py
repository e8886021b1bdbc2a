"""Makes the screenshots of the documentation: `python -m tools.pictures` plays at real servers.

At own tables the cards are random, so those screenshots differ each time; at live tables a dealer deals
chosen cards.
"""

import tempfile
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

from tests.browser.conftest import launch
from tests.browser.limits import set_limit
from tests.browser.player import Player
from tests.support.server_process import ServerProcess
from tools import pictures_drawn, pictures_live, pictures_video
from tools.camera import PHONE, STILL_MS, new_context, screenshot

DESKTOP = (1280, 800)
COUPS_BEFORE = 11


def lobby(page: Page) -> None:
    page.goto("/")
    page.get_by_test_id("table-classic").wait_for()


def decision(page: Page) -> None:
    """Show three boxes, one of them split, with a decision to make."""
    player = Player(page, seed=1)
    player.sit("multihand")
    while True:
        _deal_on_every_box(page, player)
        while player.wait_for_turn():
            split = page.locator("[data-testid='action-split']:not([aria-disabled='true'])")
            if split.count():
                split.click()
                if player.wait_for_turn():
                    return
            else:
                player.decide("mouse")


def result(page: Page) -> None:
    """Show five boxes played out against two open cards, some won."""
    player = Player(page, seed=2)
    player.sit("double_exposure")
    while not page.locator("[data-testid='result'][data-net]:not([data-net^='-'])").count():
        _deal_on_every_box(page, player)
        while player.wait_for_turn():
            page.get_by_test_id("action-stand").click()


def rules(page: Page) -> None:
    Player(page, seed=3).sit("classic")
    page.get_by_test_id("table-menu").click()
    page.get_by_test_id("menu-rules").click()
    page.get_by_role("dialog").wait_for()


def history(page: Page) -> None:
    result(page)
    page.goto("/history")
    page.locator("[data-testid^='round-']").first.click()
    page.get_by_role("button", name="First").wait_for()


def safer_play(page: Page) -> None:
    """Show some limits, one of which ends tomorrow."""
    result(page)
    page.goto("/safer-play")
    for what, period, most in (
        ("deposit", "week", "20000"),
        ("session", "", "90"),
        ("loss", "day", "200000"),
    ):
        set_limit(page, what, period, most)
        page.wait_for_timeout(STILL_MS)
    page.get_by_role("button", name="Remove limit: Losses per day").click()
    page.get_by_role("button", name="Keep limit").wait_for()
    page.get_by_role("heading", name="Reminder").evaluate("heading => heading.scrollIntoView()")


COUPS = {
    "roulette": ("straight_17", "split_17_20", "corner_16_17_19_20", "dozen_2", "black"),
    "baccarat": ("player", "tie"),
    "sic_bo": ("big", "total_11", "single_4"),
}


def coups(table: str) -> Callable[[Page], None]:
    """Play enough coups to fill the board of results."""

    def scene(page: Page) -> None:
        player = Player(page, seed=4)
        player.sit(table)
        page.locator("[data-testid^='chip-']").nth(1).click()
        for bet in COUPS[table]:
            page.get_by_test_id(f"bet-{bet}").click()
        page.get_by_test_id("deal").click()
        page.locator("[data-phase='ended']").wait_for()
        for _ in range(COUPS_BEFORE):
            page.get_by_test_id("rebet").click()
            page.wait_for_timeout(STILL_MS)
            page.locator("[data-phase='ended']").wait_for()

    return scene


SCENES: dict[str, tuple[Callable[[Page], None], tuple[int, int]]] = {
    "lobby": (lobby, DESKTOP),
    "decision": (decision, DESKTOP),
    "result": (result, DESKTOP),
    "rules": (rules, DESKTOP),
    "history": (history, DESKTOP),
    "safer-play": (safer_play, DESKTOP),
    **{table: (coups(table), DESKTOP) for table in COUPS},
    "phone-lobby": (lobby, PHONE),
    "phone-decision": (decision, PHONE),
    "phone-roulette": (coups("roulette"), PHONE),
}


def _deal_on_every_box(page: Page, player: Player) -> None:
    if player.phase == "ended":
        page.get_by_test_id("new-bet").click()
    page.locator("[data-testid^='chip-']").nth(1).click()
    for spot in page.locator("[data-testid^='spot-'][data-testid$='-main']").all():
        spot.click()
    page.get_by_test_id("deal").click()


def _photograph(browser: Browser, address: str, name: str) -> None:
    scene, size = SCENES[name]
    context = new_context(browser, address, size)
    page = context.new_page()
    scene(page)
    screenshot(page, name)
    context.close()


def main() -> None:
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        server = ServerProcess(Path(folder) / "data").start()
        browser = launch(playwright.chromium)
        for name in SCENES:
            _photograph(browser, server.address, name)
        server.stop()
        pictures_live.photograph(browser, Path(folder))
        pictures_video.photograph(browser, Path(folder))
        pictures_drawn.photograph(browser, Path(folder))
        browser.close()


if __name__ == "__main__":
    main()
