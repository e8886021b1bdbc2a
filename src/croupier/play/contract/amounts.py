"""Currencies, and amounts as whole numbers of a currency's smallest unit."""

import re
from collections.abc import Mapping
from decimal import Decimal
from typing import NamedTuple

AMOUNT_MINOR_MAX = 2**53 - 1
"""Maximum of one amount: the largest integer that JavaScript represents exactly."""
BALANCE_MINOR_MAX = 10**15
"""Maximum balance after a grant or deposit, and before the first stake of a round.

Winnings may exceed it: no settlement is refused for it.
"""
RETURN_MINOR_MAX = 10**15
"""Maximum of what a player's round may return, so that browsers show every balance exactly.

A balance of BALANCE_MINOR_MAX and eight rounds that return as much are below AMOUNT_MINOR_MAX.
"""
_AMOUNT = re.compile(r"(?P<whole>[0-9]+)(?:\.(?P<part>[0-9]+))?")


class Currency(NamedTuple):
    """A currency and its smallest unit.

    `decimals` places make the smallest unit: EUR has 2, Gold Coins have none.
    """

    code: str
    name: str
    decimals: int
    symbol: str = ""
    """The symbol in players' amounts; empty: the code."""
    play_money: bool = True
    grant_minor: int = 0
    """The balance of a new guest."""

    def minor(self, text: str) -> int:
        """Parse `"0.50"` as smallest units; ValueError if it isn't a whole number of them, or too many.

        Only a decimal point is accepted, and no grouping: `1,234` isn't guessed.
        """
        found = _AMOUNT.fullmatch(text)
        if found is None:
            raise ValueError(f"{text!r} isn't an amount: write digits and a decimal point, such as 1234.50")
        part = (found["part"] or "").rstrip("0")
        if len(part) > self.decimals:
            raise ValueError(f"{text!r} isn't a whole number of {self.code}'s smallest unit")
        amount_minor = int(found["whole"] + part.ljust(self.decimals, "0"))
        if amount_minor > AMOUNT_MINOR_MAX:
            raise ValueError(f"{text!r} is above {self.text(AMOUNT_MINOR_MAX)}, the largest amount")
        return amount_minor

    def text(self, amount_minor: int) -> str:
        """Format 1234567 as `12,345.67`, with this currency's decimals and the sign."""
        return f"{Decimal(amount_minor).scaleb(-self.decimals):,.{self.decimals}f}"


CURRENCIES = {
    currency.code: currency
    for currency in (
        Currency("GC", "Gold Coins", 0, grant_minor=5_000_000),
        Currency("SC", "Sweeps Coins", 2, grant_minor=1_000_00),
        Currency("EUR", "Euro", 2, "€", grant_minor=1_000_00),
        Currency("USD", "US dollar", 2, "$", grant_minor=1_000_00),
        Currency("GBP", "Pound sterling", 2, "£", grant_minor=1_000_00),
    )
}
"""Currencies whose fields have defaults, by code."""

DEFAULT_CURRENCIES = {code: CURRENCIES[code] for code in ("GC", "SC", "EUR", "USD")}
"""The currencies of a server that configures none."""


def grants_minor(currencies: Mapping[str, Currency]) -> dict[str, int]:
    """Return the balance of a new guest in each currency."""
    return {code: currency.grant_minor for code, currency in currencies.items()}


PLAY_MONEY = grants_minor(DEFAULT_CURRENCIES)
"""The balances of a new guest of a server that configures no currencies."""


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
