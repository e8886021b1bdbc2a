"""Commands that stake money and end rounds."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, cast

from croupier.tables.live.effects import Raise
from tests.faults.limits.comparison import Comparison, answered
from tests.faults.limits.oracle import ALLOWED, Oracle, PlayedRound
from tests.faults.limits.world import LIVE

Bet = tuple[PlayedRound, int]


class PlayCommands(Comparison):
    """Each public method is a command, which makes its arguments of two small numbers."""

    async def bet_own(self, first: int, _: int) -> None:
        round_ = self._new_round(live=False)
        verdict, minor = self.oracle.bet(first + 1), first + 1
        done, _result = await self.ask(verdict, self.world.bet_own(round_.id, round_.table, minor))
        if done:
            self.oracle.staked(round_, minor)

    async def bet_live(self, first: int, _: int) -> None:
        """Bet at the live table, or more in the same round."""
        round_, minor = self._live_round(), first + 1
        verdict = self.oracle.bet(minor)
        done, _result = await self.ask(verdict, self.world.bet_live(round_.id, minor))
        if done:
            self.oracle.staked(round_, minor)

    async def raise_stake(self, first: int, second: int) -> None:
        """Add to the stake of an open round, as a double does."""
        if not self.oracle.open_rounds:
            return
        round_, minor = self._open_round(second), first + 1
        verdict = self.oracle.raise_stake(minor)
        if round_.live:
            work = self.world.bet_live(round_.id, minor, Raise)
        else:
            work = self.world.raise_own(round_.id, round_.table, minor)
        done, _result = await self.ask(verdict, work)
        if done:
            self.oracle.staked(round_, minor)

    async def settle(self, first: int, second: int) -> None:
        """End a round that returns from nothing to three times its stake; it is never refused."""
        await self._end(second, lambda staked: staked * (first % 4))

    async def void(self, _: int, second: int) -> None:
        await self._end(second, None)

    async def _end(self, number: int, returns: Callable[[int], int] | None) -> None:
        if not self.oracle.open_rounds:
            return
        round_ = self._open_round(number)
        returned = returns(round_.staked) if returns else None
        if round_.live:
            work = self.world.end_live(round_.id, round_.staked, returned)
        else:
            work = self.world.end_own(round_.id, round_.table, round_.staked, returned)
        await self.ask(ALLOWED, work)
        self.oracle.ended(round_, round_.staked if returned is None else returned)

    async def race(self, first: int, second: int) -> None:
        """Bet at three tables at once: what is accepted is allowed, and the sum of all explains the refusals.

        Only connected players bet at once: otherwise a stake counts twice for the moment of its commit.
        """
        if not self.world.devices:
            return
        bets = [(self._new_round(live=False), first % 5 + 1), (self._live_round(), second % 5 + 1)]
        bets.append((self._new_round(live=False), (first + second) % 7 + 1))
        ledger = cast("Any", self.world.server.ledger)
        ledger.defers = True
        codes = [code for code, _ in await asyncio.gather(*(answered(self._place(*bet)) for bet in bets))]
        ledger.defers = False
        for bet, code in zip(bets, codes, strict=True):
            if code:
                others = [other for other in bets if other is not bet]
                self.check(self._beside(others).bet(bet[1]), code)
        for bet, code in zip(bets, codes, strict=True):
            if not code:
                self.check(self.oracle.bet(bet[1]), code)
                self.oracle.staked(*bet)

    def _beside(self, others: Sequence[Bet]) -> Oracle:
        """Return the oracle after other bets: also those being refused count for a moment."""
        imagined = Oracle(**{**vars(self.oracle), "rounds": [*self.oracle.rounds]})
        for round_, minor in others:
            imagined.staked(PlayedRound(round_.id, "", round_.live, round_.started_ms), minor)
        return imagined

    def _place(self, round_: PlayedRound, minor: int) -> Awaitable[None]:
        if round_.live:
            return self.world.bet_live(round_.id, minor)
        return self.world.bet_own(round_.id, round_.table, minor)

    def _new_round(self, *, live: bool) -> PlayedRound:
        name = self.world.round_id()
        return PlayedRound(name, LIVE if live else f"own{name}", live, self.oracle.now_ms)

    def _live_round(self) -> PlayedRound:
        open_here = [one for one in self.oracle.open_rounds if one.live]
        return open_here[0] if open_here else self._new_round(live=True)

    def _open_round(self, number: int) -> PlayedRound:
        return self.oracle.open_rounds[number % len(self.oracle.open_rounds)]
