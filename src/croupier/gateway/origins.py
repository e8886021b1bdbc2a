"""Same-origin checks: which pages may act for the player whose cookie a request carries."""

import re
from collections.abc import Callable, Sequence
from typing import NamedTuple

HeaderLookup = Callable[[str], str | None]
"""Return the value of a request's header; None when it is absent, empty when it is repeated."""

PORTS = {"http": 80, "https": 443}
PORT_MAX = 65_535

_HOST = r"(?P<host>[a-z0-9._~-]+|\[[0-9a-f:.]+\])(?::(?P<port>[0-9]{1,5}))?"
_read_host = re.compile(_HOST, re.IGNORECASE | re.ASCII).fullmatch
_read_origin = re.compile(rf"(?P<scheme>https?)://{_HOST}", re.IGNORECASE | re.ASCII).fullmatch


def single_value(values: Sequence[str]) -> str | None:
    """Return the only one of a header's values, as `Header` does."""
    return None if not values else values[0] if len(values) == 1 else ""


class Origin(NamedTuple):
    """Scheme, host and port, all of which must be the same for two pages to be of one site."""

    scheme: str
    host: str
    port: int


class Host(NamedTuple):
    """The value of a `Host` header; `port` 0 when it names none."""

    name: str
    port: int

    def origin(self, scheme: str) -> Origin:
        return Origin(scheme, self.name, self.port or PORTS[scheme])


def read_host(text: str) -> Host | None:
    """Parse a `Host` header; None when it is malformed."""
    found = _read_host(text)
    return _host(found) if found else None


def read_origin(text: str) -> Origin | None:
    """Parse an `Origin` header; None when it is malformed, opaque (`null`) or of another scheme."""
    found = _read_origin(text)
    host = _host(found) if found else None
    return host.origin(found["scheme"].lower()) if found and host else None


def origin_of_socket(address: str) -> Origin | None:
    """Return the origin that a WebSocket's address belongs to: `wss://a.example/ws` is of `https://a.example`."""
    scheme, _, rest = address.partition("://")
    pages = {"ws": "http", "wss": "https"}.get(scheme.lower(), "")
    return read_origin(f"{pages}://{rest.partition('/')[0]}")


def _host(found: re.Match[str]) -> Host | None:
    port = int(found["port"] or 0)
    return Host(found["host"].lower(), port) if port <= PORT_MAX else None


class PublicOrigins(NamedTuple):
    """The origins the pages are served from: the configured ones, and the host of a request at `port`."""

    port: int
    configured: frozenset[Origin] = frozenset()

    def has(self, header: str, own: Origin | None) -> bool:
        """Return whether an `Origin` header names a page here; `own` is the request's own origin."""
        origin = read_origin(header)
        return origin is not None and (origin == own or origin in self.configured)

    def accepts_socket(self, header: HeaderLookup) -> bool:
        """Return whether a page of this server opens the WebSocket, which is on another port."""
        host = read_host(header("Host") or "")
        own = Origin("http", host.name, self.port) if host else None
        return self.has(header("Origin") or "", own)

    def accepts_change(self, header: HeaderLookup, scheme: str) -> bool:
        """Whether a page of this server, or no page at all, asks for a change.

        Browsers send `Origin` with every such request, and most also `Sec-Fetch-Site`; other clients send
        neither, and hold no player's cookie that they weren't given.
        """
        if header("Sec-Fetch-Site") not in (None, "same-origin", "none"):
            return False
        origin, host = header("Origin"), read_host(header("Host") or "")
        return origin is None or self.has(origin, host.origin(scheme) if host else None)
