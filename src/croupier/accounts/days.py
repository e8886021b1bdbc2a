"""Days, weeks and months of a time zone: limits, statements and reports begin and end with them.

A day has 23 or 25 hours when the clocks change.
"""

from calendar import monthrange
from datetime import UTC, date, datetime, timedelta, tzinfo

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def day_of(at_ms: int, zone: tzinfo) -> date:
    """Return the day that a time is in."""
    return (EPOCH + timedelta(milliseconds=at_ms)).astimezone(zone).date()


def starts_ms(day: date, zone: tzinfo) -> int:
    """Return the first moment of a day."""
    return (datetime(day.year, day.month, day.day, tzinfo=zone) - EPOCH) // timedelta(milliseconds=1)


def period_start_ms(period: str, now_ms: int, zone: tzinfo = UTC) -> int:
    """Return the start of the present `day`, `week` (from Monday) or `month`."""
    today = day_of(now_ms, zone)
    first = {
        "week": today - timedelta(days=today.weekday()),
        "month": today.replace(day=1),
    }.get(period, today)
    return starts_ms(first, zone)


def months_later_ms(at_ms: int, months: int, zone: tzinfo) -> int:
    """Return the start of the day so many months later, or of the last one of a shorter month."""
    day = day_of(at_ms, zone)
    years, month = divmod(day.month - 1 + months, 12)
    last = monthrange(day.year + years, month + 1)[1]
    return starts_ms(date(day.year + years, month + 1, min(day.day, last)), zone)
