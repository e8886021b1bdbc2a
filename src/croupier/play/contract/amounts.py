"""Currencies, and amounts as whole numbers of a currency's smallest unit."""

from decimal import Decimal, InvalidOperation
from typing import NamedTuple


class Currency(NamedTuple):
    """`decimals` places make the smallest unit: EUR has 2, Gold Coins have none."""

    code: str
    name: str
    decimals: int

    def minor(self, text: str) -> int:
        """Parse `"0.50"` as smallest units; ValueError if it is negative or no whole number of them."""
        try:
            amount = Decimal(text).scaleb(self.decimals)
        except InvalidOperation:
            raise ValueError(f"{text!r} is no amount") from None
        if not amount.is_finite() or amount < 0 or amount != int(amount):
            raise ValueError(f"{text!r} is no whole number of {self.code}'s smallest unit")
        return int(amount)

    def text(self, amount_minor: int) -> str:
        """Format 1234567 as `12,345.67`, with this currency's decimals and the sign."""
        return f"{Decimal(amount_minor).scaleb(-self.decimals):,.{self.decimals}f}"


CURRENCIES = {
    currency.code: currency
    for currency in (
        Currency("GC", "Gold Coins", 0),
        Currency("SC", "Sweeps Coins", 2),
        Currency("EUR", "Euro", 2),
        Currency("USD", "US dollar", 2),
        Currency("GBP", "Pound sterling", 2),
    )
}

PLAY_MONEY = {"GC": 5_000_000, "SC": 1_000_00, "EUR": 1_000_00, "USD": 1_000_00}
"""The default currencies of a server, and the balance of a new guest in each."""


class StakeLimits(NamedTuple):
    """The smallest and largest stake of one bet, inclusive."""

    min_minor: int
    max_minor: int


CHIPS = (1, 5, 25, 100, 500, 1_000, 5_000, 25_000, 100_000, 500_000, 1_000_000, 5_000_000, 25_000_000)
"""Denominations of a chip rack, in whole units of a currency."""


def chips_minor(currency: Currency, limits: StakeLimits) -> tuple[int, ...]:
    """Return a table's chips, lowest first: its minimum, then every denomination up to its maximum."""
    ladder = (chip * 10**currency.decimals for chip in CHIPS)
    return tuple(sorted({limits.min_minor, *(c for c in ladder if limits.min_minor < c <= limits.max_minor)}))
