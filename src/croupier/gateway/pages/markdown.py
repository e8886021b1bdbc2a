"""Conversion of Markdown to HTML without scripts, styles and images."""

from markdown_it import MarkdownIt

_MARKDOWN = MarkdownIt("commonmark", {"html": False}).enable("table").disable("image")


def to_html(markdown: str) -> str:
    """Convert Markdown; HTML in it is shown as text."""
    return str(_MARKDOWN.render(markdown))
