"""Sources and documentation are written in plain technical English.

People are "they" and programs are "it"; a docstring is an imperative or a noun phrase, not a headless clause;
words that were replaced by standard terms stay out; and lines of prose are short enough to compare.
"""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SOURCES = ROOT / "src" / "croupier"
FOLDERS = (SOURCES, ROOT / "tests", ROOT / "tools")
PLANTED = ("tests/style/test_phrases.py", "tests/style/test_prose.py")
"""Files that contain wrong prose, to show that it is detected."""
DOCS = ROOT / "docs"
ENDINGS = (".py", ".md", ".html", ".toml", ".txt", ".mjs")

PRONOUN = re.compile(r"\b(he|him|his|himself)\b", re.IGNORECASE)
HEADLESS = re.compile(r"(What|Who|How|Whose|Whether)\b")
RETIRED = re.compile(
    r"\b(attendance|bookkeep(er|ing)|books|clerks?|dialled|drums?|foresights?|foreseen|hall|happenings?|ink(ed)?"
    r"|keepers?|mouths?|pencil(s|led)?|purses?|scribbl(e|es|ed|ing)|shelf|slates?|tellings?|tills?|visitors?"
    r"|the house(?! (edges?|advantage|wins)\b))\b",
    re.IGNORECASE,
)
"""Words that standard terms have replaced, in text and as parts of identifiers."""
ALLOWED: dict[str, tuple[str, ...]] = {"src/croupier/protocol/wire/base.py": ("slate",)}
"""Retired words that the protocol fixes, by the file that may contain them."""
COLUMNS_MAX = 160
GENERATED = ("compliance.md", "protocol.md", "staff-protocol.md")
"""Pages that a tool generates."""


def files() -> list[Path]:
    """Return the text files of the package, the tests and the tools, except the built client."""
    return sorted(
        path
        for folder in FOLDERS
        for path in folder.rglob("*")
        if path.suffix in ENDINGS and SOURCES / "static" not in path.parents and name_of(path) not in PLANTED
    )


def name_of(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def pronouns(text: str) -> Iterator[str]:
    for number, line in enumerate(text.splitlines(), 1):
        for found in PRONOUN.finditer(line):
            yield f"{number}: {found[0]!r} in: {line.strip()}"


def words(text: str) -> str:
    """Return the text with its identifiers split into words."""
    return re.sub(r"_+|(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", " ", text)


def retired(text: str, allowed: tuple[str, ...] = ()) -> Iterator[str]:
    for number, line in enumerate(text.splitlines(), 1):
        for found in RETIRED.finditer(words(line)):
            if found[0] not in allowed:
                yield f"{number}: {found[0]!r} in: {line.strip()}"


def docstrings(source: str) -> Iterator[tuple[int, str]]:
    """Yield line and text of the docstrings, those of fields too."""
    for node in ast.walk(ast.parse(source)):
        body = getattr(node, "body", None)
        for statement in body if isinstance(body, list) else ():
            match statement:
                case ast.Expr(value=ast.Constant(value=str(text))):
                    yield statement.lineno, text


def headless(source: str) -> Iterator[str]:
    for line, text in docstrings(source):
        if HEADLESS.match(text.lstrip()):
            yield f"{line}: {text.strip().splitlines()[0]}"


def nameless(source: str) -> Iterator[str]:
    """Yield the docstrings of classes that begin with an attribute instead of saying what the class is."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.ClassDef) and (ast.get_docstring(node) or "").startswith("`"):
            yield f"{node.lineno}: {node.name}"


def faults(path: Path) -> list[str]:
    text = path.read_text(encoding="utf-8")
    found = [*pronouns(text), *retired(text, ALLOWED.get(name_of(path), ()))]
    return [*found, *headless(text), *nameless(text)] if path.suffix == ".py" else found


def long_lines(text: str) -> Iterator[str]:
    """Yield the lines of prose that are too long: tables, code and a line of one word are exempt."""
    in_code = False
    for number, line in enumerate(text.splitlines(), 1):
        in_code ^= line.startswith("```")
        prose = not in_code and not line.startswith(("|", "```")) and " " in line.strip().lstrip("-* ")
        if prose and len(line) > COLUMNS_MAX:
            yield f"{number}: {len(line)} columns"


@pytest.mark.parametrize("path", files(), ids=name_of)
def test_sources_are_in_plain_english(path: Path) -> None:
    assert faults(path) == []


def test_lines_of_the_documentation_are_short() -> None:
    pages = [page for page in DOCS.rglob("*.md") if page.name not in GENERATED]
    assert pages
    assert {page.name: found for page in pages if (found := [*long_lines(page.read_text())])} == {}


@pytest.mark.parametrize(
    "line", ["# asks him", '"""His own."""', 'refuse("whether he may")', "the player himself", "He pays"]
)
def test_a_planted_pronoun_is_detected(line: str) -> None:
    assert [*pronouns(line)]


def test_words_that_contain_a_pronoun_are_ignored() -> None:
    assert not [*pronouns("the history of this hex; the_hero, then the header: ahead")]


@pytest.mark.parametrize(
    "line",
    [
        "class PencilMark:",
        "self._slate = slate",
        "def next_till(): ...",
        "# the clerk writes it",
        "import foresight",
        "TELLINGS_MAX = 1",
        "nobody but the house knows it",
        "entered in the books",
    ],
)
def test_a_planted_retired_word_is_detected(line: str) -> None:
    assert [*retired(line)]


@pytest.mark.parametrize("line", ["the house edge", "until then", "a distillery", "challenge", "inkling"])
def test_similar_words_are_ignored(line: str) -> None:
    assert not [*retired(line)]


@pytest.mark.parametrize(
    "source",
    [
        '"""What a player has."""\n',
        'def f():\n    """Whether it is over."""\n',
        'class C:\n    x: bool\n    """Whether it is over."""\n',
        'class C:\n    """Who has left."""\n\n    x: int\n',
        'class C:\n    x: int\n    """How many there are."""\n',
        'async def f():\n    """\n    Whose turn it is.\n    """\n',
    ],
)
def test_a_planted_headless_docstring_is_detected(source: str) -> None:
    assert [*headless(source)]


@pytest.mark.parametrize(
    "source",
    [
        'def f():\n    """Return whether it is over."""\n    x = "What a day"\n',
        'class C:\n    x: bool\n    """True if it is over."""\n',
        '"""Whatever comes."""\n',
    ],
)
def test_other_docstrings_are_accepted(source: str) -> None:
    assert not [*headless(source)]


def test_a_planted_class_that_begins_with_an_attribute_is_detected() -> None:
    assert [*nameless('class C:\n    """`x`: the number of rounds."""\n\n    x: int\n')]
    assert not [*nameless('class C:\n    """Rounds.\n\n    `x`: their number.\n    """\n\n    x: int\n')]


def test_a_planted_long_line_is_detected() -> None:
    long = "word " * 40
    assert [*long_lines(f"# Title\n\n{long}\n")]
    assert not [*long_lines(f"| {long}|\n```sh\n{long}\n```\n- [page]({'x' * 200})\n")]


def test_the_files_of_package_tests_and_tools_are_checked() -> None:
    package = {"src/croupier/cli/main.py", "src/croupier/games/blackjack/help.md"}
    assert package | {"tests/conftest.py", "tools/wire_ts.py"} <= set(map(name_of, files()))
    assert not any("static" in path.parts for path in files())
