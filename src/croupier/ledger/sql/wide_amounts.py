"""Amounts of any size in columns of 64 bits: a second column counts what the first can't hold.

Accounts of the operator and of tables sum what all players pay, so they may exceed 64 bits. A column
`..._high` counts whole HIGH beside the smallest units in `..._minor`; both have the same sign. It is 0 for
nearly every row, so rows that need it are written by statements of their own.
"""

from collections.abc import Iterable

from sqlalchemy import ColumnElement, func

HIGH = 10**18
PART = 10**9
"""The unit of the upper part of a sum: the sums of both parts fit 64 bits for a thousand million rows."""


def is_wide(amount_minor: int) -> bool:
    """Return whether an amount needs both columns."""
    return not -HIGH < amount_minor < HIGH


def split(amount_minor: int) -> tuple[int, int]:
    """Return the two columns of an amount: the smallest units, and the whole HIGH."""
    high, low = divmod(abs(amount_minor), HIGH)
    return (low, high) if amount_minor >= 0 else (-low, -high)


def join(minor: int, high: int) -> int:
    """Return the amount of two columns."""
    return minor + high * HIGH


def sums(*columns: str) -> str:
    """Return the SQL of each column's sum in two parts, which `of_parts` joins: SQLite's sum has 64 bits."""
    return ", ".join(f"sum({column} / {PART}), sum({column} % {PART})" for column in columns)


def sum_parts(column: ColumnElement[int]) -> tuple[ColumnElement[int], ColumnElement[int]]:
    """Return the expressions of which `sums` is the SQL."""
    return func.sum(column // PART), func.sum(column % PART)


def of_parts(parts: Iterable[int | None]) -> tuple[int, ...]:
    """Return the sums of which `sums` selected the parts."""
    numbers = [int(part or 0) for part in parts]
    return tuple(high * PART + low for high, low in zip(numbers[::2], numbers[1::2], strict=True))
