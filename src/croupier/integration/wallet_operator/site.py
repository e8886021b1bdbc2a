"""The reference operator's HTTP server: the protocol, and its control for tests."""

import asyncio

from litestar import Litestar, MediaType, Response, get, post

from croupier.gateway.http_request import HttpRequest, signed_body
from croupier.integration.wallet_operator.operator import KINDS, ReferenceOperator, WalletControl, WalletLog


def operator_site(operator: ReferenceOperator) -> Litestar:
    """Return the ASGI application of a reference operator."""

    @post(list(KINDS))
    async def message(request: HttpRequest) -> Response[bytes]:
        answer = operator.respond(request.url.path, await signed_body(request))
        await asyncio.sleep(answer.delay_s)
        return Response(answer.body, status_code=answer.status, media_type=MediaType.JSON)

    @post("/control", status_code=204, sync_to_thread=False)
    def control(data: WalletControl) -> None:
        operator.control(data)

    @get("/log", sync_to_thread=False)
    def log() -> WalletLog:
        return operator.log

    return Litestar([message, control, log], openapi_config=None, logging_config=None)
