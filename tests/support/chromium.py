"""Debian's Chromium for the browser tests."""

import shutil

PACKAGE = "chromium-headless-shell"
"""Chromium without its own windows: a page takes half the processor time of one in `chromium`."""


def find_chromium() -> str | None:
    return shutil.which(PACKAGE) or shutil.which("chromium")
