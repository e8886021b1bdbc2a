"""Conversion of Markdown to HTML without scripts, styles and images."""

from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from markdown_it import MarkdownIt


def to_html(markdown: str) -> str:
    """Convert Markdown; HTML in it is shown as text."""
    return str(_converter().render(markdown))


@cache
def _converter() -> "MarkdownIt":
    """Return the converter; markdown_it is imported at the first page, not at the start of the server."""
    from markdown_it import MarkdownIt

    return MarkdownIt("commonmark", {"html": False}).enable("table").disable("image")
