"""Debian's Chromium for the browser tests."""

import shutil

PACKAGE = "chromium-headless-shell"
"""Chromium without its own windows: a page takes half the processor time of one in `chromium`."""


def find_chromium() -> str | None:
    """Return the path of the program, or None if neither package is installed."""
    return shutil.which(PACKAGE) or shutil.which("chromium")
