"""Pictures of the open pages of a failing test, with the state of their tables."""

from collections.abc import Iterator
from itertools import count
from pathlib import Path

from playwright.sync_api import Browser, Error, Page

STANDS = "roots => roots.map(root => JSON.stringify({ ...root.dataset })).join(' ')"
TAKEN_WITHIN_MS = 5_000


def taken(browser: Browser, folder: Path) -> Iterator[str]:
    """One line a page: where it was, how its tables stood, and the file of its picture."""
    pages = (page for context in browser.contexts for page in context.pages)
    files = (folder / f"{number}.png" for number in count(1))
    for page, file in zip(pages, files, strict=False):
        try:
            yield _taken(page, file)
        except Error as error:
            yield f"{page.url}: no picture, {error.message.splitlines()[0]}"


def _taken(page: Page, file: Path) -> str:
    page.screenshot(path=file, timeout=TAKEN_WITHIN_MS)
    stood = page.locator("[data-table-root]").evaluate_all(STANDS)
    return f"{page.url} {stood}: {file}"
