"""Balances of a player, as values."""

from dataclasses import dataclass, field
from typing import NamedTuple

from msgspec import Struct


class BalanceAfter(NamedTuple):
    """A predicted balance in one currency."""

    cash_minor: int
    in_play_minor: int
    unknown: bool = False


class CurrencyBalance(Struct, frozen=True, gc=False):
    """A balance in one currency, with the totals of this visit's ended rounds.

    It is a value, so that messages prepared for an earlier state of a table can keep it. While it is unknown,
    an operator's wallet has yet to say what the cash is, and `cash_minor` means nothing.
    """

    cash_minor: int = 0
    in_play_minor: int = 0
    staked_minor: int = 0
    returned_minor: int = 0
    unknown: bool = False

    def staked(self, minor: int) -> "CurrencyBalance":
        """Return the balance after `minor` was staked; a negative amount was returned."""
        return CurrencyBalance(
            self.cash_minor - minor,
            self.in_play_minor + minor,
            self.staked_minor,
            self.returned_minor,
            self.unknown,
        )

    def after(self, staked_minor: int, returned_minor: int) -> BalanceAfter:
        """Predict the balance after a round that ends like this."""
        return BalanceAfter(self.cash_minor + returned_minor, self.in_play_minor - staked_minor, self.unknown)

    def ended(self, staked_minor: int, returned_minor: int, *, counts: bool) -> "CurrencyBalance":
        """Return the balance after a round has ended; `counts`: it began in this visit."""
        return CurrencyBalance(
            self.cash_minor + returned_minor,
            self.in_play_minor - staked_minor,
            self.staked_minor + counts * staked_minor,
            self.returned_minor + counts * returned_minor,
            self.unknown,
        )


@dataclass(slots=True)
class PlayerBalances:
    """The balances of a player.

    `held`: by currency; `before`: open rounds that began before this visit; `staked`: the currencies of which
    anything was ever staked.
    """

    held: dict[str, CurrencyBalance] = field(default_factory=dict)
    before: frozenset[str] = frozenset()
    staked: frozenset[str] = frozenset()
