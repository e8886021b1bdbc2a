"""HTTP API of payments, and of the payment provider's notifications."""

from litestar import Response, get, post
from litestar.exceptions import ValidationException

from croupier.accounts.identity import Player
from croupier.accounts.payments import Payment
from croupier.gateway.forwarded import client_address
from croupier.gateway.http_request import BARRED_TOO, SIGNED, HttpRequest, caller_of, signed_body
from croupier.gateway.malformed import MALFORMED, reject_null
from croupier.gateway.rate_limits import ApiLimiter
from croupier.gateway.server import Server
from croupier.protocol import wire

CASHIER = {"rate": "cashier"}
"""Rate limit of cashier routes; other routes of a player count as `history`."""
NOTIFICATION_BYTES_MAX = 4_096


def payment_line(payment: Payment) -> wire.PaymentLine:
    return wire.PaymentLine(
        payment=payment.id,
        direction=payment.direction,
        state=payment.state,
        ended=payment.ended,
        currency=payment.currency,
        amount_minor=payment.amount_minor,
        paid_minor=payment.moved_minor,
        created_ms=payment.created_ms,
        changed_ms=payment.changed_ms,
        redirect=payment.redirect,
        reason=payment.reason,
        held_until_ms=payment.held_until_ms if payment.state == "held" else 0,
    )


@get("/payments")
async def payments(server: Server, player: Player) -> wire.PaymentList:
    """Return the currencies with a payment provider, and the player's last payments."""
    methods = server.payments.methods.items()
    return wire.PaymentList(
        tuple(wire.PaymentMethod(code, method.min_minor, method.max_minor) for code, method in methods),
        await server.payments.withdrawing(player.id),
        tuple(payment_line(each) for each in await server.payments.of(player.id)),
        dict(server.payments.debts.owed(player.id)),
    )


@post("/payments/deposit", status_code=200, opt=CASHIER)
async def begin_deposit(server: Server, player: Player, data: wire.CashierRequest) -> wire.PaymentLine:
    """Begin a deposit, which is credited once the provider confirms it. A repeated `req` begins nothing."""
    await server.registry.check(player.id, player.identity, "deposit")
    return payment_line(await server.payments.deposit(player, data))


@post(
    "/payments/withdraw",
    status_code=200,
    opt=CASHIER | BARRED_TOO,
)
async def begin_withdrawal(
    request: HttpRequest, server: Server, player: Player, data: wire.CashierRequest
) -> wire.PaymentLine:
    """Begin a withdrawal. The money leaves the balance at once, and the player can't take it back.

    Where the server asks for a recent sign-in, `sign_in_again` is refused until the player signs in.
    """
    await server.reauthentication.check_recent(player, caller_of(request).token)
    return payment_line(await server.payments.withdraw(player, data))


@post("/payments/notify", status_code=204, opt={SIGNED: True}, request_max_body_size=NOTIFICATION_BYTES_MAX)
async def notify(request: HttpRequest, server: Server, limiter: ApiLimiter) -> Response[None]:
    """Accept a signed report of the payment provider. A repeated one changes nothing.

    The body is a report on one payment. The signature is in `Croupier-Timestamp` and `Croupier-Signature`.
    """
    limiter.address("notifications", client_address(request.scope))
    try:
        signed = await signed_body(request)
        reject_null(signed.body)
        await server.payments.notified(signed)
    except MALFORMED as error:
        raise ValidationException(str(error)) from None
    return Response(None)


PAYMENT_HANDLERS = (payments, begin_deposit, begin_withdrawal, notify)
