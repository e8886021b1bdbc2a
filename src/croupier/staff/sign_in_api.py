"""Staff HTTP API: sign-in, enrolment and sign-out."""

from litestar import Response, get, post
from litestar.di import Provide

from croupier.accounts.passkeys import RelyingParty
from croupier.gateway.cookies import expired_cookies, session_cookie, session_token
from croupier.gateway.forwarded import client_address
from croupier.gateway.http_request import HttpRequest, caller_of, header_lookup
from croupier.gateway.origins import PublicOrigins
from croupier.gateway.rate_limits import ApiLimiter, address_key
from croupier.protocol import staff_sign_in, wire
from croupier.refusal import Refused
from croupier.staff.service import StaffService

STAFF_COOKIE = "croupier_staff"


def limited_address(request: HttpRequest, limiter: ApiLimiter) -> str:
    """Return the address of a request, which counts as a sign-in."""
    address = client_address(request.scope)
    limiter.address("sign_ins", address)
    return address_key(address)


def relying_party(request: HttpRequest, origins: PublicOrigins) -> RelyingParty:
    """Return the site of the page that sends a request about passkeys."""
    return origins.relying_party(header_lookup(request), str(request.scope["scheme"]))


ADDRESS = {"address": Provide(limited_address, sync_to_thread=False)}
PARTY = {**ADDRESS, "party": Provide(relying_party, sync_to_thread=False)}


def _session(request: HttpRequest, token: str) -> Response[None]:
    return Response(None, cookies=[session_cookie(STAFF_COOKIE, token, request.scope["scheme"])])


@get("/sign-in", sync_to_thread=False)
def sign_in_methods(staff_service: StaffService) -> staff_sign_in.SignInMethods:
    """Return how members sign in."""
    return staff_sign_in.SignInMethods(staff_service.sign_in.one_time)


@post("/sign-in", status_code=200, dependencies=ADDRESS)
async def sign_in(
    request: HttpRequest, staff_service: StaffService, address: str, data: staff_sign_in.SignIn
) -> Response[None]:
    """Sign in and set the session cookie. The session ends after half an hour without activity."""
    token = await staff_service.sign_in.with_code(address, data.name.strip(), data.code)
    return _session(request, token)


@post("/sign-in/challenge", status_code=200, dependencies=PARTY, sync_to_thread=False)
def sign_in_challenge(
    staff_service: StaffService,
    address: str,  # noqa: ARG001 - counts the request
    party: RelyingParty,
) -> wire.PasskeyChallenge:
    """Begin to sign in with a passkey. The answer is valid for five minutes."""
    return staff_service.sign_in.challenge(party)


@post("/sign-in/passkey", status_code=200, dependencies=PARTY)
async def sign_in_with_passkey(
    request: HttpRequest,
    staff_service: StaffService,
    address: str,
    party: RelyingParty,
    data: wire.PasskeySignIn,
) -> Response[None]:
    """Sign in with a passkey, and set the session cookie."""
    return _session(request, await staff_service.sign_in.with_passkey(address, data, party))


@post("/enrolment", status_code=200, dependencies=ADDRESS)
async def start_enrolment(
    request: HttpRequest,
    staff_service: StaffService,
    origins: PublicOrigins,
    address: str,
    data: staff_sign_in.StartEnrolment,
) -> staff_sign_in.EnrolmentOffer:
    """Check an enrolment code, and return what is needed to set up an authenticator app or a passkey."""
    try:
        party = relying_party(request, origins)
    except Refused:
        party = None  # an app can be set up at an IP address too
    return await staff_service.enrolment.offer(address, data, party)


@post(
    "/enrolment/authenticator",
    status_code=200,
    dependencies=ADDRESS,
)
async def enrol_authenticator(
    request: HttpRequest, staff_service: StaffService, address: str, data: staff_sign_in.EnrolAuthenticator
) -> Response[None]:
    """Set up the authenticator app of the offer, use up the enrolment code, and sign in."""
    return _session(request, await staff_service.enrolment.with_authenticator(address, data))


@post(
    "/enrolment/passkey",
    status_code=200,
    dependencies=PARTY,
)
async def enrol_passkey(
    request: HttpRequest,
    staff_service: StaffService,
    address: str,
    party: RelyingParty,
    data: staff_sign_in.EnrolPasskey,
) -> Response[None]:
    """Add the passkey that was created for the offer, use up the enrolment code, and sign in."""
    device = caller_of(request).device
    return _session(request, await staff_service.enrolment.with_passkey(address, data, device, party))


@post("/sign-out", status_code=200)
async def sign_out(request: HttpRequest, staff_service: StaffService) -> Response[None]:
    """Sign out and delete the session cookie."""
    staff_service.sessions.end(session_token(header_lookup(request), STAFF_COOKIE))
    return Response(None, cookies=expired_cookies(STAFF_COOKIE, request.scope["scheme"]))


SIGN_IN_HANDLERS = (
    sign_in_methods,
    sign_in,
    sign_in_challenge,
    sign_in_with_passkey,
    start_enrolment,
    enrol_authenticator,
    enrol_passkey,
    sign_out,
)
