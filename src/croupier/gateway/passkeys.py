"""HTTP API of players' passkeys. Challenges and sign-ins count as sign-ins of the address."""

from litestar import Response, get, post

from croupier.accounts.identity import Player
from croupier.accounts.passkeys import Passkey, RelyingParty
from croupier.gateway.accounts import begun_response
from croupier.gateway.confirmations import PAGE_PARTY, PARTY, confirmation_of
from croupier.gateway.http_request import BARRED_TOO, HttpRequest, caller_of
from croupier.gateway.server import Server
from croupier.protocol import wire
from croupier.refusal import Refused


def passkey_view(passkey: Passkey) -> wire.PasskeyView:
    return wire.PasskeyView(passkey.id, passkey.name, passkey.added_ms, passkey.used_ms)


async def _views(server: Server, player: Player) -> list[wire.PasskeyView]:
    return [passkey_view(passkey) for passkey in await server.passkeys.list(player)]


@get("/passkeys")
async def passkeys(server: Server, player: Player) -> list[wire.PasskeyView]:
    """Return the player's passkeys, newest first."""
    return await _views(server, player)


@post("/passkeys/creation", status_code=200, dependencies=PARTY, opt=BARRED_TOO)
async def passkey_creation(server: Server, player: Player, party: RelyingParty) -> wire.PasskeyCreation:
    """Begin to add a passkey to the account. The answer is valid for five minutes."""
    return await server.passkeys.creation(player, party)


@post(
    "/passkeys",
    status_code=200,
    dependencies=PARTY,
    opt=BARRED_TOO,
)
async def add_passkey(
    request: HttpRequest, server: Server, player: Player, party: RelyingParty, data: wire.PasskeyAddition
) -> list[wire.PasskeyView]:
    """Add a passkey to the account, confirmed by its password or by another passkey."""
    confirmation = confirmation_of(data, party)
    await server.passkeys.add(caller_of(request), player, confirmation, data.new, party)
    return await _views(server, player)


@post(
    "/passkeys/removal",
    status_code=200,
    dependencies=PAGE_PARTY,
    opt=BARRED_TOO,
)
async def remove_passkey(
    request: HttpRequest,
    server: Server,
    player: Player,
    page_party: RelyingParty | None,
    data: wire.PasskeyRemoval,
) -> list[wire.PasskeyView]:
    """Remove a passkey, confirmed by the password or by a passkey. Sessions that it began continue."""
    confirmation = confirmation_of(data, page_party)
    await server.passkeys.remove(caller_of(request), player, confirmation, data.id)
    return await _views(server, player)


@post(
    "/account/passkey/creation",
    status_code=200,
    dependencies=PARTY,
    opt=BARRED_TOO,
)
async def passkey_account_creation(
    server: Server, player: Player, party: RelyingParty, data: wire.PasskeyAccountName
) -> wire.PasskeyCreation:
    """Begin to create an account with a passkey for the guest. The answer is valid for five minutes."""
    return await server.passkeys.account_creation(player, data.name, party)


@post(
    "/account/passkey",
    status_code=200,
    dependencies=PARTY,
    opt=BARRED_TOO,
)
async def create_passkey_account(
    request: HttpRequest, server: Server, player: Player, party: RelyingParty, data: wire.NewPasskeyAccount
) -> Response[wire.Me]:
    """Create an account for the guest that signs in with this passkey, and replace the session cookie."""
    begun = await server.passkeys.create_account(caller_of(request), player, data, party)
    return await begun_response(request, server, begun)


@post("/sign-in/challenge", status_code=200, dependencies=PARTY, sync_to_thread=False)
def sign_in_challenge(server: Server, party: RelyingParty) -> wire.PasskeyChallenge:
    """Begin to sign in with a passkey. The answer is valid for five minutes."""
    return server.passkeys.challenge(party)


@post("/sign-in/passkey", status_code=200, dependencies=PARTY)
async def sign_in_with_passkey(
    request: HttpRequest, server: Server, party: RelyingParty, data: wire.PasskeySignIn
) -> Response[wire.Me]:
    """Sign in with a passkey, and replace the session cookie. The browser's guest is left behind."""
    begun = await server.passkeys.sign_in(caller_of(request), data, party)
    return await begun_response(request, server, begun, Refused("signed_out", why="signed_in"))


PASSKEY_HANDLERS = (
    passkeys,
    passkey_creation,
    add_passkey,
    remove_passkey,
    passkey_account_creation,
    create_passkey_account,
    sign_in_challenge,
    sign_in_with_passkey,
)
