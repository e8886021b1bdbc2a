"""Screenshots of tables with the drawn dealer: on a desktop, on a phone, and four in a window."""

from pathlib import Path

from playwright.sync_api import Browser, expect

from tests.browser.player import SLOW_MS
from tests.support.server_process import ServerProcess
from tools.camera import DESKTOP, PHONE, open_page, screenshot

CONFIG_TOML = """
[infinite]
betting_ms = 8000
warning_ms = 3000
"""
FOUR = "infinite+live_roulette+live_baccarat+live_sic_bo"


def photograph(browser: Browser, folder: Path) -> None:
    config = folder / "drawn.toml"
    config.write_text(CONFIG_TOML, encoding="utf-8")
    server = ServerProcess(folder / "drawn", options=("--config", str(config))).start()
    for name, size, tables in (
        ("desktop", DESKTOP, "infinite"),
        ("phone", PHONE, "infinite"),
        ("four-tables", DESKTOP, FOUR),
    ):
        page = open_page(browser, server.address, size)
        page.goto(f"/table/{tables}")
        page.locator("[data-table-root][data-phase=betting]").first.wait_for(timeout=5 * SLOW_MS)
        page.get_by_test_id("spot-0-main").click()
        expect(page.get_by_test_id("drawn-dealer").first).to_contain_text("You have", timeout=3 * SLOW_MS)
        screenshot(page, f"video/drawn-{name}")
        page.context.close()
    server.stop()
