"""Counts in the notations people use: `1_000_000`, `1,000,000`, `1e9`, `10M`."""

import re
from collections.abc import Callable
from decimal import Decimal

import typer

SUFFIXES = {"": 1, "k": 10**3, "m": 10**6, "g": 10**9, "b": 10**9}
COUNT = re.compile(r"(\d+(?:\.\d+)?(?:e\d{1,2})?)\s*([kmgb]?)", re.IGNORECASE)


def at_least(minimum: int) -> Callable[[str], int]:
    """Return a parser of counts from `minimum`; its BadParameter names the allowed values."""

    def count(text: str) -> int:
        found = COUNT.fullmatch(re.sub(r"(?<=\d)[_,](?=\d)", "", str(text).strip()))
        value = Decimal(found[1]) * SUFFIXES[found[2].lower()] if found else Decimal(-1)
        if value < minimum or value != int(value):
            raise typer.BadParameter(
                f"allowed is: a whole number from {minimum}, such as 1_000_000, 1e9 or 10M"
            )
        return int(value)

    return count
