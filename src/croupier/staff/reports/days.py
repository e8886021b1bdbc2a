"""The days of reports, in the operator's time zone."""

from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta, tzinfo

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
ONE_DAY = timedelta(days=1)


def days_from(first: date, last: date) -> Iterator[date]:
    """Yield the days from the first to the last, both included."""
    return (first + timedelta(days=n) for n in range((last - first).days + 1))


def day_of(at_ms: int, zone: tzinfo) -> date:
    """Return the day that a time is in."""
    return (EPOCH + timedelta(milliseconds=at_ms)).astimezone(zone).date()


def starts_ms(day: date, zone: tzinfo) -> int:
    """Return the first moment of a day, which has 23 or 25 hours when the clocks change."""
    return (datetime(day.year, day.month, day.day, tzinfo=zone) - EPOCH) // timedelta(milliseconds=1)
