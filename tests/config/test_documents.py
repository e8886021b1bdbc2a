"""The operator's documents: a valid folder is read, and errors name file, line, field and remedy."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from croupier.config import ServerConfig, read_config
from croupier.config.documents import read_folder
from croupier.games import published_tables
from croupier.play.tables.toml_blocks import InvalidFile

EXAMPLE = Path(__file__).parents[2] / "examples" / "documents"
VERSION = '{ version = "1.0", date = "2026-11-25", changes = "First version." }'
TERMS = f'[terms]\ntitle = "Terms"\nfile = "terms.md"\nversions = [{VERSION}]\n'
Reader = Callable[[str], ServerConfig]


@pytest.fixture
def read(tmp_path: Path) -> Reader:
    """Read a configuration whose folder of documents has this index."""

    def read(index: str) -> ServerConfig:
        folder = tmp_path / "documents"
        folder.mkdir(exist_ok=True)
        (folder / "documents.toml").write_text(index, encoding="utf-8")
        (folder / "terms.md").write_text("## 1. Play\n", encoding="utf-8")
        (folder / "latin.md").write_bytes("Prämie".encode("latin-1"))
        file = str(tmp_path / "server.toml")
        return read_config('[documents]\nfolder = "documents"\n', published_tables(), file)

    return read


def test_the_example_is_valid() -> None:
    config = read_config(f'[documents]\nfolder = "{EXAMPLE}"\n', published_tables(), "server.toml")
    assert [*config.documents.documents] == ["terms", "sweeps", "privacy", "responsible_gaming"]
    assert config.documents.unaccepted({}) == ("terms", "sweeps")


def test_a_document_is_read(read: Reader) -> None:
    document = read(TERMS).documents.documents["terms"]
    assert (document.title, document.version, document.text) == ("Terms", "1.0", "## 1. Play\n")
    assert not document.must_accept


@pytest.mark.parametrize(
    ("index", "error"),
    [
        ("terms = 1\n", "line 1: [terms]: write [name_of_the_document] above its fields"),
        ("[Terms]\n", "line 1: [Terms]: a document's name has a-z, 0-9 and _ only"),
        ("[terms]\nname = 1\n", "line 2: [terms] name: no such field; allowed are: title, file, versions"),
        (TERMS.replace("terms.md", "../terms.md"), "line 3: [terms] file: .*Markdown file beside the index"),
        (TERMS.replace("terms.md", "gone.md"), "line 3: [terms] file: .*gone.md can't be read: No such file"),
        (TERMS.replace("terms.md", "latin.md"), "line 3: [terms] file: .*it isn't UTF-8 text"),
        (TERMS.replace("2026-11-25", "25 November"), "line 4: [terms] versions: .*a list, newest first"),
        (TERMS.replace(VERSION, ""), "line 4: [terms] versions: .*a list, newest first"),
        (
            TERMS.replace(VERSION, f"{VERSION}, {VERSION}"),
            "line 4: [terms] versions: a version is listed twice",
        ),
        (
            TERMS.replace(VERSION, f"{VERSION}, {VERSION}".replace("1.0", "1.1", 1).replace("-25", "-24", 1)),
            "line 4: [terms] versions: list the newest version first",
        ),
        (TERMS + TERMS.replace("[terms]", "[privacy]"), "say which document prevails"),
    ],
)
def test_an_invalid_index_is_refused(read: Reader, index: str, error: str) -> None:
    with pytest.raises(InvalidFile, match="documents.toml.*" + re.escape(error).replace(r"\.\*", ".*")):
        read(index)


def test_a_missing_folder_is_refused_at_the_configurations_line(tmp_path: Path) -> None:
    text, file = '[documents]\nfolder = "nowhere"\n', str(tmp_path / "server.toml")
    with pytest.raises(InvalidFile, match=r"server.toml, line 2: \[documents\] folder: .*can't be read"):
        read_config(text, published_tables(), file)


def test_a_site_without_documents_of_its_own_shows_the_default_set() -> None:
    shown = read_config("", {}, "croupier.toml").documents
    assert [*shown.documents] == ["terms", "sweeps", "privacy", "responsible_gaming"]
    assert not shown.any_to_accept
    assert "don't play" in shown.opening
    assert "prevail over anything else" in shown.precedence


def test_a_folder_replaces_the_default_set_and_its_sentences(tmp_path: Path) -> None:
    (tmp_path / "terms.md").write_text("Our terms.\n")
    (tmp_path / "documents.toml").write_text(
        'opening = "Playing is agreeing."\n[terms]\ntitle = "Terms"\nfile = "terms.md"\n'
        'versions = [{ version = "1.0", date = "2026-11-28", changes = "First." }]\n'
    )
    shown = read_folder(tmp_path)
    assert (shown.opening, shown.precedence, [*shown.documents]) == ("Playing is agreeing.", "", ["terms"])
