"""The ASGI application: HTTP API, protocol documents and the client's files."""

import asyncio
import logging
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

from litestar import Litestar, Response, get
from litestar.config.compression import CompressionConfig
from litestar.connection import ASGIConnection
from litestar.exceptions import HTTPException, NotFoundException, ValidationException
from litestar.handlers import BaseRouteHandler
from litestar.types import ASGIApp, Receive, Scope, Send

from croupier.app.documents.routes import document_routes
from croupier.app.tracing.traced_requests import traced_requests
from croupier.gateway.api import api, api_services
from croupier.gateway.http_headers import with_security_headers
from croupier.gateway.http_request import SIGNED, HttpRequest, header_lookup
from croupier.gateway.http_server import BODY_BYTES_MAX
from croupier.gateway.malformed import NULL, has_null
from croupier.gateway.origins import PublicOrigins
from croupier.gateway.problems import EXCEPTION_HANDLERS
from croupier.gateway.rate_limits import ApiLimiter
from croupier.gateway.server import Server
from croupier.gateway.services import service, services_of, with_services
from croupier.ledger.protocol import DatabaseUnreachable, LedgerBroken
from croupier.protocol import wire
from croupier.refusal import Refused
from croupier.staff.api import staff_api, staff_services
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
PAGES = frozenset(
    {
        "",
        "care",
        "cashier",
        "documents",
        "history",
        "launch",
        "learn",
        "oidc",
        "replay",
        "reset-password",
        "safer-play",
        "settings",
        "staff",
        "table",
        "verify-address",
    }
)
"""First path segments of the client's pages: see `web/src/main.ts` and `web/src/state/router.svelte.ts`."""
SHARED = "replay/"
"""Prefix of the paths of shared replays, which search engines must not list."""
STATUSES = {
    "cross_origin": 403,
    "not_signed_in": 401,
    "signed_out": 401,
    "too_many_requests": 429,
    "too_many_tries": 429,
    "wrong_sign_in": 401,
    "wrong_signature": 401,
}
"""Statuses of refusals. All others are 404 if the code begins with `no_such`, and 409 if it doesn't."""
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
    """Return the whole site. `folder` holds the built client; `socket` is the public URL of the WebSocket."""
    public = f"{socket} {socket.rstrip('/')}/staff" if socket else ""
    limiter = ApiLimiter(server.config.rate_limits)
    services = {
        **api_services(server, limiter, origins, socket, socket_port),
        **staff_services(staff_service),
        "files": ClientFiles(folder),
    }
    media = server.config.media
    streams = media.hls.origin if media and media.hls else ""
    site = handle_head(with_services(routed_site(), services))
    return with_security_headers(site, public, socket_port, streams)


@cache
def routed_site() -> Litestar:
    """Return all routes. A route that needs the server gets it with each request."""
    return Litestar(
        route_handlers=[api(), staff_api(), *document_routes(), file],
        guards=[same_origin, without_null],
        middleware=[traced_requests],
        dependencies={"files": service("files")},
        request_max_body_size=BODY_BYTES_MAX,
        compression_config=CompressionConfig(backend="gzip"),
        exception_handlers={
            **EXCEPTION_HANDLERS,
            Refused: refusal_response,
            LedgerBroken: closed_response,
            DatabaseUnreachable: closed_response,
        },
        after_exception=[log_unexpected],
        logging_config=None,
        openapi_config=None,
    )


def handle_head(site: ASGIApp) -> ASGIApp:
    """Handle HEAD as GET without a body, and suppress the cancellation of requests at shutdown."""

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        request: Any = {**scope, "method": "GET"} if scope.get("method") == "HEAD" else scope
        with suppress(asyncio.CancelledError):
            await site(request, receive, send)

    return app


class ClientFiles:
    """The files of the built client."""

    def __init__(self, folder: Path) -> None:
        self.by_path = {
            path.relative_to(folder).as_posix(): path for path in folder.rglob("*") if path.is_file()
        }


@get(["/", "/{path:path}"], include_in_schema=False, sync_to_thread=False)
def file(files: ClientFiles, path: str = "") -> Response[bytes]:
    """Serve the built client: hashed files, to be cached permanently, and one page for all other addresses.

    At an unknown address the status is 404, and the page says so.
    """
    name = path.lstrip("/")
    first, is_file = name.partition("/")[0], "." in name.rpartition("/")[2]
    has_page = first in PAGES or (not is_file and first not in NOT_PAGES)
    found = files.by_path.get(name) or (files.by_path.get("index.html") if has_page else None)
    if found is None:
        raise NotFoundException
    keep = "public, max-age=31536000, immutable" if name.startswith("assets/") else "no-cache"
    media = MEDIA.get(found.suffix, "application/octet-stream")
    robots = {"X-Robots-Tag": "noindex"} if name.startswith(SHARED) else {}
    headers = {"Cache-Control": keep, **robots}
    status = 200 if name in files.by_path or first in PAGES else 404
    return Response(found.read_bytes(), media_type=media, headers=headers, status_code=status)


def refusal_response(_request: HttpRequest, refused: Refused) -> Response[Any]:
    """Convert a refusal to a response with its status."""
    status = STATUSES.get(refused.code, 404 if refused.code.startswith("no_such") else 409)
    wait = {"Retry-After": str(refused.args_["seconds"])} if status == TOO_MANY else {}
    return Response(wire.Problem(refused.code, refused.args_), status_code=status, headers=wait)


def closed_response(_request: HttpRequest, _why: LedgerBroken | DatabaseUnreachable) -> Response[Any]:
    """Respond with 503: whether the request was executed is unknown until the database is back."""
    return Response(wire.Problem("server_unavailable", {}), status_code=503, headers={"Retry-After": "5"})


def log_unexpected(error: Exception, scope: Scope) -> None:
    """Log errors other than refusals and the framework's, with the route: a path may contain a token."""
    if not isinstance(error, Refused | LedgerBroken | DatabaseUnreachable | HTTPException):
        log.error("%r failed", scope.get("path_template", ""), exc_info=error)


def same_origin(request: ASGIConnection[Any, Any, Any, Any], handler: BaseRouteHandler) -> None:
    """Reject changes that pages of other sites request, with 403.

    A signed request needs no such check, since it has no cookie and a page can't sign it.
    """
    method, scheme = str(request.scope.get("method")), str(request.scope["scheme"])
    if handler.opt.get(SIGNED) or method in SAFE:
        return
    origins: PublicOrigins = services_of(request.scope)["origins"]
    if not origins.accepts_change(header_lookup(request), scheme):
        raise Refused("cross_origin")


def without_null(request: ASGIConnection[Any, Any, Any, Any], _handler: BaseRouteHandler) -> None:
    """Reject addresses with null characters, with 400."""
    if has_null(request.scope["path"], request.scope["query_string"]):
        raise ValidationException(NULL)
