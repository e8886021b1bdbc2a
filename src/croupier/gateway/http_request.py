"""Requests of the HTTP API, and the browser that sends one."""

from typing import Any

from litestar import Request
from litestar.connection import ASGIConnection
from litestar.datastructures import State

from croupier.accounts.devices import described
from croupier.gateway.cookies import session_token
from croupier.gateway.forwarded import client_address
from croupier.gateway.origins import HeaderLookup, single_value
from croupier.gateway.rate_limits import address_key
from croupier.gateway.sockets import PLAYER_COOKIE
from croupier.players.accounts import Caller
from croupier.protocol.signatures import SIGNATURE_HEADER, TIMESTAMP_HEADER, SignedBody

HttpRequest = Request[Any, Any, State]
SIGNED = "signed"
"""Option of a route whose requests are signed, and come from no page."""
WHILE_BARRED = "while_barred"
"""Option of a player's order that a break or an exclusion doesn't forbid."""
BARRED_TOO = {WHILE_BARRED: True}


def header_lookup(request: ASGIConnection[Any, Any, Any, Any]) -> HeaderLookup:
    return lambda name: single_value(request.headers.getall(name, []))


def caller_of(request: HttpRequest) -> Caller:
    """Return the token, address and description of the browser that sends a request."""
    header = header_lookup(request)
    return Caller(
        session_token(header, PLAYER_COOKIE),
        address_key(client_address(request.scope)),
        described(header("User-Agent") or ""),
    )


async def signed_body(request: HttpRequest) -> SignedBody:
    """Return a request's body with its signature, which is still to be checked."""
    header = header_lookup(request)
    return SignedBody(header(TIMESTAMP_HEADER) or "", header(SIGNATURE_HEADER) or "", await request.body())
