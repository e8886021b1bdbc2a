"""Reading of the operator's documents: a folder with an index, `documents.toml`, and Markdown files.

The index has one block for each document, in order of precedence, the sentence that states the order, and
the one that says what playing agrees to. Without a folder, the server publishes DEFAULT_DOCUMENTS.
"""

import re
from collections.abc import Mapping
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Annotated, Any

from msgspec import Meta, Struct

from croupier.accounts.documents import Document, Documents, DocumentVersion
from croupier.play.tables.toml_blocks import (
    InvalidField,
    InvalidFile,
    check_known,
    convert,
    fields,
    read_blocks,
)

INDEX = "documents.toml"
OPENING, PRECEDENCE = "opening", "precedence"
SENTENCES = (OPENING, PRECEDENCE)
DEFAULT_OPENING = (
    "By playing, you confirm that you have read and accept the rules of the table and our terms and policies,"
    " which belong together and are the whole agreement between us about play. If you don't agree with any of"
    " them, don't play."
)
_VERSIONS = 'a list, newest first, such as [{ version = "1.0", date = "2026-11-25", changes = "First." }]'
_FILE = 'the name of a Markdown file beside the index, such as "terms.md"'


class DocumentFields(Struct, frozen=True, forbid_unknown_fields=True):
    """A block of the index."""

    title: Annotated[str, Meta(min_length=1, max_length=80)]
    file: Annotated[str, Meta(pattern=r"^[\w.-]+\.md$", description=_FILE)]
    versions: Annotated[tuple[DocumentVersion, ...], Meta(min_length=1, description=_VERSIONS)]
    must_accept: bool = False
    """True if players have to accept the document before their first bet."""


class DocumentConfig(Struct, frozen=True, forbid_unknown_fields=True):
    """The block `documents` of the configuration file."""

    folder: Annotated[str, Meta(min_length=1)]
    """The folder with the index, relative to the configuration file."""


def read_documents(block: Mapping[str, Any], beside: Path) -> Documents:
    """Return the documents that the configuration's block names; `beside` is the configuration's folder.

    Raise InvalidField for an invalid block, and InvalidFile for an invalid index.
    """
    check_known(block, fields(DocumentConfig))
    return read_folder(beside / convert(block, DocumentConfig).folder)


def read_folder(folder: Path) -> Documents:
    """Return the documents of a folder; raise InvalidField or InvalidFile if its index is invalid."""
    index = folder / INDEX
    try:
        text = index.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise InvalidField("folder", f"{index} can't be read: {_why(error)}") from None
    blocks = read_blocks(text, str(index), partial(_read_block, folder))
    opening = blocks.pop(OPENING, DEFAULT_OPENING)
    precedence = blocks.pop(PRECEDENCE, "")
    if len(blocks) > 1 and not precedence:
        raise InvalidFile(
            f'{index}: say which document prevails: precedence = "…", above the documents in their order'
        )
    return Documents(opening, precedence, blocks)


def _read_block(folder: Path, name: str, block: Any) -> Any:
    if name in SENTENCES and isinstance(block, str):
        return block
    if not isinstance(block, dict):
        raise InvalidField("", "write [name_of_the_document] above its fields")
    if not re.fullmatch(r"[a-z0-9_]{1,40}", name):
        raise InvalidField("", "a document's name has a-z, 0-9 and _ only, 40 characters at most")
    check_known(block, fields(DocumentFields))
    given = convert(block, DocumentFields)
    _check_versions(given.versions)
    path = folder / given.file
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise InvalidField("file", f"{path} can't be read: {_why(error)}") from None
    return Document(name, given.title, text, given.must_accept, given.versions)


def _check_versions(versions: tuple[DocumentVersion, ...]) -> None:
    numbers = [each.version for each in versions]
    if len(set(numbers)) < len(numbers):
        raise InvalidField("versions", "a version is listed twice")
    if any(newer.date < older.date for newer, older in pairwise(versions)):
        raise InvalidField("versions", "list the newest version first")


def _why(error: OSError | UnicodeDecodeError) -> str:
    return error.strerror or str(error) if isinstance(error, OSError) else "it isn't UTF-8 text"


DEFAULT_DOCUMENTS = read_folder(Path(__file__).parent / "default_documents")
"""The documents of a server whose operator has none."""
