"""Around every HTTP answer: security headers, and 400 for a request whose `Host` can't be read."""

from collections.abc import Sequence

import msgspec
from litestar.datastructures import Headers, MutableScopeHeaders
from litestar.types import ASGIApp, Message, Receive, Scope, Send

from croupier.gateway.origins import Host, read_host
from croupier.protocol import wire

CONTENT_SECURITY_POLICY = (
    "default-src 'self'; connect-src 'self' {sockets}; img-src 'self' data:; "
    "style-src 'self' 'unsafe-inline'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)
DENY_ALL = "default-src 'none'; frame-ancestors 'none'"
"""The policy of an answer that is no page of ours."""
SECURITY_HEADERS = {"X-Content-Type-Options": "nosniff", "Referrer-Policy": "same-origin"}
NO_STORE = "no-store"


def with_security_headers(app: ASGIApp, public_sockets: str, socket_port: int) -> ASGIApp:
    """Set the security headers on each answer of `app`; it sees no request with a malformed `Host`.

    `public_sockets` are the WebSockets' public addresses; when empty they are on `socket_port` of the
    request's host.
    """

    async def guard(scope: Scope, receive: Receive, send: Send) -> None:
        host = _host(Headers.from_scope(scope).getall("host", []))
        policy = DENY_ALL if host is None else _policy(host, public_sockets, socket_port)

        async def send_guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                _secure(MutableScopeHeaders.from_message(message), policy)
                _forbid_storing(message, str(scope["path"]))
            await send(message)

        await (reject(send_guarded) if host is None else app(scope, receive, send_guarded))

    return guard


def _host(named: Sequence[str]) -> Host | None:
    """HTTP/1.0 needs no `Host`; None when it is malformed or repeated."""
    return read_host(named[0] if named else "localhost") if len(named) < 2 else None


def _policy(host: Host, public_sockets: str, socket_port: int) -> str:
    here = f"{host.name}:{socket_port}"
    return CONTENT_SECURITY_POLICY.format(sockets=public_sockets or f"ws://{here} wss://{here}")


def _secure(headers: MutableScopeHeaders, policy: str) -> None:
    for name, value in {**SECURITY_HEADERS, "Content-Security-Policy": policy}.items():
        headers[name] = value


def _forbid_storing(message: Message, path: str) -> None:
    """No cache keeps errors, nor what the API answers without saying how long it is good for."""
    headers = MutableScopeHeaders.from_message(message)
    answered = int(message.get("status", 0))  # type: ignore[call-overload]
    if answered >= 400 or (path.startswith("/api/") and "cache-control" not in headers):
        headers["Cache-Control"] = NO_STORE


async def reject(send: Send) -> None:
    """Answer 400 without looking at the rest of the request."""
    body = msgspec.json.encode(wire.Problem("malformed", {"why": "the Host header"}))
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
    await send({"type": "http.response.start", "status": 400, "headers": headers})
    await send({"type": "http.response.body", "body": body, "more_body": False})
