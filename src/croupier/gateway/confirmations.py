"""Confirmations of requests that change how a player signs in, and the site of the pages that send them."""

from litestar import post
from litestar.di import Provide

from croupier.accounts.identity import Player
from croupier.accounts.passkeys import RelyingParty
from croupier.gateway.forwarded import client_address
from croupier.gateway.http_request import BARRED_TOO, HttpRequest, header_lookup
from croupier.gateway.origins import PublicOrigins
from croupier.gateway.rate_limits import ApiLimiter
from croupier.gateway.server import Server
from croupier.players.confirmed_actions import ShownCredential
from croupier.protocol import wire
from croupier.refusal import Refused


def relying_party(request: HttpRequest, origins: PublicOrigins, limiter: ApiLimiter) -> RelyingParty:
    """Return the site of the page that sends a request about passkeys, which counts as a sign-in."""
    limiter.address("player_sign_ins", client_address(request.scope))
    return origins.relying_party(header_lookup(request), str(request.scope["scheme"]))


def page_party(request: HttpRequest, origins: PublicOrigins, limiter: ApiLimiter) -> RelyingParty | None:
    """Return the same for a request that needs no passkey; None at an address that has none."""
    limiter.address("player_sign_ins", client_address(request.scope))
    try:
        return origins.relying_party(header_lookup(request), str(request.scope["scheme"]))
    except Refused:
        return None


PARTY = {"party": Provide(relying_party, sync_to_thread=False)}
PAGE_PARTY = {"page_party": Provide(page_party, sync_to_thread=False)}


def confirmation_of(order: wire.Confirmation, party: RelyingParty | None) -> ShownCredential:
    """Return the credential with which a player confirms an order."""
    return ShownCredential(order.password, order.passkey, party)


@post("/account/confirmation", status_code=200, dependencies=PARTY, opt=BARRED_TOO, sync_to_thread=False)
def confirmation_challenge(server: Server, player: Player, party: RelyingParty) -> wire.PasskeyChallenge:
    """Begin to confirm a change of the account with a passkey. The answer is valid for five minutes."""
    return server.confirmed.challenge(player, party)


CONFIRMATION_HANDLERS = (confirmation_challenge,)
