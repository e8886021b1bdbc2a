"""Phrases that were replaced in texts for players and staff stay out."""

from collections.abc import Iterator
from pathlib import Path

RETIRED_PHRASES = (
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
    """Yield the client's sources and the templates of the rules pages."""
    for folder, endings in (("web/src", (".svelte", ".ts")), ("src/croupier", (".md",))):
        for file in Path(folder).rglob("*"):
            if file.suffix in endings and file.name not in ("player.md", "staff.md", "reference.md"):
                yield file, file.read_text(encoding="utf-8")


def test_no_retired_phrase_is_used() -> None:
    texts_by_file = dict(texts())
    assert texts_by_file
    assert {
        str(file): phrase
        for file, text in texts_by_file.items()
        for phrase in RETIRED_PHRASES
        if phrase in text
    } == {}
