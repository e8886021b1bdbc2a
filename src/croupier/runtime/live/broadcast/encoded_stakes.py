"""Stakes and results as they stand in a player's messages: written once, and sent as often as he is told."""

from collections.abc import Callable
from itertools import starmap
from typing import Any, Generic, TypeVar

import msgspec

from croupier.protocol.wire import PlayerResult, StakeResult
from croupier.tables.live.effects import Settle, Void
from croupier.tables.live.scaling import ScaledLines

T = TypeVar("T")
Ended = tuple[Settle | Void, str]
"""A player's round that has ended, and its number."""

write = msgspec.json.Encoder().encode


class Kept(Generic[T]):
    """The last two values that were written: what is asked for of one of these isn't written anew.

    Two, since a bet and the last round's are told together, and what is a bet now will be the last one.
    """

    __slots__ = ("_before", "_last", "_of", "_of_before", "_writes")

    def __init__(self, writes: Callable[[T], bytes]) -> None:
        self._writes = writes
        self._of: object = writes  # nothing that is ever asked for
        self._of_before: object = writes
        self._last = self._before = msgspec.Raw()

    def __call__(self, of: T) -> Any:
        """It stands in a message for what it was written of."""
        if self._of is not of:
            now = self._before if self._of_before is of else msgspec.Raw(self._writes(of))
            self._of_before, self._before = self._of, self._last
            self._of, self._last = of, now
        return self._last


def result(ended: Ended) -> bytes:
    """PlayerResult of a player's round that has ended."""
    how, number = ended
    if isinstance(how, Void):
        staked = how.staked_minor
        return write(PlayerResult(how.round, number, staked, staked, True, how.reason, ()))
    lines = (
        how.lines.each(StakeResult) if isinstance(how.lines, ScaledLines) else starmap(StakeResult, how.lines)
    )
    return write(
        PlayerResult(how.round, number, how.staked_minor, how.returned_minor, False, "", tuple(lines))
    )
