"""HTTP API of help with gambling: helplines, the operator's policy and the minimum age."""

from typing import Annotated

from litestar import get
from litestar.params import Parameter

from croupier.gateway.cookies import session_token
from croupier.gateway.forwarded import client_address
from croupier.gateway.http_request import HttpRequest, header_lookup
from croupier.gateway.rate_limits import ApiLimiter
from croupier.gateway.server import Server
from croupier.gateway.sockets import PLAYER_COOKIE
from croupier.protocol import wire

Jurisdiction = Annotated[str, Parameter(max_length=40)]


@get("/help")
async def player_help(
    request: HttpRequest, server: Server, limiter: ApiLimiter, jurisdiction: Jurisdiction = ""
) -> wire.PlayerHelp:
    """Return where players find help, in this jurisdiction or in that of the session's player."""
    limiter.address("history", client_address(request.scope))
    player = await server.sessions.signed_in(session_token(header_lookup(request), PLAYER_COOKIE))
    named = await server.gateway.read(server.queries.jurisdiction, player.id) if player else ""
    help_ = server.config.help_in(jurisdiction or named)
    helplines = (
        wire.Helpline(one.name, one.url, one.where, one.phone, one.hours, one.languages)
        for one in help_.helplines
    )
    return wire.PlayerHelp(help_.minimum_age, help_.policy, tuple(helplines))


HELP_HANDLERS = (player_help,)
