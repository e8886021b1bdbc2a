"""The ASGI application: HTTP API, protocol documents and the client's files."""

import asyncio
import logging
from contextlib import suppress
from pathlib import Path
from typing import Any

from litestar import Litestar, Response, get
from litestar.config.compression import CompressionConfig
from litestar.connection import ASGIConnection
from litestar.exceptions import HTTPException, NotFoundException
from litestar.handlers import BaseRouteHandler, HTTPRouteHandler
from litestar.types import ASGIApp, Guard, Receive, Scope, Send

from croupier.app.documents.routes import document_routes
from croupier.gateway.api import HttpRequest, api, header_lookup
from croupier.gateway.http_headers import with_security_headers
from croupier.gateway.http_server import BODY_BYTES_MAX
from croupier.gateway.origins import PublicOrigins
from croupier.gateway.problems import EXCEPTION_HANDLERS
from croupier.gateway.rate_limits import ApiLimiter
from croupier.ledger.protocol import LedgerBroken
from croupier.protocol import wire
from croupier.refusal import Refused
from croupier.runtime.server import Server
from croupier.staff.api import staff_api
from croupier.staff.service import StaffService

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

NOT_PAGES = ("api", "assets", "ws")
"""First path segments under which the client has no pages."""
STATUSES = {"cross_origin": 403, "wrong_sign_in": 401, "too_many_requests": 429, "too_many_tries": 429}
"""Statuses of refusals; others are 404 for `no_such_` codes, and 409."""
TOO_MANY = 429
SAFE = ("GET", "HEAD", "OPTIONS")

log = logging.getLogger(__name__)


def create_site(
    server: Server,
    staff_service: StaffService,
    folder: Path,
    socket: str,
    socket_port: int,
    origins: PublicOrigins,
) -> ASGIApp:
    """The whole site; `folder` has the built client, `socket` the address a proxy gives the socket."""
    public = f"{socket} {socket.rstrip('/')}/staff" if socket else ""
    limiter = ApiLimiter(server.config.rate_limits)
    site = Litestar(
        route_handlers=[
            api(server, limiter, socket, socket_port),
            staff_api(staff_service, limiter),
            *document_routes(),
            client_files(folder),
        ],
        guards=[same_origin(origins)],
        request_max_body_size=BODY_BYTES_MAX,
        compression_config=CompressionConfig(backend="gzip"),
        exception_handlers={**EXCEPTION_HANDLERS, Refused: refusal_response, LedgerBroken: closed_response},
        after_exception=[log_unexpected],
        logging_config=None,
        openapi_config=None,
    )
    return with_security_headers(handle_head(site), public, socket_port)


def handle_head(site: ASGIApp) -> ASGIApp:
    """Handle HEAD as GET without a body, and suppress the cancellation of requests at shutdown."""

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        request: Any = {**scope, "method": "GET"} if scope.get("method") == "HEAD" else scope
        with suppress(asyncio.CancelledError):
            await site(request, receive, send)

    return app


def client_files(folder: Path) -> HTTPRouteHandler:
    """Serve the built client: hashed files with permanent caching, and its page for other addresses."""
    files = {path.relative_to(folder).as_posix(): path for path in folder.rglob("*") if path.is_file()}

    @get(["/", "/{path:path}"], include_in_schema=False, sync_to_thread=False)
    def file(path: str = "") -> Response[bytes]:
        name = path.lstrip("/")
        is_page = "." not in name.rpartition("/")[2] and name.partition("/")[0] not in NOT_PAGES
        found = files.get(name) or (files.get("index.html") if is_page else None)
        if found is None:
            raise NotFoundException
        keep = "public, max-age=31536000, immutable" if name.startswith("assets/") else "no-cache"
        media = MEDIA.get(found.suffix, "application/octet-stream")
        return Response(found.read_bytes(), media_type=media, headers={"Cache-Control": keep})

    return file


def refusal_response(_request: HttpRequest, refused: Refused) -> Response[Any]:
    """Convert a refusal to a response with its status."""
    status = STATUSES.get(refused.code, 404 if refused.code.startswith("no_such") else 409)
    wait = {"Retry-After": str(refused.args_["seconds"])} if status == TOO_MANY else {}
    return Response(wire.Problem(refused.code, refused.args_), status_code=status, headers=wait)


def closed_response(_request: HttpRequest, _broken: LedgerBroken) -> Response[Any]:
    """Respond with 503: whether the request was executed is unknown until the server has restarted."""
    return Response(wire.Problem("house_closed", {}), status_code=503, headers={"Retry-After": "5"})


def log_unexpected(error: Exception, scope: Scope) -> None:
    """Log errors other than refusals and those of the framework."""
    if not isinstance(error, Refused | LedgerBroken | HTTPException):
        log.error("%r failed", scope["path"], exc_info=error)


def same_origin(origins: PublicOrigins) -> Guard:
    """Return a guard that rejects changes requested by pages of other sites, with 403."""

    def guard(request: ASGIConnection[Any, Any, Any, Any], _: BaseRouteHandler) -> None:
        method, scheme = str(request.scope.get("method")), str(request.scope["scheme"])
        if method not in SAFE and not origins.accepts_change(header_lookup(request), scheme):
            raise Refused("cross_origin")

    return guard
