"""Stakes and results as they stand in a player's messages: written once, and sent as often as he is told."""

from collections.abc import Callable
from typing import Any, Generic, TypeVar

import msgspec

from croupier.server.wire import MyResult, ResultLine
from croupier.tables.live.effects import Settle, Void

T = TypeVar("T")
Ended = tuple[Settle | Void, str]
"""A player's round that has ended, and its number."""

write = msgspec.json.Encoder().encode


class Kept(Generic[T]):
    """The last two values that were written: what is asked for of one of these isn't written anew.

    Two, since a bet and the last round's are told together, and what is a bet now will be the last one.
    """

    __slots__ = ("_before", "_last", "_writes")

    def __init__(self, writes: Callable[[T], bytes]) -> None:
        self._writes = writes
        nothing: tuple[object, msgspec.Raw] = self, msgspec.Raw()
        self._last = self._before = nothing

    def __call__(self, of: T) -> Any:
        """It stands in a message for what it was written of."""
        if self._last[0] is not of:
            again = self._before[0] is of
            now = self._before if again else (of, msgspec.Raw(self._writes(of)))
            self._before, self._last = self._last, now
        return self._last[1]


def result(ended: Ended) -> bytes:
    """MyResult of a player's round that has ended."""
    how, number = ended
    if isinstance(how, Void):
        staked = how.staked_minor
        return write(MyResult(how.round, number, staked, staked, True, how.reason, ()))
    lines = tuple([ResultLine(*line) for line in how.lines])
    return write(MyResult(how.round, number, how.staked_minor, how.returned_minor, False, "", lines))
