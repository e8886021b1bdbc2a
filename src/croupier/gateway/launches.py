"""HTTP API with which an operator's server sends its own players."""

import msgspec
from litestar import Response, post
from litestar.exceptions import ValidationException

from croupier.gateway.accounts import begun_response
from croupier.gateway.forwarded import client_address
from croupier.gateway.http_request import SIGNED, HttpRequest, caller_of, signed_body
from croupier.gateway.malformed import MALFORMED, reject_null
from croupier.gateway.rate_limits import ApiLimiter
from croupier.gateway.server import Server
from croupier.protocol import wire
from croupier.refusal import Refused

LAUNCH_BYTES_MAX = 4_096


@post("/operator/sessions", status_code=200, opt={SIGNED: True}, request_max_body_size=LAUNCH_BYTES_MAX)
async def create_launch(request: HttpRequest, server: Server, limiter: ApiLimiter) -> wire.LaunchLink:
    """Return the link with which one of the operator's players arrives. The request is signed.

    The signature is in `Croupier-Timestamp` and `Croupier-Signature`.
    """
    limiter.address("notifications", client_address(request.scope))
    signed = await signed_body(request)
    server.launches.check_signature(signed)
    try:
        reject_null(signed.body)
        launch = msgspec.json.decode(signed.body, type=wire.Launch)
    except MALFORMED as error:
        raise ValidationException(str(error)) from None
    return await server.launches.link(launch)


@post("/launch", status_code=200)
async def begin_launch(
    request: HttpRequest, server: Server, limiter: ApiLimiter, data: wire.LaunchToken
) -> Response[wire.Me]:
    """Begin the session of a launched player, and replace the session cookie."""
    limiter.address("player_sign_ins", client_address(request.scope))
    begun = await server.launches.begin(caller_of(request), data.token)
    return await begun_response(request, server, begun, Refused("signed_out", why="signed_in"))


LAUNCH_HANDLERS = (create_launch, begin_launch)
