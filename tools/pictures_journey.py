"""Screenshots of a player's journey, on a desktop and on a phone: `python -m tools.pictures_journey`."""

import tempfile
from pathlib import Path

from playwright.sync_api import Browser, Locator, Page, sync_playwright

from tests.browser.conftest import launch
from tests.browser.journey.stage import new_journey
from tests.browser.journey.story import play
from tests.browser.screens import resize
from tools.camera import DESKTOP, PHONE, screenshot


def look(page: Page, station: str, at: Locator | None = None) -> None:
    """Take the station's pictures: `NAME-phone.webp`, and `NAME.webp`, at whose size the page is left."""
    for size, name in ((PHONE, f"{station}-phone"), (DESKTOP, station)):
        resize(page, size)
        if at:
            at.evaluate("part => part.scrollIntoView({ block: 'center' })")
        screenshot(page, f"journey/{name}")


def photograph(browser: Browser, folder: Path) -> None:
    with new_journey(browser, folder, look) as played:
        play(played)


def main() -> None:
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        browser = launch(playwright.chromium)
        photograph(browser, Path(folder))
        browser.close()


if __name__ == "__main__":
    main()
