"""Players and staff read the trade's and the web's words: phrases that were mended don't return."""

from collections.abc import Iterator
from pathlib import Path

MENDED = (
    "No table is like that",
    "This house",
    "this house lets",
    "has been told of this line",
    "Take away",
    "let speak",
    "without a bust win",
    "lies there, face down",
    "Hear everybody",
    "Nothing was lost. Go",
    "went on with this table",
    "the house's computer",
    "no advice",
    "is wanted now",
    "In truth",
    "Go on in a new",
    "Who has a seat is dealt",
    "takes lines away",
    "didn’t get in",  # noqa: RUF001
)


def texts() -> Iterator[tuple[Path, str]]:
    """The client's sources and the rules pages' templates."""
    for folder, endings in (("web/src", (".svelte", ".ts")), ("src/croupier", (".md",))):
        for file in Path(folder).rglob("*"):
            if file.suffix in endings and file.name not in ("player.md", "staff.md", "reference.md"):
                yield file, file.read_text(encoding="utf-8")


def test_no_mended_phrase_returns() -> None:
    read = dict(texts())
    assert read
    assert {str(file): phrase for file, text in read.items() for phrase in MENDED if phrase in text} == {}
