"""Conversion of errors, including those of the web framework, into `Problem` responses."""

from collections.abc import Mapping
from typing import Any

from litestar import Response
from litestar.exceptions import HTTPException
from litestar.types import ExceptionHandlersMap

from croupier.gateway.http_request import HttpRequest
from croupier.protocol import wire

CODE_BY_STATUS: Mapping[int, str] = {
    401: "not_signed_in",
    403: "cross_origin",
    404: "not_found",
    405: "method_not_allowed",
    413: "too_large",
    429: "too_many_requests",
    503: "server_unavailable",
}
"""Codes by HTTP status; others are `malformed` below 500 and `malfunction` above."""


def http_problem(_request: HttpRequest, error: HTTPException) -> Response[Any]:
    """Convert an error of the framework, keeping headers such as Allow and Retry-After."""
    status = error.status_code
    code = CODE_BY_STATUS.get(status, "malformed" if status < 500 else "malfunction")
    args = _args(code, error)
    return Response(wire.Problem(code, args), status_code=status, headers=error.headers)


def malfunction(_request: HttpRequest, _error: Exception) -> Response[Any]:
    """Respond to an internal error without details, which are only logged."""
    return Response(wire.Problem("malfunction", {}), status_code=500)


def _args(code: str, error: HTTPException) -> dict[str, str | int]:
    after = (error.headers or {}).get("Retry-After", "")
    match code:
        case "malformed":
            return {"why": _why(error)}
        case "too_many_requests" if after.isdecimal():
            return {"seconds": int(after)}
        case _:
            return {}


def _why(error: HTTPException) -> str:
    """Describe the error and, if known, name the parameter."""
    extra = error.extra if isinstance(error.extra, list) else []
    parts = [
        f"{each['key']}: {each['message']}" for each in extra if isinstance(each, dict) and "key" in each
    ]
    return "; ".join(parts) or error.detail


EXCEPTION_HANDLERS: ExceptionHandlersMap = {HTTPException: http_problem, Exception: malfunction}
