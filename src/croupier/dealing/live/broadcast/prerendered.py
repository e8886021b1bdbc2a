"""Messages to players that were rendered before the step they belong to."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from croupier.dealing.live.broadcast.player_views import CashAndStakes, PlayerHistory


class PrerenderedMessage(NamedTuple):
    """A player's personal message for the end of their round, valid for this version and balance."""

    history: PlayerHistory
    currency: str
    balance: CashAndStakes
    v: int
    message: bytes

    def is_current(self, v: int, balance: CashAndStakes) -> bool:
        expected = self.balance
        same = balance.cash_minor == expected.cash_minor and balance.in_play_minor == expected.in_play_minor
        return same and balance.unknown == expected.unknown and v == self.v


Prerendered = Mapping[str, PrerenderedMessage]
"""By player."""
NONE_PRERENDERED: Prerendered = MappingProxyType({})
