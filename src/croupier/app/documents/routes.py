"""HTTP routes of the protocol documents: AsyncAPI, OpenAPI and the reference pages.

The modules that generate the documents are imported at the first request, not at the start of the server.
"""

from collections.abc import Callable, Mapping
from typing import Any

from litestar import MediaType, Response, get
from litestar.handlers import HTTPRouteHandler

from croupier.app.documents.paths import PATHS
from croupier.gateway.strict_queries import only_known_parameters
from croupier.protocol.encoding import encode
from croupier.protocol.refusals import Audience

FRESH = {"Cache-Control": "no-cache"}


def _openapi(audience: Audience) -> dict[str, Any]:
    from croupier.app.documents.openapi import PLAYERS, STAFF, openapi

    return openapi(PLAYERS if audience == "player" else STAFF)


def _asyncapi(audience: Audience) -> dict[str, Any]:
    from croupier.app.documents.asyncapi import PLAYERS, STAFF, asyncapi

    return asyncapi(PLAYERS if audience == "player" else STAFF)


DOCUMENTS: Mapping[str, Callable[[], dict[str, Any]]] = {
    "/api/openapi": lambda: _openapi("player"),
    "/api/openapi.json": lambda: _openapi("player"),
    "/api/asyncapi.json": lambda: _asyncapi("player"),
    "/api/staff/openapi.json": lambda: _openapi("staff"),
    "/api/staff/asyncapi.json": lambda: _asyncapi("staff"),
}


def document_routes() -> list[HTTPRouteHandler]:
    """Return the handlers of all documents, which are generated at the first request."""
    return [_json(path) for path in DOCUMENTS] + [_page(audience) for audience in PATHS]


def _json(path: str) -> HTTPRouteHandler:
    @get(path, include_in_schema=False, sync_to_thread=True, guards=[only_known_parameters])
    def document() -> Response[bytes]:
        body = encode(DOCUMENTS[path]())
        return Response(body, media_type=MediaType.JSON, headers=FRESH)

    return document


def _page(audience: Audience) -> HTTPRouteHandler:
    @get(PATHS[audience], include_in_schema=False, sync_to_thread=True, guards=[only_known_parameters])
    def page() -> Response[str]:
        from croupier.app.documents.page import html

        return Response(html(audience), media_type=MediaType.HTML, headers=FRESH)

    return page
