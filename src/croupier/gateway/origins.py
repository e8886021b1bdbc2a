"""Same-origin checks: whether a page may act for the player whose cookie a request has."""

import re
from collections.abc import Callable, Sequence
from ipaddress import ip_address
from typing import NamedTuple

from croupier.accounts.passkeys import RelyingParty
from croupier.refusal import Refused

HeaderLookup = Callable[[str], str | None]
"""Returns the value of a request's header; None if it is absent, empty if it is repeated."""

PORTS = {"http": 80, "https": 443}
PORT_MAX = 65_535

_HOST = r"(?P<host>[a-z0-9._~-]+|\[[0-9a-f:.]+\])(?::(?P<port>[0-9]{1,5}))?"
_read_host = re.compile(_HOST, re.IGNORECASE | re.ASCII).fullmatch
_read_origin = re.compile(rf"(?P<scheme>https?)://{_HOST}", re.IGNORECASE | re.ASCII).fullmatch


def single_value(values: Sequence[str]) -> str | None:
    """Reduce a header's values to one, as `HeaderLookup` does."""
    return None if not values else values[0] if len(values) == 1 else ""


class Origin(NamedTuple):
    """Scheme, host and port, which are equal for pages of the same origin."""

    scheme: str
    host: str
    port: int

    def __str__(self) -> str:
        port = "" if self.port == PORTS[self.scheme] else f":{self.port}"
        return f"{self.scheme}://{self.host}{port}"


class Host(NamedTuple):
    """Parsed `Host` header; `port` is 0 if it has none."""

    name: str
    port: int

    def origin(self, scheme: str) -> Origin:
        return Origin(scheme, self.name, self.port or PORTS[scheme])


def read_host(text: str) -> Host | None:
    """Parse a `Host` header; return None if it is malformed."""
    found = _read_host(text)
    return _host(found) if found else None


def read_origin(text: str) -> Origin | None:
    """Parse an `Origin` header; return None if it is malformed, opaque (`null`) or of another scheme."""
    found = _read_origin(text)
    host = _host(found) if found else None
    return host.origin(found["scheme"].lower()) if found and host else None


def origin_of_socket(address: str) -> Origin | None:
    """Return the origin of a WebSocket's address: `https://a.example` for `wss://a.example/ws`."""
    scheme, _, rest = address.partition("://")
    pages = {"ws": "http", "wss": "https"}.get(scheme.lower(), "")
    return read_origin(f"{pages}://{rest.partition('/')[0]}")


def is_ip_address(host: str) -> bool:
    try:
        ip_address(host.strip("[]"))
    except ValueError:
        return False
    return True


def _host(found: re.Match[str]) -> Host | None:
    port = int(found["port"] or 0)
    return Host(found["host"].lower(), port) if port <= PORT_MAX else None


class PublicOrigins(NamedTuple):
    """Origins of the server's pages: the configured ones, and the host of a request at `port`."""

    port: int
    configured: frozenset[Origin] = frozenset()

    def has(self, header: str, own: Origin | None) -> bool:
        """Return whether an `Origin` header names a page of this server; `own` is the request's origin."""
        origin = read_origin(header)
        return origin is not None and (origin == own or origin in self.configured)

    def accepts_socket(self, header: HeaderLookup) -> bool:
        """Return whether a page of this server opens the WebSocket, which has another port."""
        host = read_host(header("Host") or "")
        own = Origin("http", host.name, self.port) if host else None
        return self.has(header("Origin") or "", own)

    def accepts_change(self, header: HeaderLookup, scheme: str) -> bool:
        """Return whether a request for a change comes from a page of this server, or from no page at all.

        Browsers send `Origin` with every such request, and most also send `Sec-Fetch-Site`. Other clients
        send neither, and have no player's cookie unless they were given one.
        """
        if header("Sec-Fetch-Site") not in (None, "same-origin", "none"):
            return False
        origin, host = header("Origin"), read_host(header("Host") or "")
        return origin is None or self.has(origin, host.origin(scheme) if host else None)

    def page_origin(self, header: HeaderLookup, scheme: str) -> str:
        """Return the origin of the page that sends a request; refuse `cross_origin` for another site's."""
        text, host = header("Origin") or "", read_host(header("Host") or "")
        if not self.has(text, host.origin(scheme) if host else None):
            raise Refused("cross_origin")
        return text.lower()

    def relying_party(self, header: HeaderLookup, scheme: str) -> RelyingParty:
        """Return the site of the page that sends a request, as its passkeys name it.

        Refuse `passkey_host` for a page at an IP address, which can't have passkeys, and `cross_origin` for
        one of another site.
        """
        text = self.page_origin(header, scheme)
        origin = read_origin(text)
        assert origin is not None, "it is that of a page"
        if is_ip_address(origin.host):
            raise Refused("passkey_host")
        return RelyingParty(origin.host, text)
