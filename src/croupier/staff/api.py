"""Staff HTTP API: sign-in, sign-out and the event log."""

from typing import Annotated

from litestar import Response, Router, get, post
from litestar.di import Provide
from litestar.exceptions import NotAuthorizedException
from litestar.params import Parameter

from croupier.accounts.staff_members import Member
from croupier.clock import now_ms
from croupier.gateway.api import HttpRequest, header_lookup
from croupier.gateway.cookies import expired_cookies, session_cookie, session_token
from croupier.gateway.forwarded import client_address
from croupier.gateway.rate_limits import ApiLimiter, address_key
from croupier.gateway.strict_bodies import strict_body
from croupier.protocol import staff_wire
from croupier.staff.event_log import LINES_PER_PAGE, event_log_page
from croupier.staff.rights import MANAGERS, require_role
from croupier.staff.service import StaffService

STAFF_COOKIE = "croupier_staff"
LogPageSize = Annotated[int, Parameter(ge=1, le=200)]


async def authenticated_member(request: HttpRequest, staff_service: StaffService) -> Member:
    """Return the member whose session cookie the request has; status 401 without a valid session."""
    member = staff_service.sessions.seen(session_token(header_lookup(request), STAFF_COOKIE), now_ms())
    if member is None:
        raise NotAuthorizedException
    return member


@post("/sign-in", status_code=200, guards=[strict_body(staff_wire.SignIn)])
async def sign_in(
    request: HttpRequest, staff_service: StaffService, limiter: ApiLimiter, data: staff_wire.SignIn
) -> Response[None]:
    """Sign in and set the session cookie. The session ends after half an hour without activity."""
    address = client_address(request.scope)
    limiter.address("sign_ins", address)
    token = await staff_service.sign_in(address_key(address), data.name.strip(), data.code)
    return Response(None, cookies=[session_cookie(STAFF_COOKIE, token, request.scope["scheme"])])


@post("/sign-out", status_code=200)
async def sign_out(request: HttpRequest, staff_service: StaffService) -> Response[None]:
    """Sign out and delete the session cookie."""
    staff_service.sessions.end(session_token(header_lookup(request), STAFF_COOKIE))
    return Response(None, cookies=expired_cookies(STAFF_COOKIE, request.scope["scheme"]))


@get("/me", sync_to_thread=False)
def me(member: Member) -> staff_wire.Me:
    """Return the signed-in member of staff."""
    return staff_wire.Me(member.name, member.role)


@get("/log", sync_to_thread=True)
def event_log(
    staff_service: StaffService,
    member: Member,
    before: str | None = None,
    table: str | None = None,
    text: str = "",
    limit: LogPageSize = LINES_PER_PAGE,
) -> staff_wire.EventLogPage:
    """Return a page of the event log, newest first. Only managers may read it."""
    require_role(member, MANAGERS)
    return event_log_page(staff_service.ledger, before, table, text, limit)


HANDLERS = (sign_in, sign_out, me, event_log)


def staff_api(staff_service: StaffService, limiter: ApiLimiter) -> Router:
    """Return the routes under /api/staff, which have their own OpenAPI document."""
    return Router(
        "/api/staff",
        route_handlers=HANDLERS,
        dependencies={
            "staff_service": Provide(lambda: staff_service, sync_to_thread=False),
            "limiter": Provide(lambda: limiter, sync_to_thread=False),
            "member": Provide(authenticated_member),
        },
        include_in_schema=False,
    )
