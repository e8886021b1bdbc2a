"""Staff HTTP API: sign-in, the signed-in member, the event log, bonuses and the back office."""

from typing import Annotated

from litestar import Router, get, post
from litestar.di import Provide
from litestar.exceptions import NotAuthorizedException
from litestar.params import Parameter
from litestar.response import Stream

from croupier.accounts.staff_members import Member
from croupier.clock import now_ms
from croupier.gateway.cookies import session_token
from croupier.gateway.http_request import HttpRequest, header_lookup
from croupier.gateway.pages.csv_files import csv_file
from croupier.gateway.pages.exports import CsvExports
from croupier.gateway.services import service
from croupier.gateway.strict_bodies import strict_body
from croupier.gateway.strict_queries import only_known_parameters
from croupier.protocol import staff_wire
from croupier.staff.camera_api import CAMERA_HANDLERS
from croupier.staff.event_log import LINES_PER_PAGE, LogSelection, event_log_csv, event_log_page
from croupier.staff.office_api import OFFICE_HANDLERS, player_pages
from croupier.staff.reports.api import REPORT_HANDLERS
from croupier.staff.rights import MANAGERS, require_role
from croupier.staff.service import StaffService
from croupier.staff.sign_in_api import SIGN_IN_HANDLERS, STAFF_COOKIE

LogPageSize = Annotated[int, Parameter(ge=1, le=200)]
LOG_MS_MAX = 10**14 - 1
LogStartMs = Annotated[int, Parameter(ge=0, le=LOG_MS_MAX)]
LogEndMs = Annotated[int | None, Parameter(ge=0, le=LOG_MS_MAX)]
"""Times of the 14 digits that the ids of actions have."""


async def authenticated_member(request: HttpRequest, staff_service: StaffService) -> Member:
    """Return the member whose session cookie the request has; status 401 without a valid session."""
    member = staff_service.sessions.seen(session_token(header_lookup(request), STAFF_COOKIE), now_ms())
    if member is None:
        raise NotAuthorizedException
    return member


@get("/me")
async def me(staff_service: StaffService, member: Member) -> staff_wire.Me:
    """Return the signed-in member of staff."""
    return staff_wire.Me(member.name, member.role, await staff_service.approvals.waiting(member))


def selected_events(
    table: str = "",
    text: str = "",
    name: str = "",
    what: str = "",
    player: str = "",
    from_ms: LogStartMs = 0,
    to_ms: LogEndMs = None,
    refused: bool = False,
) -> LogSelection:
    """Return the actions that a request selects."""
    return LogSelection(table, text, name, what, player, from_ms, to_ms, refused)


EVENTS = {"events": Provide(selected_events, sync_to_thread=False)}


@get("/log", sync_to_thread=True, dependencies=EVENTS)
def event_log(
    staff_service: StaffService,
    member: Member,
    events: LogSelection,
    before: str = "",
    limit: LogPageSize = LINES_PER_PAGE,
) -> staff_wire.EventLogPage:
    """Return a page of the event log, newest first. Only managers may read it."""
    require_role(member, MANAGERS)
    return event_log_page(staff_service.ledger, events, before, limit)


@get("/log.csv", sync_to_thread=False, dependencies=EVENTS)
def event_log_file(staff_service: StaffService, member: Member, events: LogSelection) -> Stream:
    """Return the event log as CSV, newest first. Only managers may read it."""
    require_role(member, MANAGERS)
    return csv_file("event-log", event_log_csv(staff_service.ledger, staff_service.reports.paged, events))


@get("/bonuses", sync_to_thread=False)
def bonus_offers(staff_service: StaffService, member: Member) -> list[staff_wire.BonusOffer]:
    """Return the bonuses that managers may grant."""
    require_role(member, MANAGERS)
    return staff_service.bonuses.offers()


@post("/bonuses/grant", status_code=200)
async def grant_bonus(
    staff_service: StaffService, member: Member, data: staff_wire.GrantBonus
) -> staff_wire.PlayerBonuses:
    """Grant a player a bonus. Only managers may do this."""
    return await staff_service.bonuses.execute(member, data)


@post("/bonuses/cancel", status_code=200)
async def cancel_bonus(
    staff_service: StaffService, member: Member, data: staff_wire.CancelBonus
) -> staff_wire.PlayerBonuses:
    """Cancel a player's bonus. Only managers may do this."""
    return await staff_service.bonuses.execute(member, data)


HANDLERS = (
    *SIGN_IN_HANDLERS,
    me,
    event_log,
    event_log_file,
    bonus_offers,
    grant_bonus,
    cancel_bonus,
    *CAMERA_HANDLERS,
    *REPORT_HANDLERS,
    *OFFICE_HANDLERS,
)


def staff_services(staff_service: StaffService) -> dict[str, object]:
    """Return what only the handlers of the staff use."""
    server = staff_service.server
    return {
        "staff_service": staff_service,
        "staff_exports": CsvExports(server.ledger, server.tables, server.currencies),
    }


def staff_api() -> Router:
    """Return the routes under /api/staff, which have their own OpenAPI document."""
    return Router(
        "/api/staff",
        route_handlers=(*HANDLERS, player_pages()),
        guards=[only_known_parameters, strict_body],
        dependencies={
            **{name: service(name) for name in ("server", "limiter", "origins", "staff_service")},
            "exports": service("staff_exports"),
            "member": Provide(authenticated_member),
        },
        include_in_schema=False,
    )
