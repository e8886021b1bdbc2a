"""Time played: how long a player was connected, in the last 24 hours and since their last break.

A break is a time without a connection that is as long as the configured one. Ending a session, reconnecting,
another device and another node change nothing. Pure.
"""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from croupier.accounts.responsible_gaming import DAY_MS

GOES_ON_MS = 5_000
"""A player who is back sooner goes on with the stretch before, so that a bad connection makes no rows."""


class Stretch(NamedTuple):
    """A time during which the player was connected."""

    began_ms: int
    ended_ms: int

    def goes_on(self, now_ms: int) -> bool:
        """Return whether a player who connects now goes on with this stretch."""
        return 0 <= now_ms - self.ended_ms < GOES_ON_MS


Stretches = tuple[Stretch, ...]


def since_break(stretches: Iterable[Stretch], now_ms: int, break_ms: int) -> Stretches:
    """Return the stretches since the last break, oldest first, without overlaps.

    After a boot with another system clock some may end later than now, which makes no break.
    """
    found = list[Stretch]()
    next_ms = now_ms
    for stretch in reversed(tuple(_merge(stretches))):
        if next_ms - stretch.ended_ms >= break_ms:
            break
        found.insert(0, stretch)
        next_ms = stretch.began_ms
    return tuple(found)


def _merge(stretches: Iterable[Stretch]) -> Iterator[Stretch]:
    """Yield the stretches in order, those that overlap as one."""
    last: Stretch | None = None
    for stretch in sorted(stretches):
        if last and stretch.began_ms <= last.ended_ms:
            last = Stretch(last.began_ms, max(last.ended_ms, stretch.ended_ms))
            continue
        if last:
            yield last
        last = stretch
    if last:
        yield last


def played_ms(stretches: Iterable[Stretch], now_ms: int, break_ms: int) -> int:
    """Return the time played in the last 24 hours, since the last break."""
    since_ms = now_ms - DAY_MS
    played = since_break(stretches, now_ms, break_ms)
    return sum(max(0, stretch.ended_ms - max(stretch.began_ms, since_ms)) for stretch in played)


class PlayClock:
    """The time played by a player who is connected here; `known` are stretches of before and elsewhere."""

    __slots__ = ("_known", "_since_ms", "break_ms", "marked_ms")

    def __init__(self, break_ms: int, known: Stretches = ()) -> None:
        self.break_ms = break_ms
        self.marked_ms = 0
        """The time at which the present stretch was last stored."""
        self._known = known
        self._since_ms: int | None = None

    def learn(self, known: Stretches) -> None:
        """Replace what is known of before and elsewhere."""
        self._known = known

    def start(self, now_ms: int) -> None:
        """Count from now, unless it counts already."""
        if self._since_ms is None:
            last = max(self._known, key=lambda stretch: stretch.ended_ms, default=None)
            self._since_ms = last.began_ms if last and last.goes_on(now_ms) else now_ms
            self.marked_ms = now_ms

    def stop(self, now_ms: int) -> Stretch | None:
        """Stop counting, and return the stretch that has ended."""
        ended = self.present(now_ms)
        if ended:
            self._known = (*self._known, ended)
            self._since_ms = None
        return ended

    def present(self, now_ms: int) -> Stretch | None:
        """Return the stretch that goes on."""
        return None if self._since_ms is None else Stretch(self._since_ms, max(now_ms, self._since_ms))

    def stretches(self, now_ms: int) -> Stretches:
        """Return those since the last break."""
        present = self.present(now_ms)
        every = (*self._known, present) if present else self._known
        return since_break(every, now_ms, self.break_ms)

    def began_ms(self, now_ms: int) -> int:
        """Return when play began after the last break; now if the player hasn't come back from one."""
        found = self.stretches(now_ms)
        return min(found[0].began_ms, now_ms) if found else now_ms

    def played_ms(self, now_ms: int) -> int:
        """Return the time played in the last 24 hours, since the last break."""
        return played_ms(self.stretches(now_ms), now_ms, self.break_ms)
