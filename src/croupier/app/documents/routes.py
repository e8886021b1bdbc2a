"""HTTP routes of the protocol documents: AsyncAPI, OpenAPI and the reference pages."""

from collections.abc import Callable, Mapping
from typing import Any

from litestar import MediaType, Response, get
from litestar.handlers import HTTPRouteHandler

from croupier.app.documents import asyncapi as sockets
from croupier.app.documents import openapi as services
from croupier.app.documents.page import PATHS, html
from croupier.protocol.encoding import encode
from croupier.protocol.refusals import Audience

FRESH = {"Cache-Control": "no-cache"}
DOCUMENTS: Mapping[str, Callable[[], dict[str, Any]]] = {
    "/api/openapi": lambda: services.openapi(services.PLAYERS),
    "/api/openapi.json": lambda: services.openapi(services.PLAYERS),
    "/api/asyncapi.json": lambda: sockets.asyncapi(sockets.PLAYERS),
    "/api/staff/openapi.json": lambda: services.openapi(services.STAFF),
    "/api/staff/asyncapi.json": lambda: sockets.asyncapi(sockets.STAFF),
}


def document_routes() -> list[HTTPRouteHandler]:
    """Return the handlers of all documents, which are generated at the first request."""
    return [_json(path) for path in DOCUMENTS] + [_page(audience) for audience in PATHS]


def _json(path: str) -> HTTPRouteHandler:
    @get(path, include_in_schema=False, sync_to_thread=True)
    def document() -> Response[bytes]:
        body = encode(DOCUMENTS[path]())
        return Response(body, media_type=MediaType.JSON, headers=FRESH)

    return document


def _page(audience: Audience) -> HTTPRouteHandler:
    @get(PATHS[audience], include_in_schema=False, sync_to_thread=True)
    def page() -> Response[str]:
        return Response(html(audience), media_type=MediaType.HTML, headers=FRESH)

    return page
