"""HTTP API of replays that players share."""

import asyncio
from collections.abc import Mapping

from litestar import Response, get, post

from croupier.accounts.identity import Player
from croupier.gateway.forwarded import client_address
from croupier.gateway.http_request import HttpRequest
from croupier.gateway.pages.shared_replay import SharedReplays
from croupier.gateway.rate_limits import ApiLimiter
from croupier.gateway.server import Server
from croupier.protocol import wire

PUBLIC: Mapping[str, str] = {"Cache-Control": "public, max-age=60", "X-Robots-Tag": "noindex"}
"""A link that has ended may be shown for another minute by caches on the way."""


@post("/rounds/{round_id:str}/share", status_code=200)
async def share_round(server: Server, player: Player, round_id: str) -> wire.RoundLink:
    """Make a link that shows the round to anybody, without amounts. It replaces an earlier link."""
    return wire.RoundLink(*await server.sharing.share(player.id, round_id))


@post("/rounds/{round_id:str}/unshare", status_code=204)
async def unshare_round(server: Server, player: Player, round_id: str) -> None:
    """End the link to the round."""
    await server.sharing.end(player.id, round_id)


@get("/replays/{token:str}")
async def shared_round(
    request: HttpRequest, limiter: ApiLimiter, replays: SharedReplays, token: str
) -> Response[wire.SharedReplay]:
    """Return the replay of a shared round. It needs no session."""
    limiter.address("history", client_address(request.scope))
    return Response(await asyncio.to_thread(replays.find, token), headers=PUBLIC)


SHARING_HANDLERS = (share_round, unshare_round, shared_round)
