"""OpenAPI documents of the player and staff HTTP APIs."""

import re
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from litestar import Litestar, Router
from litestar.di import Provide
from litestar.exceptions import LitestarDeprecationWarning
from litestar.handlers import HTTPRouteHandler
from litestar.openapi import OpenAPIConfig
from litestar.openapi.plugins import JsonRenderPlugin

import croupier
from croupier.app.documents.schemas import Schema, components, one_line, session_scheme, with_refusals
from croupier.app.documents.session import worked_session
from croupier.gateway import api
from croupier.gateway.sockets import PLAYER_COOKIE
from croupier.protocol import staff_wire, wire
from croupier.protocol.refusals import Audience
from croupier.staff import api as staff_api
from croupier.staff.office_api import PLAYER_PAGES, player_pages
from croupier.staff.sign_in_api import STAFF_COOKIE

SESSION_DEPENDENCIES = ("player", "whose", "member")
"""Dependencies that require a session."""
INJECTED = (
    *("server", "limiter", "origins", "at", "lobby", "exports", "replays", "statuses", "staff_service"),
    *("report", "events"),
    *("player", "member", "party", "address"),
)
"""Dependencies of the handlers, which aren't parameters of requests."""
PROBLEM = {"$ref": "#/components/schemas/Problem"}


@dataclass(frozen=True, slots=True, eq=False)
class HttpApi:
    """One of the two HTTP APIs."""

    audience: Audience
    title: str
    prefix: str
    handlers: Sequence[HTTPRouteHandler]
    routes: Callable[[], Sequence[HTTPRouteHandler | Router]]
    """Makes what the service's router registers; a router inside it can be registered only once."""
    cookie: str
    about: str
    refusal: Mapping[str, Any]
    """Example of a refusal."""


PLAYERS = HttpApi(
    "player",
    "croupier player HTTP API",
    "/api",
    api.HANDLERS,
    lambda: api.HANDLERS,
    PLAYER_COOKIE,
    "Sign-in, the lobby, tables as data, history, the cashier, payments and the player's own limits. Play "
    "itself uses the WebSocket, which `/api/asyncapi.json` describes. Amounts are whole numbers of a "
    "currency's smallest unit, times are milliseconds since 1970 (UTC). Every error is a `Problem`.",
    {"code": "not_covered", "args": {"currency": "EUR", "balance_minor": 500, "needed_minor": 1000}},
)
STAFF = HttpApi(
    "staff",
    "croupier staff HTTP API",
    "/api/staff",
    (*staff_api.HANDLERS, *PLAYER_PAGES),
    lambda: (*staff_api.HANDLERS, player_pages()),
    STAFF_COOKIE,
    "Sign-in, enrolment, sign-out, the event log, bonuses, players, reports and waiting payments. Everything "
    "else uses the staff WebSocket, which `/api/staff/asyncapi.json` describes. Every error is a `Problem`.",
    {"code": "not_allowed", "args": {"rule": "manager"}},
)

ERRORS: dict[str, tuple[str, str]] = {
    "400": ("Malformed", "The request doesn't match its schema: `malformed`, with the reason."),
    "401": (
        "NoSession",
        "No session: `not_signed_in`, `signed_out`. Otherwise `wrong_sign_in` or `wrong_signature`.",
    ),
    "403": ("CrossOrigin", "The request comes from a page of another site: `cross_origin`."),
    "404": ("NotFound", "Not found: `not_found`, or a code that begins with `no_such_`."),
    "405": (
        "MethodNotAllowed",
        "The method isn't supported; `Allow` lists those that are: `method_not_allowed`.",
    ),
    "409": ("Refused", "A rule forbids the request, and nothing has changed. `code` names the rule."),
    "413": ("TooLarge", "The body is too large: `too_large`."),
    "429": (
        "TooMany",
        "Too many requests: `too_many_requests` or `too_many_tries`. `Retry-After` has the seconds to wait.",
    ),
    "500": ("Malfunction", "The server had an internal error: `malfunction`."),
    "503": (
        "Unavailable",
        "The server is stopping: `server_unavailable`. Try again after `Retry-After`.",
    ),
}
"""Name and meaning of each error response, by status."""
EXAMPLES: Mapping[str, Schema] = {
    "400": {"code": "malformed", "args": {"why": "limit: Expected `int` >= 1"}},
    "401": {"code": "not_signed_in", "args": {}},
    "403": {"code": "cross_origin", "args": {}},
    "404": {"code": "no_such_table", "args": {"table": "nowhere"}},
    "405": {"code": "method_not_allowed", "args": {}},
    "413": {"code": "too_large", "args": {}},
    "429": {"code": "too_many_requests", "args": {"seconds": 10}},
    "500": {"code": "malfunction", "args": {}},
    "503": {"code": "server_unavailable", "args": {}},
}
PARAMETERS = {
    "table": "Id of a table.",
    "document": "Id of a document.",
    "player_id": "Id of a player.",
    "round_id": "Id of a round.",
    "token": "Token of a link, from `share`.",
    "n": "Number of rounds.",
    "before": "Start after this line: the `round`, `id`, `player` or `seq` of the previous page's last line.",
    "game": "Name of a game: only its tables.",
    "from_ms": "Only rounds that started, or movements and actions made, at this time or later.",
    "to_ms": "Only rounds that started, or movements and actions made, before this time.",
    "bounds": "Start of each period in ascending order, and the end of the last: 2 to 13 times.",
    "jurisdiction": "Jurisdiction, such as `GB`; without it that of the session's player, or the server's.",
    "limit": "Maximum number of lines.",
    "text": "Only log lines that contain this text, or players whose id, name or address begins with it.",
    "name": "Only actions of this member of staff.",
    "what": "Only actions of this kind: the tag of their command.",
    "player": "Only actions that name this player.",
    "refused": "Whether to list only actions that weren't done: refused or interrupted ones.",
    "first": "The first day, such as `2026-11-21`.",
    "last": "The last day, which is included.",
    "at_ms": "The time of the report; without it, the present.",
}
COMMON_ERRORS = ("405", "429", "500", "503")
CHANGE_ERRORS = ("400", "403", "409", "413")
"""Additional statuses of requests that change something."""
UNAUTHORIZED = {
    "guest": ("401",),
    "sign_in": ("401",),
    "sign_in_with_passkey": ("401",),
    "start_enrolment": ("401",),
    "enrol_authenticator": ("401",),
    "enrol_passkey": ("401",),
    "notify": ("401", "404"),
}
"""Additional statuses of operations that need no session."""
ROLE_ERRORS = ("409",)
"""Additional statuses of requests that depend on the role."""


@cache
def openapi(service: HttpApi) -> dict[str, Any]:
    """Return the OpenAPI 3.1 document of a service."""
    document = _generated(service)
    for path, item in document["paths"].items():
        for method, operation in item.items():
            secured = _secured(service, operation["operationId"])
            further: tuple[str, ...] = ROLE_ERRORS if secured and service is STAFF else ()
            further += UNAUTHORIZED.get(operation["operationId"], ())
            _complete(path, method, operation, further, secured=secured)
    document["components"] = {
        "schemas": _schemas(service, document["components"]["schemas"]),
        "responses": dict(_responses(service)),
        "securitySchemes": {"session": session_scheme("apiKey", service.cookie)},
    }
    return document


def _generated(service: HttpApi) -> dict[str, Any]:
    """Return the document that the framework generates from the handlers, without calling them."""
    router = Router(
        service.prefix,
        route_handlers=service.routes(),
        dependencies={name: Provide(lambda: None, sync_to_thread=False) for name in INJECTED},
    )
    config = OpenAPIConfig(
        title=service.title,
        version=croupier.__version__,
        description=service.about,
        operation_id_creator=lambda handler, _method, _path: _name(handler),
        use_handler_docstrings=True,
        render_plugins=[JsonRenderPlugin()],
    )
    with warnings.catch_warnings():  # about the way in which the handlers name dependencies
        warnings.simplefilter("ignore", LitestarDeprecationWarning)
        return Litestar([router], openapi_config=config, logging_config=None).openapi_schema.to_schema()


def _name(handler: HTTPRouteHandler) -> str:
    """Return the name of the handler's function, unwrapped if the framework wrapped it."""
    return str(getattr(handler.fn, "func", handler.fn).__name__)


def _secured(service: HttpApi, operation: str) -> bool:
    """True if an operation needs a session, at least for own tables."""
    (handler,) = (each for each in service.handlers if _name(each) == operation)
    return any(name in handler.parsed_fn_signature.parameters for name in SESSION_DEPENDENCIES)


def _complete(
    path: str, method: str, operation: dict[str, Any], further: Sequence[str], *, secured: bool
) -> None:
    """Replace the framework's error responses by the server's, and add the security requirement."""
    statuses = {*COMMON_ERRORS, *further, *(CHANGE_ERRORS if method == "post" else ())}
    statuses |= {"400"} if any(each["in"] == "query" for each in operation.get("parameters", ())) else set()
    statuses |= {"404"} if "{" in path else set()
    statuses |= {"401"} if secured else set()
    successes = {status: one for status, one in operation["responses"].items() if status.startswith("2")}
    errors = {status: {"$ref": f"#/components/responses/{ERRORS[status][0]}"} for status in sorted(statuses)}
    for example in _examples(method, path):
        for success in successes.values():
            success["content"]["application/json"]["example"] = example
    operation["responses"] = successes | errors
    operation["security"] = [{"session": []}] if secured else []
    operation["description"] = one_line(operation["description"])
    operation["summary"] = re.split(r"\.\s", operation["description"])[0].rstrip(".")
    for parameter in operation.get("parameters", ()):
        parameter["description"] = PARAMETERS[parameter["name"]]


def _examples(method: str, path: str) -> Iterator[Any]:
    """Return the response to a request in the worked session, if it has one."""
    wanted = re.compile(re.sub(r"\{\w+\}", "[^/]+", path))
    for step in worked_session("player"):
        used, _, address = step.request.partition(" ")
        if used.lower() == method and step.status == 200 and wanted.fullmatch(address.partition("?")[0]):
            yield step.body
            return


def _responses(service: HttpApi) -> Iterator[tuple[str, Schema]]:
    for status, (name, description) in ERRORS.items():
        content = {"schema": PROBLEM, "example": EXAMPLES.get(status, service.refusal)}
        yield name, {"description": description, "content": {"application/json": content}}


def _schemas(service: HttpApi, generated: dict[str, Schema]) -> dict[str, Schema]:
    """Return the schemas that the document refers to, from the types of the protocol."""
    module = wire if service is PLAYERS else staff_wire
    found = (getattr(module, name, getattr(wire, name, None)) for name in generated)
    named = [kind for kind in found if kind]
    schemas = components([*named, wire.Problem])
    schemas["Problem"] = with_refusals(schemas["Problem"], service.audience)
    return {name: schemas.get(name, generated.get(name, {})) for name in sorted({*schemas, *generated})}
