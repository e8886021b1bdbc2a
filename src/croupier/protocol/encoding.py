"""The JSON of wire messages, encoded here only."""

from typing import Any

import msgspec

encode = msgspec.json.Encoder().encode


def fragment(value: Any) -> Any:
    """Encode a part of messages once; the result stands in a message for `value`."""
    return msgspec.Raw(encode(value))
