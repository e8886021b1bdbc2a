"""Encoded parts of a player's messages, kept while the same values are sent again and again."""

from collections.abc import Callable
from typing import Any, Generic, TypeVar

from croupier.protocol.encoding import fragment

T = TypeVar("T")


class EncodingCache(Generic[T]):
    """The last two values, by identity, as fragments of messages; `convert` makes the wire record of a value.

    Two, since the current bet and the last round's bet are sent together, and the former becomes the latter.
    """

    __slots__ = ("_convert", "_fragment", "_previous_fragment", "_previous_value", "_value")

    def __init__(self, convert: Callable[[T], Any]) -> None:
        self._convert = convert
        self._value: object = convert  # no value is identical to it
        self._previous_value: object = convert
        self._fragment: Any = None
        self._previous_fragment: Any = None

    def __call__(self, value: T) -> Any:
        """Return the fragment of `value`."""
        if self._value is not value:
            found = self._previous_value is value
            now = self._previous_fragment if found else fragment(self._convert(value))
            self._previous_value, self._previous_fragment = self._value, self._fragment
            self._value, self._fragment = value, now
        return self._fragment
