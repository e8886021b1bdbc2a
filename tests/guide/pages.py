"""Extract the files of a page: code blocks whose opening line names one, as ```python folder/file.py."""

import re
from collections.abc import Iterator
from pathlib import Path

GUIDE = Path(__file__).parents[2] / "docs" / "guide"
HOST = "tables.example"
"""The public host in the samples."""
BLOCK = re.compile(r"^```\w+ (?P<path>\S+)\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)


def files_of(page: str) -> Iterator[tuple[str, str]]:
    """Yield path and text of every file on the page."""
    for block in BLOCK.finditer((GUIDE / page).read_text(encoding="utf-8")):
        yield block["path"], block["text"]


def written(page: str, top: str, folder: Path) -> Path:
    """Write the page's files under `top` into a folder, and return it."""
    for name, text in files_of(page):
        if name.startswith(f"{top}/"):
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
    return folder
