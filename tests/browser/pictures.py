"""Pictures of the open pages of a failing test, with the state of their tables."""

from collections.abc import Iterator
from itertools import count
from pathlib import Path

from playwright.sync_api import Browser, Error, Page

TABLE_STATES = "roots => roots.map(root => JSON.stringify({ ...root.dataset })).join(' ')"
SCREENSHOT_TIMEOUT_MS = 5_000


def taken(browser: Browser, folder: Path) -> Iterator[str]:
    """Yield a line for each page: its address, the state of its tables, and the file of its picture."""
    pages = (page for context in browser.contexts for page in context.pages)
    files = (folder / f"{number}.png" for number in count(1))
    for page, file in zip(pages, files, strict=False):
        try:
            yield _taken(page, file)
        except Error as error:
            yield f"{page.url}: no picture, {error.message.splitlines()[0]}"


def _taken(page: Page, file: Path) -> str:
    page.screenshot(path=file, timeout=SCREENSHOT_TIMEOUT_MS)
    states = page.locator("[data-table-root]").evaluate_all(TABLE_STATES)
    return f"{page.url} {states}: {file}"
