"""Security headers of every HTTP response, and status 400 for a malformed `Host`."""

from collections.abc import Sequence

from litestar.datastructures import Headers, MutableScopeHeaders
from litestar.types import ASGIApp, Message, Receive, Scope, Send

from croupier.gateway.origins import Host, read_host
from croupier.protocol import wire
from croupier.protocol.encoding import encode

CONTENT_SECURITY_POLICY = (
    "default-src 'self'; connect-src 'self' {others}; img-src 'self' data:; media-src 'self' blob:; "
    "style-src 'self' 'unsafe-inline'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)
DENY_ALL = "default-src 'none'; frame-ancestors 'none'"
"""Content policy of responses that aren't pages of the client."""
SECURITY_HEADERS = {"X-Content-Type-Options": "nosniff", "Referrer-Policy": "same-origin"}
NO_STORE = "no-store"


def with_security_headers(app: ASGIApp, public_sockets: str, socket_port: int, streams: str = "") -> ASGIApp:
    """Set the security headers on each response of `app`, and reject requests with a malformed `Host`.

    `public_sockets` are the public addresses of the WebSockets; if empty, they are at `socket_port` of the
    request's host. `streams` is the origin of the streams, if it is another.
    """

    async def guard(scope: Scope, receive: Receive, send: Send) -> None:
        host = _host(Headers.from_scope(scope).getall("host", []))
        policy = DENY_ALL if host is None else _policy(host, public_sockets, socket_port, streams)

        async def send_guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                _secure(MutableScopeHeaders.from_message(message), policy)
                _forbid_storing(message, str(scope["path"]))
            await send(message)

        await (reject(send_guarded) if host is None else app(scope, receive, send_guarded))

    return guard


def _host(named: Sequence[str]) -> Host | None:
    """Return the parsed `Host`, which HTTP/1.0 may omit; None if it is malformed or repeated."""
    return read_host(named[0] if named else "localhost") if len(named) < 2 else None


def _policy(host: Host, public_sockets: str, socket_port: int, streams: str) -> str:
    here = f"{host.name}:{socket_port}"
    sockets = public_sockets or f"ws://{here} wss://{here}"
    return CONTENT_SECURITY_POLICY.format(others=f"{sockets} {streams}".rstrip())


def _secure(headers: MutableScopeHeaders, policy: str) -> None:
    for name, value in {**SECURITY_HEADERS, "Content-Security-Policy": policy}.items():
        headers[name] = value


def _forbid_storing(message: Message, path: str) -> None:
    """Forbid caching of errors, and of API responses without a cache policy."""
    headers = MutableScopeHeaders.from_message(message)
    status = int(message.get("status", 0))  # type: ignore[call-overload]
    if status >= 400 or (path.startswith("/api/") and "cache-control" not in headers):
        headers["Cache-Control"] = NO_STORE


async def reject(send: Send) -> None:
    """Respond with 400 without reading the rest of the request."""
    body = encode(wire.Problem("malformed", {"why": "the Host header"}))
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
    await send({"type": "http.response.start", "status": 400, "headers": headers})
    await send({"type": "http.response.body", "body": body, "more_body": False})
