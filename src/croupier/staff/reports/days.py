"""Sequences of days of reports."""

from collections.abc import Iterator
from datetime import date, timedelta

ONE_DAY = timedelta(days=1)


def days_from(first: date, last: date) -> Iterator[date]:
    """Yield the days from the first to the last, both included."""
    return (first + timedelta(days=n) for n in range((last - first).days + 1))
