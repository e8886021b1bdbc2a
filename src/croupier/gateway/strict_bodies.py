"""Strict validation of request bodies."""

from collections.abc import Awaitable, Callable
from typing import Any

import msgspec
from litestar import Request
from litestar.connection import ASGIConnection
from litestar.exceptions import ValidationException
from litestar.handlers import BaseRouteHandler
from msgspec import Struct

from croupier.gateway.malformed import MALFORMED, reject_null


def strict_body(order: type[Struct]) -> Callable[..., Awaitable[None]]:
    """Return a guard that rejects bodies which need conversion, such as "100" for 100, with 400."""

    async def guard(request: ASGIConnection[Any, Any, Any, Any], _: BaseRouteHandler) -> None:
        assert isinstance(request, Request)
        try:
            body = await request.body()
            reject_null(body)
            msgspec.json.decode(body, type=order)
        except MALFORMED as error:
            raise ValidationException(str(error)) from None

    return guard
