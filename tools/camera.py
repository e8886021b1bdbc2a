"""Screenshots for the documentation."""

import base64
from pathlib import Path

from playwright.sync_api import Browser, BrowserContext, Page

FOLDER = Path("docs/pictures")
DESKTOP, PHONE = (1440, 900), (390, 844)
QUALITY = 70
STILL_MS = 600
"""Time after which transitions have ended."""


def open_page(browser: Browser, address: str, size: tuple[int, int]) -> Page:
    """Open the page of a new guest, or of a member of staff who has yet to sign in."""
    return new_context(browser, address, size).new_page()


def new_context(browser: Browser, address: str, size: tuple[int, int]) -> BrowserContext:
    width, height = size
    return browser.new_context(
        viewport={"width": width, "height": height}, base_url=address, reduced_motion="reduce"
    )


def screenshot(page: Page, name: str) -> None:
    """Save a screenshot as WebP, a tenth of the size of a PNG."""
    page.wait_for_timeout(STILL_MS)
    camera = page.context.new_cdp_session(page)
    taken = camera.send("Page.captureScreenshot", {"format": "webp", "quality": QUALITY})
    camera.detach()
    file = FOLDER / f"{name}.webp"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(base64.b64decode(taken["data"]))
    print(f"{file}: {file.stat().st_size // 1024} KB")
