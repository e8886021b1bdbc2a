"""The house keeps to what players have set themselves: no stake and no deposit of theirs passes a limit.

Whoever has set nothing costs nothing. What a limit counts is read from the books once a day, week or month
and a visit; from then on the player's purse tells the rest.
"""

import asyncio
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import lru_cache
from typing import Literal, NamedTuple

import msgspec

from croupier import clock
from croupier.accounts.responsible_gaming import PERIODS, Care, Measure, Said, What, began_ms
from croupier.ledger import entries
from croupier.ledger.entries import Entry
from croupier.ledger.protocol import LedgerReader, StakeTotals
from croupier.refusal import Refused
from croupier.runtime.players.balances import BalanceCache
from croupier.tables.live.effects import Hold, Raise

NOTES = "care:"
EARLIER_KEPT = 50_000
ALL = 2**31 - 1
NOTHING_SET = Care()
NOTHING = StakeTotals(0, 0)
COUNTS: Mapping[str, tuple[What, ...]] = {"stake": ("loss", "wager"), "deposit": ("deposit",)}
MOVES: Mapping[tuple[str, str], Literal["stake", "deposit"]] = {
    ("cash", "in_play"): "stake",
    ("cashier", "cash"): "deposit",
}
"""What is limited of all that entries of a player's own move."""


class Asked(NamedTuple):
    """What a player is about to do with his money."""

    player: str
    does: Literal["stake", "deposit"]
    currency: str
    amount_minor: int

    @property
    def of(self) -> tuple[str, str, str]:
        return self[:3]


class PlayerLimits:
    """Knows the care of everybody who has set himself anything; `load` first.

    `visit_began_ms` tells when the visit began that a player's purse counts.
    """

    def __init__(
        self, books: LedgerReader, purses: BalanceCache, visit_began_ms: Callable[[str], int | None]
    ) -> None:
        self._books = books
        self._purses = purses
        self._visit_began_ms = visit_began_ms
        self._of: dict[str, Care] = {}
        self._under_way: Counter[tuple[str, str, str]] = Counter()
        """Asked for and not in the books yet, by player, what he does, and currency."""
        self._earlier = lru_cache(EARLIER_KEPT)(books.totals)

    # --- what they have set

    def load(self) -> None:
        """As the books have it."""
        for note in reversed(self._books.notes(NOTES, limit=ALL)):
            self.stands(note)

    def of(self, player: str) -> Care:
        return self._of.get(player, NOTHING_SET)

    def note(self, player: str, said: Said, now_ms: int) -> Entry:
        """It counts when it `stands`; one at a time of each player."""
        body = msgspec.to_builtins(said)
        return entries.note(f"{NOTES}{player}:{self.of(player).notes:06}", now_ms, body, player=player)

    def stands(self, note: Entry) -> None:
        """It is in the books."""
        self._of[note.player] = self.of(note.player).after(msgspec.convert(note.body, Said), note.at_ms)

    async def read_ahead(self, player: str) -> None:
        """Read the totals before a player's visit in a thread, so that no bet waits for it."""
        if visit_ms := self._visit_began_ms(player):
            await asyncio.to_thread(self._read_ahead, player, visit_ms)

    def _read_ahead(self, player: str, visit_ms: int) -> None:
        for period in PERIODS:
            self._before_visit(player, began_ms(period, clock.now_ms()), visit_ms)

    # --- what they may do

    def check_may_come(self, player: str) -> None:
        """To a table; Refused when he has barred himself."""
        self._check_barred(self.of(player), clock.now_ms())

    @contextmanager
    def letting(self, posted: Sequence[Entry]) -> Iterator[None]:
        """Refused when one of them is more than its player allows himself; inside, they count as done."""
        begun = list[Asked]()
        try:
            for asked in self._asked(posted):
                self._begins(asked, begun)
            yield
        finally:
            self._done(begun)

    @contextmanager
    def holding(self, moves: Iterable[object]) -> Iterator[Mapping[Hold | Raise, Refused]]:
        """Which holds are more than their players allow themselves, and why; the others count as done."""
        begun, refused = list[Asked](), dict[Hold | Raise, Refused]()
        try:
            for move in moves if self._of else ():
                if isinstance(move, Hold | Raise) and move.player in self._of:
                    asked = Asked(move.player, "stake", move.currency, move.amount_minor)
                    try:
                        self._begins(asked, begun)
                    except Refused as why:
                        refused[move] = why
            yield refused
        finally:
            self._done(begun)

    def _asked(self, posted: Iterable[Entry]) -> Iterator[Asked]:
        """What has been done before isn't asked for again."""
        for entry in posted:
            if entry.player in self._of:
                for way, does in MOVES.items():
                    minor = entry.moved(*way)
                    if minor and self._books.entry(entry.key) is None:
                        yield Asked(entry.player, does, entry.moves[0].debit.currency, minor)

    def _begins(self, asked: Asked, begun: list[Asked]) -> None:
        self._check(asked)
        self._under_way[asked.of] += asked.amount_minor
        begun.append(asked)

    def _done(self, begun: Iterable[Asked]) -> None:
        """In the books, where the player's purse and the sums count it; or refused there."""
        for asked in begun:
            self._under_way[asked.of] -= asked.amount_minor
            if not self._under_way[asked.of]:
                del self._under_way[asked.of]

    def _check(self, asked: Asked) -> None:
        care, now_ms = self.of(asked.player), clock.now_ms()
        self._check_barred(care, now_ms)
        for measure in care.limits:
            if measure.what in COUNTS[asked.does] and measure.currency == asked.currency:
                self._check_limit(asked, measure, care.most(measure, now_ms), now_ms)

    def _check_limit(self, asked: Asked, measure: Measure, most: int | None, now_ms: int) -> None:
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

    def _check_barred(self, care: Care, now_ms: int) -> None:
        if care.is_barred(now_ms):
            raise Refused("barred", why=care.barred.why, until_ms=care.barred.until_ms)

    # --- what they have done

    def used(self, player: str, measure: Measure, now_ms: int) -> int:
        """How much of a limit of money is used up; of a loss, below 0 who is winning."""
        since_ms = began_ms(measure.period, now_ms)
        if measure.what == "deposit":
            return self._books.deposited(player, since_ms=since_ms).get(measure.currency, 0)
        played = self.played(player, since_ms).get(measure.currency, NOTHING)
        at_risk = self._at_risk(player, measure.currency)
        return played.staked_minor + at_risk - (played.returned_minor if measure.what == "loss" else 0)

    def played(self, player: str, since_ms: int) -> Mapping[str, StakeTotals]:
        """By currency, what was staked and what came back in rounds that have ended.

        Of a visit that goes on the purse knows it; what was before doesn't change any more.
        """
        visit_ms = self._visit_began_ms(player)
        if visit_ms is None or not self._purses.counts_all(player):
            return self._books.totals(player, since_ms=since_ms)
        return _sum(self._purses.visit(player), *self._before_visit(player, since_ms, visit_ms))

    def _before_visit(
        self, player: str, since_ms: int, visit_ms: int
    ) -> tuple[int, Mapping[str, StakeTotals]]:
        """What is to be added to the visit; or, with a sign, taken from it: it began before `since_ms`."""
        sign = 1 if since_ms <= visit_ms else -1
        return sign, self._earlier(player, None, min(since_ms, visit_ms), max(since_ms, visit_ms))

    def _at_risk(self, player: str, currency: str) -> int:
        if self._visit_began_ms(player) is None:
            return self._books.balances(player).get(currency, {}).get("in_play", 0)
        return self._purses.held(player, currency).in_play_minor


def _sum(
    now: Mapping[str, StakeTotals], sign: int, earlier: Mapping[str, StakeTotals]
) -> Mapping[str, StakeTotals]:
    return {
        currency: StakeTotals(*(here + sign * there for here, there in zip(one, other, strict=True)))
        for currency in now.keys() | earlier.keys()
        for one, other in [(now.get(currency, NOTHING), earlier.get(currency, NOTHING))]
    }
