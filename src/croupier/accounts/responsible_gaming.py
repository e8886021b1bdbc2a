"""Restrictions that players set for themselves: limits, time-outs and self-exclusion.

Each change is a note in the journal, and `PlayerRestrictions` is their sum. A stricter limit holds at once, a
looser one after the cooling-off period. Nothing shortens a time-out or an exclusion.
"""

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from types import MappingProxyType
from typing import Literal, NamedTuple

from msgspec import Struct

from croupier.refusal import Refused

What = Literal["deposit", "loss", "wager", "session"]
Period = Literal["day", "week", "month", "visit"]
PERIODS: tuple[Period, ...] = "day", "week", "month"
"""Calendar periods."""
Why = Literal["time_out", "exclusion", "session"]
"""Reasons for a break; `session`: the limit of one visit was reached."""

DAY_MS = 24 * 3600 * 1000
FOR_GOOD_MS = 2**53 - 1
"""The largest integer that a browser represents exactly: never reached."""
CHANGES_A_DAY = 100
"""Changes of limits by one player. A break is always accepted."""


class Measure(NamedTuple):
    """The quantity that a limit restricts.

    The session limit has the period `visit` and no currency, and is in minutes. The others are in smallest
    units, for a day, a week from Monday or a month by UTC.
    """

    what: What
    period: Period
    currency: str


SESSION = Measure("session", "visit", "")


class LimitSet(Struct, frozen=True, tag="limit"):
    """A limit from `from_ms` on; `most` None removes it."""

    what: What
    period: Period
    currency: str
    most: int | None
    from_ms: int

    @property
    def measure(self) -> Measure:
        return Measure(self.what, self.period, self.currency)


class Barred(Struct, frozen=True, tag="barred"):
    """A break: no play, no chat and no deposit until then."""

    why: Why
    until_ms: int


RestrictionChange = LimitSet | Barred


class Limit(NamedTuple):
    """`most` now, and `then` from `from_ms` on; 0: no change is due."""

    most: int | None
    then: int | None = None
    from_ms: int = 0

    def at(self, now_ms: int) -> int | None:
        return self.then if 0 < self.from_ms <= now_ms else self.most


NO_LIMIT = Limit(None)
NOT_BARRED = Barred("time_out", 0)


class PlayerRestrictions(NamedTuple):
    """`notes`: the number of changes; `last_day`: the day of the last change, and the changes on it."""

    limits: Mapping[Measure, Limit] = MappingProxyType({})
    barred: Barred = NOT_BARRED
    notes: int = 0
    last_day: tuple[int, int] = 0, 0

    def after(self, said: RestrictionChange, at_ms: int) -> "PlayerRestrictions":
        """Return the restrictions after a change at that time."""
        today = began_ms("day", at_ms)
        noted = self._replace(notes=self.notes + 1, last_day=(today, self._notes_of(today) + 1))
        match said:
            case Barred():
                return noted._replace(barred=max(said, self.barred, key=lambda one: one.until_ms))
            case LimitSet(most=most, from_ms=from_ms):
                now = self.most(said.measure, at_ms)
                limit = Limit(most) if from_ms <= at_ms else Limit(now, most, from_ms)
                return noted._replace(limits={**self.limits, said.measure: limit})

    def _notes_of(self, day_ms: int) -> int:
        last, many = self.last_day
        return many if last == day_ms else 0

    def most(self, measure: Measure, now_ms: int) -> int | None:
        """Return the limit at that time; None for no limit."""
        return self.limits.get(measure, NO_LIMIT).at(now_ms)

    def is_barred(self, now_ms: int) -> bool:
        return now_ms < self.barred.until_ms

    def is_excluded(self, now_ms: int) -> bool:
        return self.barred.why == "exclusion" and self.is_barred(now_ms)

    # --- changes; None where nothing changes

    def to_set(self, measure: Measure, most: int | None, now_ms: int, cooling_off_ms: int) -> LimitSet | None:
        """Set or remove a limit: a stricter one at once, a looser one after the cooling-off period.

        Refuse `too_many_changes` in a day, since the server reads all changes when it starts.
        """
        limit = self.limits.get(measure, NO_LIMIT)
        waits = limit.from_ms > now_ms
        if most == (limit.then if waits else limit.at(now_ms)):
            return None
        if self._notes_of(began_ms("day", now_ms)) >= CHANGES_A_DAY:
            raise Refused("too_many_changes", most=CHANGES_A_DAY)
        stricter = most is not None and most <= _or_endless(limit.at(now_ms))
        return LimitSet(*measure, most, now_ms if stricter else now_ms + cooling_off_ms)

    def to_bar(self, why: Why, until_ms: int) -> Barred | None:
        return Barred(why, until_ms) if until_ms > self.barred.until_ms else None


def _or_endless(most: int | None) -> float:
    return float("inf") if most is None else most


def began_ms(period: Period, now_ms: int) -> int:
    """Return when the day, the week or the month began, by UTC."""
    today = datetime.fromtimestamp(now_ms / 1000, UTC).replace(hour=0, minute=0, second=0, microsecond=0)
    first = {
        "week": today - timedelta(days=today.weekday()),
        "month": today.replace(day=1),
    }.get(period, today)
    return int(first.timestamp()) * 1000
