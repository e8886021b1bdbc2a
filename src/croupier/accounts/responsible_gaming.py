"""Restrictions of players: the limits, time-outs and self-exclusions that they set, and closed accounts.

Each change is a note in the journal, and `PlayerRestrictions` is their sum. A stricter limit holds at once, a
looser one after the cooling-off period. Nothing shortens a time-out or an exclusion.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Literal, NamedTuple

from msgspec import Struct, convert

from croupier.accounts.days import period_start_ms
from croupier.ledger.entries import Entry
from croupier.refusal import Refused

NOTES = "care:"
"""Prefix of the keys of the notes of restrictions, by player."""
LimitKind = Literal["deposit", "loss", "wager", "session"]
Period = Literal["day", "week", "month", "visit"]
PERIODS: tuple[Period, ...] = "day", "week", "month"
"""Calendar periods."""
BreakReason = Literal["time_out", "exclusion", "session", "registry"]
"""Reasons for a break; `session`: the limit of one visit was reached; `registry`: an external list."""
EXCLUSIONS: tuple[BreakReason, ...] = "exclusion", "registry"

MINUTE_MS = 60_000
DAY_MS = 24 * 60 * MINUTE_MS
PERMANENT_MS = 2**53 - 1
"""End of a permanent exclusion: the largest integer that a browser represents exactly."""
CHANGES_PER_DAY_MAX = 100
"""Maximum changes of limits by one player. A break is always accepted."""


class Measure(NamedTuple):
    """The quantity that a limit restricts.

    The session limit has the period `visit` and no currency, and is in minutes: those played in 24 hours,
    since the last break (see `accounts.play_time`). The others are in smallest units, for a day, a week from
    Monday or a month of the server's time zone.
    """

    what: LimitKind
    period: Period
    currency: str


SESSION = Measure("session", "visit", "")


class LimitSet(Struct, frozen=True, tag="limit"):
    """A limit from `from_ms` on; `most`, the name in the journal, is None to remove it."""

    what: LimitKind
    period: Period
    currency: str
    most: int | None
    from_ms: int

    @property
    def measure(self) -> Measure:
        return Measure(self.what, self.period, self.currency)


class Barred(Struct, frozen=True, tag="barred"):
    """A break: no play, no chat and no deposit until then."""

    why: BreakReason
    until_ms: int


class AccountClosed(Struct, frozen=True, tag="closed"):
    """A member of staff closes the account: no sign-in, no play and no deposit."""

    by: str
    reason: str


class AccountReopened(Struct, frozen=True, tag="reopened"):
    """Two members of staff reopen a closed account."""


RestrictionChange = LimitSet | Barred | AccountClosed | AccountReopened


class Limit(NamedTuple):
    """One of a player's limits, with its next change.

    `maximum` now, and `then` from `from_ms` on; 0: no change is due.
    """

    maximum: int | None
    then: int | None = None
    from_ms: int = 0

    def at(self, now_ms: int) -> int | None:
        return self.then if 0 < self.from_ms <= now_ms else self.maximum


NO_LIMIT = Limit(None)
NOT_BARRED = Barred("time_out", 0)


class PlayerRestrictions(NamedTuple):
    """A player's own limits, breaks and exclusions, and the closing of the account.

    `barred`: the break that ends last; `excluded`: the exclusion that ends last, also beside such a break.

    `notes`: the number of changes; `last_day`: the day of the last change, and the changes on it.
    `closed` is None for an open account; `closed_ms` is when it was closed.
    """

    limits: Mapping[Measure, Limit] = MappingProxyType({})
    barred: Barred = NOT_BARRED
    excluded: Barred = NOT_BARRED
    notes: int = 0
    last_day: tuple[int, int] = 0, 0
    closed: AccountClosed | None = None
    closed_ms: int = 0

    def after(self, change: RestrictionChange, at_ms: int) -> "PlayerRestrictions":
        """Return the restrictions after a change at that time."""
        today = period_start_ms("day", at_ms)
        noted = self._replace(notes=self.notes + 1, last_day=(today, self._notes_of(today) + 1))
        match change:
            case Barred():
                excluded = _later(self.excluded, change) if change.why in EXCLUSIONS else self.excluded
                return noted._replace(barred=_later(self.barred, change), excluded=excluded)
            case AccountClosed():
                return noted._replace(closed=change, closed_ms=at_ms)
            case AccountReopened():
                return noted._replace(closed=None, closed_ms=0)
            case LimitSet(most=maximum, from_ms=from_ms):
                now = self.limit_at(change.measure, at_ms)
                limit = Limit(maximum) if from_ms <= at_ms else Limit(now, maximum, from_ms)
                return noted._replace(limits={**self.limits, change.measure: limit})

    def after_note(self, note: Entry) -> "PlayerRestrictions":
        """Return the restrictions after a note of the journal."""
        return self.after(convert(note.body, RestrictionChange), note.at_ms)

    def _notes_of(self, day_ms: int) -> int:
        last, count = self.last_day
        return count if last == day_ms else 0

    def limit_at(self, measure: Measure, now_ms: int) -> int | None:
        """Return the limit at that time; None for no limit."""
        return self.limits.get(measure, NO_LIMIT).at(now_ms)

    def limits_of(self, what: LimitKind, now_ms: int) -> tuple[Measure, ...]:
        """Return the limits of that kind that hold."""
        measures = (measure for measure in self.limits if measure.what == what)
        return tuple(measure for measure in measures if self.limit_at(measure, now_ms) is not None)

    def is_barred(self, now_ms: int) -> bool:
        return now_ms < self.barred.until_ms

    def is_excluded(self, now_ms: int) -> bool:
        return now_ms < self.excluded.until_ms

    def check_open(self) -> None:
        """Refuse `account_closed` for a closed account."""
        if self.closed:
            raise Refused("account_closed")

    def check_not_barred(self, now_ms: int) -> None:
        """Refuse `barred` during a break, and `account_closed`."""
        self.check_open()
        if self.is_barred(now_ms):
            raise Refused("barred", why=self.barred.why, until_ms=self.barred.until_ms)

    def may_return(self, now_ms: int) -> bool:
        """Return whether the player may come back to an open round."""
        return self.closed is None and not self.is_excluded(now_ms)

    # --- changes; None if nothing changes

    def limit_change(
        self, measure: Measure, maximum: int | None, now_ms: int, cooling_off_ms: int
    ) -> LimitSet | None:
        """Return the change of a limit: a stricter one at once, a looser one after the cooling-off period.

        Refuse `too_many_changes` in a day, since the server reads all changes when it starts.
        """
        limit = self.limits.get(measure, NO_LIMIT)
        waits = limit.from_ms > now_ms
        if maximum == (limit.then if waits else limit.at(now_ms)):
            return None
        if self._notes_of(period_start_ms("day", now_ms)) >= CHANGES_PER_DAY_MAX:
            raise Refused("too_many_changes", most=CHANGES_PER_DAY_MAX)
        stricter = maximum is not None and maximum <= _or_infinite(limit.at(now_ms))
        return LimitSet(*measure, maximum, now_ms if stricter else now_ms + cooling_off_ms)

    def break_change(self, why: BreakReason, until_ms: int) -> Barred | None:
        longest = self.excluded if why in EXCLUSIONS else self.barred
        return Barred(why, until_ms) if until_ms > longest.until_ms else None


def _later(one: Barred, other: Barred) -> Barred:
    """Return the break that ends later; `one` if they end together."""
    return other if other.until_ms > one.until_ms else one


def _or_infinite(maximum: int | None) -> float:
    return float("inf") if maximum is None else maximum
