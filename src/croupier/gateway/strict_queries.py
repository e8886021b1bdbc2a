"""Strict validation of query parameters."""

import warnings
from functools import cache
from typing import Any
from urllib.parse import parse_qsl

from litestar.connection import ASGIConnection
from litestar.exceptions import LitestarDeprecationWarning, ValidationException
from litestar.handlers import BaseRouteHandler, HTTPRouteHandler

NAME_MAX = 40
"""Number of characters of an unknown name that the answer repeats."""


def only_known_parameters(request: ASGIConnection[Any, Any, Any, Any], handler: BaseRouteHandler) -> None:
    """Refuse a parameter that the route doesn't have, with 400: its sender expects an effect."""
    query = request.scope["query_string"].decode("latin-1")
    if not query:
        return
    assert isinstance(handler, HTTPRouteHandler)
    known = _known_parameters(handler, frozenset(request.path_params))
    for name, _ in parse_qsl(query, keep_blank_values=True):
        if name not in known:
            raise ValidationException(f"no such parameter: {name[:NAME_MAX]}")


@cache
def _known_parameters(handler: HTTPRouteHandler, in_path: frozenset[str]) -> frozenset[str]:
    """Return the names of a route's query parameters, those of its dependencies included."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", LitestarDeprecationWarning)
        model = handler.create_kwargs_model(dict.fromkeys(in_path))  # type: ignore[arg-type]
    return frozenset(each.field_alias for each in model.expected_query_params)
