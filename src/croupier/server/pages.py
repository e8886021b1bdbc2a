"""The whole site as one ASGI application: the API, its OpenAPI document, the client's files."""

import asyncio
import logging
from contextlib import suppress
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from litestar import Litestar, Response, get
from litestar.config.compression import CompressionConfig
from litestar.datastructures import Headers, MutableScopeHeaders, ResponseHeader
from litestar.exceptions import HTTPException, NotFoundException, PermissionDeniedException
from litestar.handlers import HTTPRouteHandler
from litestar.types import ASGIApp, Message, Receive, Scope, Send

from croupier.ledger.book import LedgerBroken
from croupier.refusal import Refused
from croupier.server import wire
from croupier.server.api import Asked, api
from croupier.server.house import House
from croupier.server.problems import EXCEPTION_HANDLERS
from croupier.server.protocol.routes import document_routes
from croupier.server.sockets import from_this_house
from croupier.server.staff.api import staff_api
from croupier.server.staff.office import Office

POLICY = (
    "default-src 'self'; connect-src 'self' {sockets}; img-src 'self' data:; "
    "style-src 'self' 'unsafe-inline'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)
MEDIA = {
    ".html": "text/html",
    ".js": "text/javascript",
    ".css": "text/css",
    ".svg": "image/svg+xml",
    ".woff2": "font/woff2",
    ".txt": "text/plain",
    ".png": "image/png",
    ".webmanifest": "application/manifest+json",
}

log = logging.getLogger(__name__)


def pages(house: House, office: Office, folder: Path, socket: str, socket_port: int) -> ASGIApp:
    """The site of a house; `folder` has the built client, `socket` the address a proxy gives the socket."""
    public = f"{socket} {socket.rstrip('/')}/staff" if socket else ""

    async def with_policy(message: Message, scope: Scope) -> None:
        if message["type"] == "http.response.start":
            host = urlsplit(f"//{Headers.from_scope(scope).get('host', 'localhost')}").hostname
            sockets = public or f"ws://{host}:{socket_port} wss://{host}:{socket_port}"
            policy = POLICY.format(sockets=sockets)
            MutableScopeHeaders.from_message(message)["Content-Security-Policy"] = policy

    site = Litestar(
        route_handlers=[
            api(house, socket, socket_port),
            staff_api(office),
            *document_routes(),
            client(folder),
        ],
        before_request=only_from_here,
        before_send=[with_policy],
        compression_config=CompressionConfig(backend="gzip"),
        exception_handlers={**EXCEPTION_HANDLERS, Refused: problem, LedgerBroken: house_closed},
        after_exception=[told],
        logging_config=None,
        response_headers=[
            ResponseHeader(name="X-Content-Type-Options", value="nosniff"),
            ResponseHeader(name="Referrer-Policy", value="same-origin"),
        ],
        openapi_config=None,
    )
    return at_the_door(site)


def at_the_door(site: ASGIApp) -> ASGIApp:
    """Answers HEAD as GET: the server leaves the body out. What it gives up when it closes, ends quietly."""

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        asked: Any = {**scope, "method": "GET"} if scope.get("method") == "HEAD" else scope
        with suppress(asyncio.CancelledError):
            await site(asked, receive, send)

    return app


def client(folder: Path) -> HTTPRouteHandler:
    """The built client: hashed files for ever, and its one page for every other address."""
    files = {path.relative_to(folder).as_posix(): path for path in folder.rglob("*") if path.is_file()}

    @get(["/", "/{path:path}"], include_in_schema=False, sync_to_thread=False)
    def file(path: str = "") -> Response[bytes]:
        name = path.lstrip("/")
        is_page = "." not in name.rpartition("/")[2] and not name.startswith("api/")
        found = files.get(name) or (files.get("index.html") if is_page else None)
        if found is None:
            raise NotFoundException
        keep = "public, max-age=31536000, immutable" if name.startswith("assets/") else "no-cache"
        media = MEDIA.get(found.suffix, "application/octet-stream")
        return Response(found.read_bytes(), media_type=media, headers={"Cache-Control": keep})

    return file


def problem(_request: Asked, refused: Refused) -> Response[Any]:
    """A refusal over HTTP: 404 for what isn't there, 409 for what a rule forbids."""
    missing = refused.code.startswith("no_such")
    return Response(wire.Problem(refused.code, refused.args_), status_code=404 if missing else 409)


def house_closed(_request: Asked, _broken: LedgerBroken) -> Response[Any]:
    """Whether what was asked for was done isn't known; it is when the house is open again."""
    return Response(wire.Problem("house_closed", {}), status_code=503, headers={"Retry-After": "5"})


def told(error: Exception, scope: Scope) -> None:
    """What nobody expected is a bug of ours, and stands in the log."""
    if not isinstance(error, Refused | LedgerBroken | HTTPException):
        log.error("%s failed", scope["path"], exc_info=error)


def only_from_here(request: Asked) -> None:
    """A change asked for by another site's page is refused."""
    header = request.headers.get
    if request.method == "POST" and header("Origin") and not from_this_house(header):
        raise PermissionDeniedException
