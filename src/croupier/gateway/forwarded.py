"""Client address, scheme and host of requests through a reverse proxy, from `X-Forwarded-*`.

Only headers of configured proxies are trusted, since any client can send them.
"""

import logging
from collections.abc import Sequence
from ipaddress import ip_address, ip_network

from litestar.datastructures import Headers
from litestar.types import ASGIApp, Receive, Scope, Send
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

log = logging.getLogger(__name__)


def forwarded(app: ASGIApp, proxies: Sequence[str]) -> ASGIApp:
    """Pass requests to `app` as they reached the first proxy; `proxies` are addresses and networks."""
    networks = [ip_network(proxy) for proxy in proxies]
    by_proxy = ProxyHeadersMiddleware(app, list(proxies))  # type: ignore[arg-type]
    warned: set[str] = set()

    async def as_sent(scope: Scope, receive: Receive, send: Send) -> None:
        peer = client_address(scope)
        if _in(peer, networks):
            named = _with_public_host(scope)
            await by_proxy(named, receive, send)  # type: ignore[arg-type]
            return
        if not warned and "x-forwarded-for" in Headers(scope["headers"]):
            warned.add(peer)
            log.warning("X-Forwarded-For from %s is ignored: no --proxy of that address is configured", peer)
        await app(scope, receive, send)

    return as_sent


def client_address(scope: Scope) -> str:
    """Return the address of a request's client; empty if unknown."""
    client = scope.get("client")
    return str(client[0]) if client else ""


def _in(address: str, networks: Sequence[object]) -> bool:
    try:
        return any(ip_address(address) in network for network in networks)  # type: ignore[operator]
    except ValueError:
        return False


def _with_public_host(scope: Scope) -> Scope:
    """Return the scope with the host that the browser requested, if the proxy forwards it."""
    headers = Headers(scope["headers"])
    host = _last(headers, "x-forwarded-host")
    if not host:
        return scope
    port = _last(headers, "x-forwarded-port")
    if port and ":" not in host.rpartition("]")[2]:
        host = f"{host}:{port}"
    others = [(name, value) for name, value in scope["headers"] if name != b"host"]
    return {**scope, "headers": [*others, (b"host", host.encode("latin-1"))]}  # type: ignore[return-value]


def _last(headers: Headers, name: str) -> str:
    """Return the value added by the nearest proxy; earlier ones may come from the client."""
    return ",".join(headers.getall(name, [])).rpartition(",")[2].strip()
