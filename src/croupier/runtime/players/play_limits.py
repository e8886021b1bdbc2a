"""Limits of the jurisdiction's profile on one player's play, over all of their tables and devices.

It says how soon a round may start after the one before, and when a reality check has to be answered first.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import NamedTuple, Protocol
from weakref import WeakValueDictionary

from croupier.protocol.wire import JurisdictionProfile
from croupier.refusal import Refused

MINUTE_MS = 60_000
SHORTEST_REMINDER_MS = 30 * MINUTE_MS
"""No player is reminded more often."""


class PlayHistory(Protocol):
    """The part of the journal that play limits need."""

    def last_started_ms(self, player: str) -> int: ...

    def last_reminded_ms(self, player: str) -> int: ...


class Start(NamedTuple):
    """When a round started; `table` is the live table it is dealt at, empty for an own table."""

    at_ms: int
    table: str = ""


@dataclass(slots=True)
class LiveRound:
    """The player's round at a live table, and how many bets were made in it, refused ones included."""

    id: str
    bets: int = 1


class PlayLimits:
    """`visit_ms` is when the player's visit began; `reminder_minutes` how often to remind them, 0: never."""

    __slots__ = (
        *("_history", "_last_start", "_live_rounds", "_player", "_reminded_ms", "_round_min_ms"),
        *("reminder_minutes", "visit_ms", "__weakref__"),
    )

    def __init__(self, player: str, profile: JurisdictionProfile, history: PlayHistory) -> None:
        self.visit_ms = 0
        self.reminder_minutes = 0
        self._player = player
        self._history = history
        self._round_min_ms = profile.round_min_ms
        self._last_start: Start | None = None
        self._reminded_ms: int | None = None
        self._live_rounds: dict[str, LiveRound] = {}
        """By live table, the last round there that the player has started."""

    @property
    def any(self) -> bool:
        """Return whether anything is limited."""
        return bool(self._round_min_ms or self.reminder_minutes)

    # --- from one round to the next

    @property
    def next_start_ms(self) -> int:
        """No round may start before; 0: at once."""
        return self._last.at_ms + self._round_min_ms if self._round_min_ms else 0

    @property
    def _last(self) -> Start:
        if self._last_start is None:
            self._last_start = Start(self._history.last_started_ms(self._player))
        return self._last_start

    @contextmanager
    def starting_round(self, now_ms: int) -> Iterator[None]:
        """Refuse a round that may not start now; inside it has started, until an exception is raised."""
        undo = self._start(Start(now_ms))
        try:
            yield
        except BaseException:
            undo()
            raise

    def bet_live(self, table: str, round_: str, now_ms: int) -> Callable[[], None] | None:
        """Refuse a bet at a live table that may not be made now; the answer undoes the start of a round.

        The player's round starts with their first bet in it. At one live table rounds follow each other at
        the dealer's pace, which the table keeps; a round at another table has to keep its distance.
        """
        self.check_reminder(now_ms)
        last = self._live_rounds.get(table)
        if not self._round_min_ms or (last and last.id == round_):
            if last:
                last.bets += 1
            return None
        undo_start = self._start(Start(now_ms, table))
        started = self._live_rounds[table] = LiveRound(round_)

        def undo() -> None:
            if started.bets == 1 and self._live_rounds.get(table) is started:
                undo_start()
                del self._live_rounds[table]

        return undo

    def _start(self, start: Start) -> Callable[[], None]:
        self.check_reminder(start.at_ms)
        if not self._round_min_ms:
            return _nothing
        before = self._last
        paced_by_dealer = start.table and start.table == before.table
        if start.at_ms < self.next_start_ms and not paced_by_dealer:
            raise Refused("too_soon", again_ms=self.next_start_ms)
        self._last_start = start

        def undo() -> None:
            if self._last_start is start:
                self._last_start = before

        return undo

    # --- reality checks

    def check_reminder(self, now_ms: int) -> None:
        """Refuse what has to wait until the player has answered a reality check."""
        if self.reminder_due(now_ms):
            raise Refused("reminder_due", minutes=self.reminder_minutes)

    def reminder_due(self, now_ms: int) -> bool:
        every_ms = self.reminder_minutes * MINUTE_MS
        if not every_ms or now_ms - self.visit_ms < every_ms:
            return False
        return now_ms - max(self.visit_ms, self.reminded_ms(now_ms)) >= every_ms

    def reminded_ms(self, now_ms: int) -> int:
        """When the player answered the last reality check of this visit; 0 where there was none."""
        if now_ms - self.visit_ms < SHORTEST_REMINDER_MS:
            return 0
        if self._reminded_ms is None:
            self._reminded_ms = self._history.last_reminded_ms(self._player)
        return self._reminded_ms if self._reminded_ms >= self.visit_ms else 0

    def reminder_answered(self, at_ms: int) -> None:
        self._reminded_ms = at_ms


class PlayLimitsRegistry:
    """The play limits of the players who are connected or have an own table open."""

    def __init__(self, profile: JurisdictionProfile, history: PlayHistory) -> None:
        self._profile = profile
        self._history = history
        self._limits = WeakValueDictionary[str, PlayLimits]()

    def of(self, player: str) -> PlayLimits:
        limits = self._limits.get(player)
        if limits is None:
            limits = self._limits[player] = PlayLimits(player, self._profile, self._history)
        return limits


def _nothing() -> None:
    pass
