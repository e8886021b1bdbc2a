"""What a player has set himself: limits, and for how long he is kept from the tables.

Each change is a note in the journal; `Care` is what they come to. What is stricter counts at once, what is
looser only after the house's cooling-off. Nothing shortens a time-out or an exclusion.
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
"""Of the calendar."""
Why = Literal["time_out", "exclusion", "session"]
"""Why somebody is barred; `session`: his limit for one visit was reached."""

DAY_MS = 24 * 3600 * 1000
FOR_GOOD_MS = 2**53 - 1
"""No clock comes there; a browser counts so far exactly."""
CHANGES_A_DAY = 100
"""Of his limits, by one player. A break is always taken."""


class Measure(NamedTuple):
    """What a limit is of. A session's has the period `visit` and no currency, and is in minutes.

    The others are in smallest units, of a day, a week from Monday or a month by UTC.
    """

    what: What
    period: Period
    currency: str


SESSION = Measure("session", "visit", "")


class LimitSet(Struct, frozen=True, tag="limit"):
    """A limit as it is to be from `from_ms` on; `most` None: there is none then."""

    what: What
    period: Period
    currency: str
    most: int | None
    from_ms: int

    @property
    def measure(self) -> Measure:
        return Measure(self.what, self.period, self.currency)


class Barred(Struct, frozen=True, tag="barred"):
    """No play, no chat and no deposit until then."""

    why: Why
    until_ms: int


Said = LimitSet | Barred


class Limit(NamedTuple):
    """`most`, and from `from_ms` on `then`; 0: nothing is to change."""

    most: int | None
    then: int | None = None
    from_ms: int = 0

    def at(self, now_ms: int) -> int | None:
        return self.then if 0 < self.from_ms <= now_ms else self.most


NO_LIMIT = Limit(None)
NOT_BARRED = Barred("time_out", 0)


class Care(NamedTuple):
    """`notes`: how many have been said; `last_day`: when the last one was, and how many that day."""

    limits: Mapping[Measure, Limit] = MappingProxyType({})
    barred: Barred = NOT_BARRED
    notes: int = 0
    last_day: tuple[int, int] = 0, 0

    def after(self, said: Said, at_ms: int) -> "Care":
        """What it comes to with one more note, of that time."""
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
        """None: no limit."""
        return self.limits.get(measure, NO_LIMIT).at(now_ms)

    def is_barred(self, now_ms: int) -> bool:
        return now_ms < self.barred.until_ms

    def is_excluded(self, now_ms: int) -> bool:
        return self.barred.why == "exclusion" and self.is_barred(now_ms)

    # --- what he asks for, as it is to be said; None: it is so already

    def to_set(self, measure: Measure, most: int | None, now_ms: int, cooling_off_ms: int) -> LimitSet | None:
        """Stricter than now, it counts at once; looser, when he has slept on it.

        Refused from somebody who plays with it: the house reads all that was ever said when it opens.
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
    """When the day, the week or the month began, by UTC."""
    today = datetime.fromtimestamp(now_ms / 1000, UTC).replace(hour=0, minute=0, second=0, microsecond=0)
    first = {
        "week": today - timedelta(days=today.weekday()),
        "month": today.replace(day=1),
    }.get(period, today)
    return int(first.timestamp()) * 1000
