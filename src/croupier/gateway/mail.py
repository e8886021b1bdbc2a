"""HTTP API of accounts' e-mail addresses, and of the recovery of accounts by mail."""

from litestar import Response, get, post

from croupier.accounts.identity import Player
from croupier.accounts.passkeys import RelyingParty
from croupier.gateway.confirmations import PAGE_PARTY, confirmation_of
from croupier.gateway.forwarded import client_address
from croupier.gateway.http_request import BARRED_TOO, HttpRequest, caller_of
from croupier.gateway.passkeys import passkey_view
from croupier.gateway.rate_limits import ApiLimiter
from croupier.gateway.server import Server
from croupier.protocol import wire


async def _page(server: Server, player: Player) -> wire.AccountMail:
    return wire.AccountMail(*await server.mail_addresses.status(player.id))


@get("/account/mail")
async def account_mail(server: Server, player: Player) -> wire.AccountMail:
    """Return the account's e-mail address."""
    return await _page(server, player)


@post(
    "/account/mail",
    status_code=200,
    dependencies=PAGE_PARTY,
    opt=BARRED_TOO,
)
async def change_mail_address(
    request: HttpRequest,
    server: Server,
    player: Player,
    page_party: RelyingParty | None,
    data: wire.MailAddressChange,
) -> wire.AccountMail:
    """Send a link to an address, which becomes the account's once the link is opened."""
    confirmation = confirmation_of(data, page_party)
    await server.mail_addresses.change(caller_of(request), player, confirmation, data.address)
    return await _page(server, player)


@post(
    "/account/mail/remove",
    status_code=200,
    dependencies=PAGE_PARTY,
    opt=BARRED_TOO,
)
async def remove_mail_address(
    request: HttpRequest,
    server: Server,
    player: Player,
    page_party: RelyingParty | None,
    data: wire.MailAddressRemoval,
) -> wire.AccountMail:
    """Remove the account's address; links that were sent to it expire."""
    await server.mail_addresses.remove(caller_of(request), player, confirmation_of(data, page_party))
    return await _page(server, player)


@post("/account/mail/verify", status_code=200)
async def verify_mail_address(
    request: HttpRequest, server: Server, limiter: ApiLimiter, data: wire.MailLink
) -> wire.VerifiedAddress:
    """Verify an address by the token of a link, which makes it the account's. No session is needed."""
    limiter.address("player_sign_ins", client_address(request.scope))
    verified = await server.mail_addresses.verify(data.token)
    return wire.VerifiedAddress(verified.address, verified.account)


@post("/recovery", status_code=204)
async def request_recovery(
    request: HttpRequest, server: Server, limiter: ApiLimiter, data: wire.RecoveryRequest
) -> Response[None]:
    """Send a link for a new password to the account with this name or address, if there is one."""
    limiter.address("player_sign_ins", client_address(request.scope))
    server.recovery.request(caller_of(request), data.name)
    return Response(None)


@post("/recovery/account", status_code=200)
async def recovered_account(
    request: HttpRequest, server: Server, limiter: ApiLimiter, data: wire.RecoveryLink
) -> wire.RecoveredAccount:
    """Return the passkeys and devices of the account of a link, which stays valid."""
    limiter.address("player_sign_ins", client_address(request.scope))
    owner, access = await server.recovery.account(data.token)
    return wire.RecoveredAccount(
        owner.account,
        tuple(passkey_view(passkey) for passkey in access.passkeys),
        tuple(wire.SignedInDevice(*device, this=False) for device in access.devices),
    )


@post("/recovery/password", status_code=204)
async def reset_password(
    request: HttpRequest, server: Server, limiter: ApiLimiter, data: wire.PasswordReset
) -> Response[None]:
    """Set a new password by the token of a link, end all sessions and remove the other passkeys."""
    limiter.address("player_sign_ins", client_address(request.scope))
    await server.recovery.reset(caller_of(request), data.token, data.password, data.kept_passkeys)
    return Response(None)


MAIL_HANDLERS = (
    account_mail,
    change_mail_address,
    remove_mail_address,
    verify_mail_address,
    request_recovery,
    recovered_account,
    reset_password,
)
