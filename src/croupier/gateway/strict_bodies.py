"""Strict validation of request bodies."""

from typing import Any

import msgspec
from litestar import Request
from litestar.connection import ASGIConnection
from litestar.exceptions import ValidationException
from litestar.handlers import BaseRouteHandler

from croupier.gateway.malformed import MALFORMED, reject_null


async def strict_body(request: ASGIConnection[Any, Any, Any, Any], handler: BaseRouteHandler) -> None:
    """Refuse a body that would need conversion, such as "100" for 100, with 400."""
    expected = handler.parsed_data_field
    if expected is None:
        return
    assert isinstance(request, Request)
    try:
        body = await request.body()
        reject_null(body)
        msgspec.json.decode(body, type=expected.annotation)
    except MALFORMED as error:
        raise ValidationException(str(error)) from None
