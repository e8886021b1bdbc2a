"""The reference provider's HTTP server: the protocol, a page for the player, and its control."""

import asyncio
import time
from html import escape
from typing import Literal, TypeVar

import msgspec
from litestar import Litestar, MediaType, Response, get, post
from litestar.exceptions import HTTPException, NotAuthorizedException, NotFoundException
from litestar.handlers import HTTPRouteHandler
from litestar.response import Redirect
from msgspec import Struct

from croupier.accounts.payment_states import Direction
from croupier.gateway.http_request import HttpRequest, signed_body
from croupier.integration.payment_provider.provider import (
    ProviderControl,
    ProviderDecision,
    ProviderLog,
    ReferenceProvider,
)
from croupier.protocol.payment_wire import IdentityQuestion, PaymentOrder, StatusAnswer, StatusQuestion
from croupier.protocol.signatures import check_signature
from croupier.refusal import Refused

T = TypeVar("T", bound=Struct)
HANG_S = 60.0
"""Time for which a hanging answer is held back: longer than any server waits."""
PAGE = """<!doctype html><html lang="en"><title>Reference payment provider</title>
<meta name="viewport" content="width=device-width">
<style>
body {{ font: 1rem/1.5 system-ui, sans-serif; display: grid; place-items: center; min-height: 90vh }}
main {{ max-width: 24rem; padding: 1.5rem; border: 1px solid #bbb; border-radius: 12px }}
h1 {{ margin: 0; font-size: 1.4rem }}
button {{ min-height: 2.75rem; padding-inline: 1.25rem; font: inherit }}
</style>
<main><h1>Pay {amount} {currency}</h1>
<p>This is the reference provider: no money moves. Amounts are in smallest units.</p>
<form method="post"><button name="outcome" value="paid">Pay</button>
<button name="outcome" value="denied">Decline</button></form></main></html>"""


async def _signed(request: HttpRequest, provider: ReferenceProvider, kind: type[T]) -> T:
    """Return the body of a request that the server has signed; status 401 for another."""
    signed = await signed_body(request)
    try:
        check_signature(provider.secret, signed, int(time.time()))
    except Refused:
        raise NotAuthorizedException from None
    return msgspec.json.decode(signed.body, type=kind)


async def _answer(provider: ReferenceProvider, answer: Struct) -> Response[bytes]:
    """Return an answer to the server, as the faults have it."""
    if "drop_answer" in provider.faults:
        await asyncio.sleep(HANG_S)
    body = b"<html>" if "garbage" in provider.faults else msgspec.json.encode(answer)
    return Response(body, media_type=MediaType.JSON)


async def _fail_first(provider: ReferenceProvider) -> None:
    """Fail before anything is carried out, if a fault says so."""
    if "time_out" in provider.faults:
        await asyncio.sleep(HANG_S)
    if "error_500" in provider.faults:
        raise HTTPException(status_code=500)


def protocol_routes(provider: ReferenceProvider) -> list[HTTPRouteHandler]:
    """Return the routes of the protocol."""

    async def ordered(request: HttpRequest, direction: Direction) -> Response[bytes]:
        await _fail_first(provider)
        order = await _signed(request, provider, PaymentOrder)
        page = f"{request.base_url}pay/{order.payment}" if direction == "deposit" else ""
        return await _answer(provider, provider.order(direction, order, page))

    @post("/deposit", status_code=200)
    async def deposit(request: HttpRequest) -> Response[bytes]:
        return await ordered(request, "deposit")

    @post("/withdraw", status_code=200)
    async def withdraw(request: HttpRequest) -> Response[bytes]:
        return await ordered(request, "withdrawal")

    @post("/refund", status_code=200)
    async def refund(request: HttpRequest) -> Response[bytes]:
        await _fail_first(provider)
        order = await _signed(request, provider, PaymentOrder)
        return await _answer(provider, provider.refund(order))

    @post("/status", status_code=200)
    async def status(request: HttpRequest) -> Response[bytes]:
        await _fail_first(provider)
        question = await _signed(request, provider, StatusQuestion)
        reports = tuple(provider.report(payment) for payment in question.payments)
        return await _answer(provider, StatusAnswer(reports))

    @post("/kyc", status_code=200)
    async def identity(request: HttpRequest) -> Response[bytes]:
        await _signed(request, provider, IdentityQuestion)
        return Response(msgspec.json.encode(provider.identity), media_type=MediaType.JSON)

    return [deposit, withdraw, refund, status, identity]


def _known(provider: ReferenceProvider, payment: str) -> PaymentOrder:
    order = provider.find(payment)
    if order is None:
        raise NotFoundException
    return order


def page_routes(provider: ReferenceProvider) -> list[HTTPRouteHandler]:
    """Return the page where a player pays, and the control for tests."""

    @get("/pay/{payment:str}", media_type=MediaType.HTML, sync_to_thread=False)
    def page(payment: str) -> str:
        order = _known(provider, payment)
        if provider.is_expired(payment):
            raise HTTPException("The payment has expired.", status_code=410)
        return PAGE.format(amount=order.amount_minor, currency=escape(order.currency))

    @post("/pay/{payment:str}")
    async def decided(request: HttpRequest, payment: str) -> Response[str] | Redirect:
        order, form = _known(provider, payment), await request.form()
        pays = form.get("outcome") == "paid" and not provider.is_expired(payment)
        outcome: Literal["paid", "denied"] = "paid" if pays else "denied"
        provider.decide(ProviderDecision(payment, outcome))
        done = f"The payment is {outcome}. You can close this page."
        return Redirect(order.return_url) if order.return_url else Response(done, status_code=200)

    @post("/control", status_code=204, sync_to_thread=False)
    def control(data: ProviderControl) -> None:
        provider.control(data)

    @get("/log", sync_to_thread=False)
    def log() -> ProviderLog:
        return provider.log

    @post("/decide", status_code=204)
    async def decide(data: ProviderDecision) -> None:
        _known(provider, data.payment)
        provider.decide(data)

    return [page, decided, control, log, decide]


def provider_site(provider: ReferenceProvider) -> Litestar:
    """Return the ASGI application of a reference provider."""
    return Litestar(
        [*protocol_routes(provider), *page_routes(provider)], openapi_config=None, logging_config=None
    )
