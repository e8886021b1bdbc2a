"""The JSON encoder of all messages and HTTP responses."""

from typing import Any

import msgspec

encode = msgspec.json.Encoder().encode


def fragment(value: Any) -> Any:
    """Encode part of a message once; the result can replace `value` in several messages."""
    return msgspec.Raw(encode(value))
