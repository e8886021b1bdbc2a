"""The operator's documents, such as terms and conditions: their versions, and what a player has to accept."""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from croupier.play.contract.game import RulesVersion


class DocumentVersion(RulesVersion, frozen=True, forbid_unknown_fields=True):
    """A version of a document."""

    ask_again: bool = True
    """True if players who accepted an earlier version have to accept this one before their next bet."""


class Document(NamedTuple):
    """A document; `versions` has the newest first, and `text` is its Markdown."""

    id: str
    title: str
    text: str
    must_accept: bool
    """True if players have to accept the document before their first bet."""
    versions: tuple[DocumentVersion, ...]

    @property
    def version(self) -> str:
        return self.versions[0].version

    def since(self, version: str) -> tuple[DocumentVersion, ...]:
        """Return the versions after that one, newest first; all for a version that isn't listed."""
        known = [each.version for each in self.versions]
        return self.versions[: known.index(version)] if version in known else self.versions


class Due(NamedTuple):
    """A document that a player should accept or, unless `must_accept`, whose amendment they should see.

    `accepted` is the version they accepted before; empty: none. `changes` are the versions since.
    """

    document: Document
    accepted: str
    changes: tuple[DocumentVersion, ...]
    must_accept: bool


class Documents(NamedTuple):
    """The operator's documents in their order of precedence; `precedence` is the sentence that states it.

    `opening` says what playing agrees to.
    """

    opening: str = ""
    precedence: str = ""
    documents: Mapping[str, Document] = {}

    def due(self, accepted: Mapping[str, str]) -> Iterator[Due]:
        """Yield the documents due from a player who has accepted these versions."""
        for document in self.documents.values():
            if document.must_accept and (due := _due(document, accepted.get(document.id, ""))):
                yield due

    def unaccepted(self, accepted: Mapping[str, str]) -> tuple[str, ...]:
        """Return the ids of the documents that the player has to accept before a bet."""
        return tuple(due.document.id for due in self.due(accepted) if due.must_accept)

    @property
    def any_to_accept(self) -> bool:
        return any(document.must_accept for document in self.documents.values())


def _due(document: Document, accepted: str) -> Due | None:
    if not accepted:
        return Due(document, "", (), must_accept=True)
    changes = document.since(accepted)
    if not changes:
        return None
    return Due(document, accepted, changes, must_accept=any(each.ask_again for each in changes))


NO_DOCUMENTS = Documents()
