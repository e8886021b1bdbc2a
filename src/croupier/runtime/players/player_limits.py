"""Enforcement of players' own limits and breaks: no stake and no deposit passes a limit.

Players without limits cost nothing. The totals that a limit counts are read from the ledger once for each
period and visit; the cached balances add what has happened since.
"""

import asyncio
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import lru_cache
from typing import Literal, NamedTuple

import msgspec

from croupier import clock
from croupier.accounts.responsible_gaming import (
    PERIODS,
    Measure,
    PlayerRestrictions,
    RestrictionChange,
    What,
    began_ms,
)
from croupier.ledger import entries
from croupier.ledger.entries import Entry
from croupier.ledger.protocol import LedgerReader, StakeTotals
from croupier.refusal import Refused
from croupier.runtime.players.balances import BalanceCache
from croupier.tables.live.effects import Hold, Raise

NOTES = "care:"
EARLIER_KEPT = 50_000
ALL = 2**31 - 1
NOTHING_SET = PlayerRestrictions()
NOTHING = StakeTotals(0, 0)
COUNTS: Mapping[str, tuple[What, ...]] = {"stake": ("loss", "wager"), "deposit": ("deposit",)}
MOVES: Mapping[tuple[str, str], Literal["stake", "deposit"]] = {
    ("cash", "in_play"): "stake",
    ("cashier", "cash"): "deposit",
}
"""The movements that limits count, by kinds of accounts."""


class SpendRequest(NamedTuple):
    """A stake or deposit that a player is about to make."""

    player: str
    does: Literal["stake", "deposit"]
    currency: str
    amount_minor: int

    @property
    def of(self) -> tuple[str, str, str]:
        return self[:3]


class PlayerLimits:
    """The restrictions of all players who have set any; `load` first.

    `visit_began_ms` returns when the visit began that the cached balances count; None without one.
    """

    def __init__(
        self, ledger: LedgerReader, balances: BalanceCache, visit_began_ms: Callable[[str], int | None]
    ) -> None:
        self._ledger = ledger
        self._balances = balances
        self._visit_began_ms = visit_began_ms
        self._of: dict[str, PlayerRestrictions] = {}
        self._under_way: Counter[tuple[str, str, str]] = Counter()
        """Amounts requested and not yet in the ledger, by player, kind of movement and currency."""
        self._earlier = lru_cache(EARLIER_KEPT)(ledger.totals)

    # --- restrictions

    def load(self) -> None:
        """Read all restrictions from the journal."""
        for note in reversed(self._ledger.notes(NOTES, limit=ALL)):
            self.stands(note)

    def of(self, player: str) -> PlayerRestrictions:
        return self._of.get(player, NOTHING_SET)

    def note(self, player: str, said: RestrictionChange, now_ms: int) -> Entry:
        """Return the note of a change, to be posted and passed to `stands`, one at a time."""
        body = msgspec.to_builtins(said)
        return entries.note(f"{NOTES}{player}:{self.of(player).notes:06}", now_ms, body, player=player)

    def stands(self, note: Entry) -> None:
        """Let a posted note take effect."""
        self._of[note.player] = self.of(note.player).after(
            msgspec.convert(note.body, RestrictionChange), note.at_ms
        )

    async def read_ahead(self, player: str) -> None:
        """Read the totals before a player's visit in a thread: no bet waits for it."""
        if visit_ms := self._visit_began_ms(player):
            await asyncio.to_thread(self._read_ahead, player, visit_ms)

    def _read_ahead(self, player: str, visit_ms: int) -> None:
        for period in PERIODS:
            self._before_visit(player, began_ms(period, clock.now_ms()), visit_ms)

    # --- checks

    def check_may_come(self, player: str) -> None:
        """Refuse `barred` during a break."""
        self._check_barred(self.of(player), clock.now_ms())

    @contextmanager
    def letting(self, posted: Sequence[Entry]) -> Iterator[None]:
        """Refuse entries that pass a player's limit; inside the context they count as posted."""
        begun = list[SpendRequest]()
        try:
            for asked in self._asked(posted):
                self._begins(asked, begun)
            yield
        finally:
            self._done(begun)

    @contextmanager
    def holding(self, moves: Iterable[object]) -> Iterator[Mapping[Hold | Raise, Refused]]:
        """Yield the holds that pass a limit, and why; inside the context the others count as placed."""
        begun, refused = list[SpendRequest](), dict[Hold | Raise, Refused]()
        try:
            for move in moves if self._of else ():
                if isinstance(move, Hold | Raise) and move.player in self._of:
                    asked = SpendRequest(move.player, "stake", move.currency, move.amount_minor)
                    try:
                        self._begins(asked, begun)
                    except Refused as why:
                        refused[move] = why
            yield refused
        finally:
            self._done(begun)

    def _asked(self, posted: Iterable[Entry]) -> Iterator[SpendRequest]:
        """Yield the limited movements of entries that aren't in the journal yet."""
        for entry in posted:
            if entry.player in self._of:
                for way, does in MOVES.items():
                    minor = entry.moved(*way)
                    if minor and self._ledger.entry(entry.key) is None:
                        yield SpendRequest(entry.player, does, entry.moves[0].debit.currency, minor)

    def _begins(self, asked: SpendRequest, begun: list[SpendRequest]) -> None:
        self._check(asked)
        self._under_way[asked.of] += asked.amount_minor
        begun.append(asked)

    def _done(self, begun: Iterable[SpendRequest]) -> None:
        """Stop counting requests: the ledger counts them now, or has refused them."""
        for asked in begun:
            self._under_way[asked.of] -= asked.amount_minor
            if not self._under_way[asked.of]:
                del self._under_way[asked.of]

    def _check(self, asked: SpendRequest) -> None:
        care, now_ms = self.of(asked.player), clock.now_ms()
        self._check_barred(care, now_ms)
        for measure in care.limits:
            if measure.what in COUNTS[asked.does] and measure.currency == asked.currency:
                self._check_limit(asked, measure, care.most(measure, now_ms), now_ms)

    def _check_limit(self, asked: SpendRequest, measure: Measure, most: int | None, now_ms: int) -> None:
        if most is None:
            return
        left = most - self.used(asked.player, measure, now_ms) - self._under_way[asked.of]
        if asked.amount_minor > left:
            raise Refused(
                "over_own_limit",
                what=measure.what,
                period=measure.period,
                most_minor=most,
                left_minor=max(0, left),
            )

    def _check_barred(self, care: PlayerRestrictions, now_ms: int) -> None:
        if care.is_barred(now_ms):
            raise Refused("barred", why=care.barred.why, until_ms=care.barred.until_ms)

    # --- totals

    def used(self, player: str, measure: Measure, now_ms: int) -> int:
        """Return how much of a money limit is used up; below 0 for the loss limit of a winner."""
        since_ms = began_ms(measure.period, now_ms)
        if measure.what == "deposit":
            return self._ledger.deposited(player, since_ms=since_ms).get(measure.currency, 0)
        played = self.played(player, since_ms).get(measure.currency, NOTHING)
        at_risk = self._at_risk(player, measure.currency)
        return played.staked_minor + at_risk - (played.returned_minor if measure.what == "loss" else 0)

    def played(self, player: str, since_ms: int) -> Mapping[str, StakeTotals]:
        """Return the totals of ended rounds since then, by currency.

        The cached balances know those of the present visit; the earlier ones no longer change.
        """
        visit_ms = self._visit_began_ms(player)
        if visit_ms is None or not self._balances.counts_all(player):
            return self._ledger.totals(player, since_ms=since_ms)
        return _sum(self._balances.visit(player), *self._before_visit(player, since_ms, visit_ms))

    def _before_visit(
        self, player: str, since_ms: int, visit_ms: int
    ) -> tuple[int, Mapping[str, StakeTotals]]:
        """Return the sign and the totals to add to the visit: -1 where it began before `since_ms`."""
        sign = 1 if since_ms <= visit_ms else -1
        return sign, self._earlier(player, None, min(since_ms, visit_ms), max(since_ms, visit_ms))

    def _at_risk(self, player: str, currency: str) -> int:
        if self._visit_began_ms(player) is None:
            return self._ledger.balances(player).get(currency, {}).get("in_play", 0)
        return self._balances.held(player, currency).in_play_minor


def _sum(
    now: Mapping[str, StakeTotals], sign: int, earlier: Mapping[str, StakeTotals]
) -> Mapping[str, StakeTotals]:
    return {
        currency: StakeTotals(*(here + sign * there for here, there in zip(one, other, strict=True)))
        for currency in now.keys() | earlier.keys()
        for one, other in [(now.get(currency, NOTHING), earlier.get(currency, NOTHING))]
    }
