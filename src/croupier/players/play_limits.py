"""Conditions of one player's play, over all of their tables and devices.

The jurisdiction's profile sets how soon a round may start after the one before, and when a reality check has
to be answered first; the operator sets which documents have to be accepted first.
"""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple, Protocol
from weakref import WeakValueDictionary

from croupier import clock
from croupier.accounts.documents import NO_DOCUMENTS, Documents
from croupier.accounts.identity import VISIT_ENDS_MS as BREAK_MS
from croupier.accounts.play_time import PlayClock
from croupier.admission.conditions import PlayConditions
from croupier.admission.ledger_gateway import LedgerGateway
from croupier.protocol.wire import JurisdictionProfile, PlaceBet, Undo
from croupier.refusal import Refused

MINUTE_MS = 60_000
SHORTEST_REMINDER_MS = 30 * MINUTE_MS
"""Shortest interval of reminders."""
OnOutcome = Callable[[Refused | None], None]
"""Receives the refusal of a bet, or None once it is durable."""


class PlayHistory(Protocol):
    """The part of the journal that play limits need."""

    def last_started_ms(self, player: str) -> int: ...

    def last_reminded_ms(self, player: str) -> int: ...

    def accepted_versions(self, player: str) -> Mapping[str, str]: ...


class Start(NamedTuple):
    """The start of a round; `table` is its live table, empty for an own table."""

    at_ms: int
    table: str = ""


@dataclass(slots=True)
class LiveRound:
    """The player's round at a live table, and the number of their bets in it, including refused ones."""

    id: str
    bets: int = 1


class PlayLimits:
    """One player's limits. `play` is their time played; `reminder_minutes` 0: no reminders.

    `unaccepted` are the ids of the documents that they have to accept before their next bet.
    """

    __slots__ = (
        *("_last", "_live_rounds", "_reminded_ms", "_round_min_ms"),
        *("is_read", "play", "reminder_minutes", "unaccepted", "__weakref__"),
    )

    def __init__(self, profile: JurisdictionProfile) -> None:
        self.is_read = False
        """True once it has what the journal says about the player."""
        self.play = PlayClock(BREAK_MS)
        self.reminder_minutes = 0
        self.unaccepted: tuple[str, ...] = ()
        self._round_min_ms = profile.round_min_ms
        self._last = Start(0)
        self._reminded_ms = 0
        self._live_rounds: dict[str, LiveRound] = {}
        """By live table, the last round there that the player has started."""

    @property
    def is_limited(self) -> bool:
        """Return whether anything is limited."""
        return bool(self._round_min_ms or self.reminder_minutes or self.unaccepted)

    # --- from one round to the next

    @property
    def next_start_ms(self) -> int:
        """The earliest start of the next round; 0: at once."""
        return self._last.at_ms + self._round_min_ms if self._round_min_ms else 0

    def add_start(self, at_ms: int) -> None:
        """Note that a round started then, according to the journal."""
        if at_ms > self._last.at_ms:
            self._last = Start(at_ms)

    @contextmanager
    def starting_round(self, now_ms: int) -> Iterator[None]:
        """Refuse a round that may not start now. Inside, it has started, unless an exception is raised."""
        undo = self._start(Start(now_ms))
        try:
            yield
        except BaseException:
            undo()
            raise

    def bet_live(self, table: str, round_: str, now_ms: int) -> Callable[[], None] | None:
        """Refuse a bet at a live table that may not be made now; return what undoes the start of a round.

        The player's round starts with their first bet in it. At one live table rounds follow each other at
        the dealer's pace, which the table keeps; a round at another table has to keep its distance.
        """
        self.conditions(now_ms).check()
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
        self.conditions(start.at_ms).check()
        if not self._round_min_ms:
            return _nothing
        before = self._last
        paced_by_dealer = start.table and start.table == before.table
        if start.at_ms < self.next_start_ms and not paced_by_dealer:
            raise Refused("too_soon", again_ms=self.next_start_ms)
        self._last = start

        def undo() -> None:
            if self._last is start:
                self._last = before

        return undo

    def conditions(self, now_ms: int) -> PlayConditions:
        """Return the conditions of a bet, without those of a bonus."""
        reminder_due = self.reminder_minutes if self.reminder_due(now_ms) else 0
        return PlayConditions(
            unaccepted=self.unaccepted,
            reminder_due=reminder_due,
            played_ms=self.play.played_ms(now_ms),
            break_ms=self.play.break_ms,
        )

    def waits_for_answer(self, now_ms: int) -> bool:
        """Return whether the player has to accept a document or answer a reality check before they bet."""
        return bool(self.unaccepted) or self.reminder_due(now_ms)

    # --- reality checks

    def check_reminder(self, now_ms: int) -> None:
        """Refuse while a reality check is due."""
        if self.reminder_due(now_ms):
            raise Refused("reminder_due", minutes=self.reminder_minutes)

    def reminder_due(self, now_ms: int) -> bool:
        every_ms = self.reminder_minutes * MINUTE_MS
        return bool(every_ms) and now_ms - self.reminded_ms(now_ms) >= every_ms

    def reminded_ms(self, now_ms: int) -> int:
        """Return from when the next reality check counts: the last answer, or the end of the last break."""
        began_ms = self.play.began_ms(now_ms)
        if now_ms - began_ms < SHORTEST_REMINDER_MS:
            return began_ms
        return max(began_ms, self._reminded_ms)

    def counts_earlier_reminder(self, now_ms: int) -> bool:
        """Return whether an answer to a reality check before now can count: only in a long time of play."""
        return now_ms - self.play.began_ms(now_ms) >= SHORTEST_REMINDER_MS

    def reminder_answered(self, at_ms: int) -> None:
        self._reminded_ms = max(self._reminded_ms, at_ms)


class PlayLimitsRegistry:
    """The play limits of the players who are connected or have an own table open."""

    def __init__(
        self,
        gateway: LedgerGateway,
        profile: JurisdictionProfile,
        history: PlayHistory,
        documents: Documents = NO_DOCUMENTS,
    ) -> None:
        self._gateway = gateway
        self._profile = profile
        self._history = history
        self._documents = documents
        self._limits = WeakValueDictionary[str, PlayLimits]()

    def known(self, player: str) -> PlayLimits | None:
        """Return the limits of a player who is connected or has an own table open."""
        return self._limits.get(player)

    def of(self, player: str) -> PlayLimits:
        """Return a player's limits. Await `read` before the player may do anything."""
        limits = self._limits.get(player)
        if limits is None:
            limits = self._limits[player] = PlayLimits(self._profile)
        return limits

    async def read(self, player: str) -> None:
        """Complete a player's limits, as the journal has them."""
        limits = self.of(player)
        read = self._gateway.read
        if not limits.is_read:
            if self._documents.any_to_accept:
                accepted = await read(self._history.accepted_versions, player)
                limits.unaccepted = self._documents.unaccepted(accepted)
            if self._profile.round_min_ms:
                limits.add_start(await read(self._history.last_started_ms, player))
            if limits.counts_earlier_reminder(clock.now_ms()):
                limits.reminder_answered(await read(self._history.last_reminded_ms, player))
            limits.is_read = True


def bet_within_limits(
    limits: PlayLimits, bet: PlaceBet | Undo, now_ms: int, on_done: OnOutcome
) -> OnOutcome | None:
    """Return the callback for a bet that the limits allow; refuse others. Taking a bet back is allowed."""
    undo = None
    try:
        if isinstance(bet, Undo) or bet.stakes:
            undo = limits.bet_live(bet.table, bet.round, now_ms)
    except Refused as refused:
        on_done(refused)
        return None
    return partial(_undo_if_refused, undo, on_done) if undo else on_done


def _undo_if_refused(undo: Callable[[], None], on_done: OnOutcome, refused: Refused | None) -> None:
    if refused:
        undo()
    on_done(refused)


def _nothing() -> None:
    pass
