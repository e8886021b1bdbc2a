"""What has been asked of a live table and waits for its turn, in the order in which it came."""

import asyncio
from collections import deque
from collections.abc import Callable

from croupier.refusal import Refused
from croupier.tables.live.inputs import AnyInput, Decided, Placed, Undone, Voided

Answered = Callable[[Refused | None], None]
"""Called once, when it is done and durable, or with why it wasn't done."""

BATCH_MOST = 128
"""Inputs stepped together: enough for one commit to serve many, few enough not to hold up the loop."""
_COSTS = (Placed, Undone, Decided)
"""What may need money: one of them a player and batch, as his hold is answered before the next."""


class Asked:
    """An input, when it came, and the round that it is meant for (empty: whichever it is).

    `player`: whose it is; empty: the table's. `costs`: whether it may need money.
    """

    __slots__ = ("answers", "at_ms", "costs", "given", "player", "round")

    def __init__(self, given: AnyInput, at_ms: int, round_: str, answered: Answered | None) -> None:
        self.given = given
        self.at_ms = at_ms
        self.round = round_
        self.answers = [answered] if answered else []
        self.player: str = getattr(given, "player", "")
        self.costs = isinstance(given, _COSTS)

    def answer(self, refused: Refused | None) -> None:
        for answered in self.answers:
            answered(refused)
        self.answers.clear()


class Queue:
    """Bets are cheap to change: a bet that still waits is replaced by the player's next one."""

    def __init__(self) -> None:
        self._waiting: deque[Asked] = deque()
        self._bets: dict[str, Asked] = {}
        self._some = asyncio.Event()

    def put(self, asked: Asked, *, may_replace: bool) -> None:
        before = self._bets.pop(asked.player, None) if asked.player else None
        bets = isinstance(asked.given, Placed)
        if before and bets and may_replace and before.round == asked.round:
            before.given, before.at_ms = asked.given, asked.at_ms
            before.answers += asked.answers
            asked = before
        else:
            self._waiting.append(asked)
            self._some.set()
        if bets:
            self._bets[asked.player] = asked

    async def batch(self) -> list[Asked]:
        """What is next, one at least: all that waits, but no two of a player's that may need money.

        The second of them, and what he asked behind it, waits for the next batch; nothing of the table's own
        overtakes it. A void comes first in its batch, so that every hold has been answered before it.
        """
        await self._some.wait()
        batch, kept = list[Asked](), list[Asked]()
        costing, waits = set[str](), set[str]()
        while self._waiting and len(batch) < BATCH_MOST:
            asked = self._waiting[0]
            if (kept and not asked.player) or (batch and isinstance(asked.given, Voided)):
                break
            self._waiting.popleft()
            if asked.player in waits or (asked.costs and asked.player in costing):
                waits.add(asked.player)
                kept.append(asked)
                continue
            if asked.costs:
                costing.add(asked.player)
            batch.append(asked)
            if self._bets.get(asked.player) is asked:
                del self._bets[asked.player]
        self._waiting.extendleft(reversed(kept))
        if not self._waiting:
            self._some.clear()
        return batch

    def empty(self) -> list[Asked]:
        """All that waits, which will not be done any more."""
        rest = list(self._waiting)
        self._waiting.clear()
        self._bets.clear()
        return rest
