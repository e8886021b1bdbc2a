"""HTTP API of accounts' e-mail addresses, and of the recovery of accounts by mail."""

from litestar import Response, get, post

from croupier.accounts.identity import Player
from croupier.gateway.forwarded import client_address
from croupier.gateway.http_request import BARRED_TOO, HttpRequest, caller_of
from croupier.gateway.rate_limits import ApiLimiter
from croupier.gateway.strict_bodies import strict_body
from croupier.protocol import wire
from croupier.runtime.server import Server


async def _page(server: Server, player: Player) -> wire.AccountMail:
    return wire.AccountMail(*await server.mail_addresses.status(player.id))


@get("/account/mail")
async def account_mail(server: Server, player: Player) -> wire.AccountMail:
    """Return the account's e-mail address."""
    return await _page(server, player)


@post("/account/mail", status_code=200, guards=[strict_body(wire.MailAddressChange)], opt=BARRED_TOO)
async def change_mail_address(
    request: HttpRequest, server: Server, limiter: ApiLimiter, player: Player, data: wire.MailAddressChange
) -> wire.AccountMail:
    """Send a link to an address, which becomes the account's once the link is opened."""
    limiter.address("player_sign_ins", client_address(request.scope))
    await server.mail_addresses.change(caller_of(request), player, data.password, data.address)
    return await _page(server, player)


@post("/account/mail/remove", status_code=200, guards=[strict_body(wire.MailAddressRemoval)], opt=BARRED_TOO)
async def remove_mail_address(
    request: HttpRequest, server: Server, limiter: ApiLimiter, player: Player, data: wire.MailAddressRemoval
) -> wire.AccountMail:
    """Remove the account's address; links that were sent to it expire."""
    limiter.address("player_sign_ins", client_address(request.scope))
    await server.mail_addresses.remove(caller_of(request), player, data.password)
    return await _page(server, player)


@post("/account/mail/verify", status_code=200, guards=[strict_body(wire.MailLink)])
async def verify_mail_address(
    request: HttpRequest, server: Server, limiter: ApiLimiter, data: wire.MailLink
) -> wire.VerifiedAddress:
    """Verify an address by the token of a link, which makes it the account's. No session is needed."""
    limiter.address("player_sign_ins", client_address(request.scope))
    verified = await server.mail_addresses.verify(data.token)
    return wire.VerifiedAddress(verified.address, verified.account)


@post("/recovery", status_code=204, guards=[strict_body(wire.RecoveryRequest)])
async def request_recovery(
    request: HttpRequest, server: Server, limiter: ApiLimiter, data: wire.RecoveryRequest
) -> Response[None]:
    """Send a link for a new password to the account with this name or address, if there is one."""
    limiter.address("player_sign_ins", client_address(request.scope))
    server.recovery.request(caller_of(request), data.name)
    return Response(None)


@post("/recovery/password", status_code=204, guards=[strict_body(wire.PasswordReset)])
async def reset_password(
    request: HttpRequest, server: Server, limiter: ApiLimiter, data: wire.PasswordReset
) -> Response[None]:
    """Set a new password by the token of a link, and end all sessions of the account."""
    limiter.address("player_sign_ins", client_address(request.scope))
    await server.recovery.reset(caller_of(request), data.token, data.password)
    return Response(None)


MAIL_HANDLERS = (
    account_mail,
    change_mail_address,
    remove_mail_address,
    verify_mail_address,
    request_recovery,
    reset_password,
)
