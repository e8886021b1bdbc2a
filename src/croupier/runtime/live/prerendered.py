"""What players are told of the end of their round, written ahead: once it is foreseen, and while it is
entered.

Then it only goes out. It is no other than what would be written afterwards; where something else has changed
what a player has meanwhile, it is written anew.
"""

import asyncio
from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import NamedTuple

from croupier.runtime.live.broadcast.player_views import Money, Past
from croupier.tables.live.effects import Settle, Void

AT_A_TIME = 32
"""Players, before others have their turn: a third of a millisecond."""


class Ahead(NamedTuple):
    """A player's own part of the table, as it goes over a line, when he has what he `will` have of it.

    `v`: the message to everybody that it belongs to.
    """

    past: Past
    currency: str
    will: Money
    v: int
    mine: bytes

    def stands(self, v: int, held: Money) -> bool:
        will = self.will
        same = held.cash_minor == will.cash_minor and held.in_play_minor == will.in_play_minor
        return same and v == self.v


Ready = Mapping[str, Ahead]
"""By player."""
NOTHING_READY: Ready = MappingProxyType({})


def returned_minor(end: Settle | Void) -> int:
    return end.staked_minor if isinstance(end, Void) else end.returned_minor


async def write(
    ends: Iterable[Settle | Void], ahead: Callable[[Settle | Void], Ahead], ready: dict[str, Ahead]
) -> None:
    """Of all who end so and aren't `ready`, a few at a time."""
    left = [end for end in ends if end.player not in ready]
    for written, end in enumerate(left, 1):
        ready[end.player] = ahead(end)
        if written % AT_A_TIME == 0:
            await asyncio.sleep(0)
