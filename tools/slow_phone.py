"""Measures how soon pages are usable on a slow phone: `python -m tools.slow_phone`.

A new guest opens each page with an empty cache, on a phone with a processor four times as slow as this one,
at 1.6 Mbit/s with a round trip of 150 ms. Measured from the request until the first control that places a bet
or leads to a table can be pressed; the fastest of several tries counts. Exit status 1: a page took too long.
Run nothing else at the same time.
"""

import sys
import tempfile
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

from tests.browser.conftest import launch
from tests.support.server_process import ServerProcess
from tools.camera import PHONE, new_context

LOAD_MS_MAX = 2_500
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
    context = new_context(browser, address, PHONE)
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
        browser = launch(playwright.chromium)
        server = ServerProcess(Path(folder) / "data").start()
        try:
            for path in PAGES:
                tries = [opened(browser, server.address, path) for _ in range(TRIES)]
                fastest_ms, sent = min(tries)
                late = late or fastest_ms > LOAD_MS_MAX
                print(
                    f"{path}: {fastest_ms / 1000:.2f} of {LOAD_MS_MAX / 1000:.2f} s, {sent // 1024} KB sent"
                )
        finally:
            server.stop()
            browser.close()
    return int(late)


if __name__ == "__main__":
    sys.exit(main())
