"""HTTP API of the operator's documents, and of their acceptance."""

from collections.abc import Iterable

from litestar import get, post

from croupier.accounts.documents import Document, DocumentVersion, Due
from croupier.accounts.identity import Player
from croupier.gateway.pages.markdown import to_html
from croupier.gateway.server import Server
from croupier.protocol import wire


@get("/documents", sync_to_thread=False)
def documents(server: Server) -> wire.DocumentList:
    """Return the documents in order of precedence, and what playing agrees to."""
    found = server.config.documents
    lines = tuple(map(_line, found.documents.values()))
    return wire.DocumentList(found.opening, found.precedence, lines)


@get("/documents/{document:str}", sync_to_thread=False)
def one_document(server: Server, document: str) -> wire.DocumentPage:
    """Return a document's text as HTML, and all of its versions."""
    found = server.acceptance.document(document)
    return wire.DocumentPage(found.id, found.title, to_html(found.text), _changes(found.versions))


@get("/documents/due")
async def documents_due(server: Server, player: Player) -> list[wire.DueDocument]:
    """Return the documents that the player has to accept, and amendments that they haven't been shown."""
    return [_due(due) for due in await server.acceptance.due(player.id)]


@post("/documents/accept", status_code=200)
async def accept_document(server: Server, player: Player, data: wire.AcceptRequest) -> list[wire.DueDocument]:
    """Record that the player accepts a document, or has been shown its changes; return what is due still."""
    await server.acceptance.accept(player.id, data.document, data.version)
    return [_due(due) for due in await server.acceptance.due(player.id)]


def _line(document: Document) -> wire.DocumentLine:
    newest = document.versions[0]
    return wire.DocumentLine(document.id, document.title, newest.version, newest.date, document.must_accept)


def _changes(versions: Iterable[DocumentVersion]) -> tuple[wire.DocumentChange, ...]:
    return tuple(wire.DocumentChange(each.version, each.date, each.changes) for each in versions)


def _due(due: Due) -> wire.DueDocument:
    document = due.document
    return wire.DueDocument(
        document.id, document.title, document.version, due.accepted, _changes(due.changes), due.must_accept
    )


DOCUMENT_HANDLERS = (documents, one_document, documents_due, accept_document)
