"""Measures how soon a slow phone can be played on: `python -m tools.slow_phone`.

A new guest opens each page with an empty cache, on a phone whose processor is 4 times as slow as this one
and whose line carries 1.6 Mbit/s with 150 ms there and back. Counted from the request until the first
control that takes a bet, or leads to a table, can be pressed. Exit status 1 says that a page took too long.
Times are on the clock, so let nothing else run; of several tries the fastest counts.
"""

import sys
import tempfile
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

from tests.browser.conftest import launched
from tests.support.server_process import HouseProcess
from tools.camera import PHONE, guest

MOST_MS = 2_500
TRIES = 3
SLOWER = 4
LINE = {
    "offline": False,
    "latency": 150,
    "downloadThroughput": 1_600_000 / 8,
    "uploadThroughput": 750_000 / 8,
}
PAGES = {
    "/": "[data-testid='table-classic']",
    "/table/classic": "[data-testid='spot-0-main']:not([aria-disabled='true'])",
    "/table/roulette": "[data-testid='bet-straight_17']:not([aria-disabled='true'])",
    "/table/infinite": "[data-table-root]",
}
"""The control that shows that a page can be used."""
USED_AT_MS = """
(control) => document.querySelector(control)
  ? new Promise((drawn) => requestAnimationFrame(() => setTimeout(() => drawn(performance.now()))))
  : null
"""
SENT_BYTES = """
() => [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')]
  .reduce((sum, { transferSize }) => sum + transferSize, 0)
"""


def opened(browser: Browser, address: str, path: str) -> tuple[float, int]:
    """Open a page as a new guest and return when it could be used, in ms, and what was sent, in bytes."""
    context = guest(browser, address, PHONE)
    page = context.new_page()
    phone = context.new_cdp_session(page)
    phone.send("Network.enable")
    phone.send("Network.emulateNetworkConditions", LINE)
    phone.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
    page.goto(path, wait_until="commit")
    used_at_ms = page.wait_for_function(USED_AT_MS, arg=PAGES[path]).json_value()
    sent = page.evaluate(SENT_BYTES)
    context.close()
    return float(used_at_ms), int(sent)


def main() -> int:
    """Print a line for each page; return whether any took too long."""
    late = False
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        browser = launched(playwright.chromium)
        house = HouseProcess(Path(folder) / "data").start()
        try:
            for path in PAGES:
                tries = [opened(browser, house.address, path) for _ in range(TRIES)]
                fastest_ms, sent = min(tries)
                late = late or fastest_ms > MOST_MS
                print(f"{path}: {fastest_ms / 1000:.2f} of {MOST_MS / 1000:.2f} s, {sent // 1024} KB sent")
        finally:
            house.stop()
            browser.close()
    return int(late)


if __name__ == "__main__":
    sys.exit(main())
