"""HTTP API of accounts. A new session replaces the browser's cookie."""

from litestar import Response, post
from litestar.background_tasks import BackgroundTask

from croupier.accounts.identity import Player
from croupier.accounts.passkeys import RelyingParty
from croupier.gateway.confirmations import PAGE_PARTY, confirmation_of
from croupier.gateway.cookies import expired_cookies, session_cookie
from croupier.gateway.forwarded import client_address
from croupier.gateway.http_request import BARRED_TOO, HttpRequest, caller_of
from croupier.gateway.rate_limits import ApiLimiter
from croupier.gateway.server import Server
from croupier.gateway.sockets import PLAYER_COOKIE
from croupier.players.accounts import BegunSession
from croupier.protocol import wire
from croupier.refusal import Refused

COOKIE_AGE_S = 180 * 24 * 3600


def me_of(server: Server, player: Player) -> wire.Me:
    identity, barred = player.identity, server.limits.active_break(player.id)
    return wire.Me(player.id, player.name, identity.kind, identity.shown, player.has_password, barred)


def session_response(
    request: HttpRequest, server: Server, player: Player, token: str, after: BackgroundTask | None = None
) -> Response[wire.Me]:
    """Return the player, and set the cookie of their session."""
    cookie = session_cookie(PLAYER_COOKIE, token, request.scope["scheme"], COOKIE_AGE_S)
    return Response(me_of(server, player), cookies=[cookie], background=after)


async def begun_response(
    request: HttpRequest, server: Server, begun: BegunSession, reason: Refused | None = None
) -> Response[wire.Me]:
    """Answer with the new cookie, and then close the sockets of the sessions that it replaces.

    They would connect again with the old cookie if they were closed before the answer. The reason is for the
    sockets of another player; those of the same one connect again.
    """
    player = await server.sessions.signed_in(begun.token)
    if player is None:
        raise Refused("wrong_sign_in")
    others = any(session.player != begun.player for session in begun.ended)
    closing = BackgroundTask(server.sessions.close_soon, begun.ended, reason if others else None)
    return session_response(request, server, player, begun.token, closing)


@post("/account", status_code=200, opt=BARRED_TOO)
async def create_account(
    request: HttpRequest, server: Server, limiter: ApiLimiter, player: Player, data: wire.NewAccount
) -> Response[wire.Me]:
    """Create an account for the guest, and replace the session cookie. Rounds and tables stay open."""
    limiter.address("player_sign_ins", client_address(request.scope))
    begun = await server.accounts.create(caller_of(request), player, data.name, data.password)
    return await begun_response(request, server, begun)


@post("/sign-in", status_code=200)
async def sign_in(
    request: HttpRequest, server: Server, limiter: ApiLimiter, data: wire.PlayerSignIn
) -> Response[wire.Me]:
    """Sign in to an account, and replace the session cookie. The browser's guest is left behind."""
    limiter.address("player_sign_ins", client_address(request.scope))
    begun = await server.accounts.sign_in(caller_of(request), data.name, data.password)
    return await begun_response(request, server, begun, Refused("signed_out", why="signed_in"))


@post(
    "/account/password",
    status_code=200,
    dependencies=PAGE_PARTY,
    opt=BARRED_TOO,
)
async def change_password(
    request: HttpRequest,
    server: Server,
    player: Player,
    page_party: RelyingParty | None,
    data: wire.PasswordChange,
) -> Response[wire.Me]:
    """Change the account's password, replace the session cookie and sign out the other devices."""
    confirmation = confirmation_of(data, page_party)
    begun = await server.passwords.change(caller_of(request), player, confirmation, data.new_password)
    return await begun_response(request, server, begun)


@post("/sign-out", status_code=204)
async def sign_out(request: HttpRequest, server: Server) -> Response[None]:
    """End the session, delete its cookie and close its sockets. Other devices stay signed in."""
    await server.accounts.sign_out(caller_of(request).token)
    return Response(None, cookies=expired_cookies(PLAYER_COOKIE, request.scope["scheme"]))


ACCOUNT_HANDLERS = (create_account, sign_in, change_password, sign_out)
