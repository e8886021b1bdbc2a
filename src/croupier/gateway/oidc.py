"""HTTP API of the sign-in by an operator's identity server (OpenID Connect)."""

from litestar import Response, post

from croupier.gateway.accounts import begun_response
from croupier.gateway.forwarded import client_address
from croupier.gateway.http_request import HttpRequest, caller_of, header_lookup
from croupier.gateway.origins import PublicOrigins
from croupier.gateway.rate_limits import ApiLimiter
from croupier.gateway.server import Server
from croupier.protocol import wire
from croupier.refusal import Refused


@post("/oidc/start", status_code=200)
async def start_oidc(
    request: HttpRequest, server: Server, limiter: ApiLimiter, origins: PublicOrigins
) -> wire.IdentityServerPage:
    """Begin to sign in through the operator's identity server. The answer is valid for ten minutes.

    The browser goes to `url`, and comes back to `/oidc/callback` on this site.
    """
    limiter.address("player_sign_ins", client_address(request.scope))
    origin = origins.page_origin(header_lookup(request), str(request.scope["scheme"]))
    return wire.IdentityServerPage(await server.oidc.start(caller_of(request), origin))


@post("/oidc/finish", status_code=200)
async def finish_oidc(
    request: HttpRequest, server: Server, limiter: ApiLimiter, data: wire.IdentityServerAnswer
) -> Response[wire.Me]:
    """Sign in as the player whom the identity server names, and replace the session cookie.

    If that player is new here, the guest becomes that player; otherwise the guest is left behind.
    """
    limiter.address("player_sign_ins", client_address(request.scope))
    begun = await server.oidc.finish(caller_of(request), data)
    stays = all(player == begun.player for player, _ in begun.ended)
    reason = None if stays else Refused("signed_out", why="signed_in")
    return await begun_response(request, server, begun, reason)


OIDC_HANDLERS = (start_oidc, finish_oidc)
