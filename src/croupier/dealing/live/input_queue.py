"""The queue of a live table's inputs, in the order of arrival."""

import asyncio
from collections import deque
from collections.abc import Callable

from croupier.refusal import Refused
from croupier.tables.live.inputs import AnyInput, Decided, Placed, Undone, Voided
from croupier.tables.live.state import HoldKey

OnDone = Callable[[Refused | None], None]
"""Called once: with None when the input is executed and durable, or with its refusal."""

BATCH_MAX = 128
"""Inputs stepped together: enough to share a commit, few enough not to block the event loop."""
_MAY_COST = (Placed, Undone, Decided)


class QueuedInput:
    """An input with its time and the round for which it is meant; an empty round means any.

    `player`: the player who gave it; empty: the table. `may_cost`: true if it may need a hold.
    """

    __slots__ = ("at_ms", "callbacks", "given", "may_cost", "player", "round")

    def __init__(self, given: AnyInput, at_ms: int, round_: str, on_done: OnDone | None) -> None:
        self.given = given
        self.at_ms = at_ms
        self.round = round_
        self.callbacks = [on_done] if on_done else []
        self.player: str = getattr(given, "player", "")
        self.may_cost = isinstance(given, _MAY_COST)

    def answer(self, refused: Refused | None) -> None:
        for on_done in self.callbacks:
            on_done(refused)
        self.callbacks.clear()


def resolving(done: asyncio.Future[None]) -> OnDone:
    """Return a callback that resolves a future, unless its caller was cancelled."""

    def resolve(refused: Refused | None) -> None:
        if done.done():
            return
        if refused is None:
            done.set_result(None)
        else:
            done.set_exception(refused)

    return resolve


class InputQueue:
    """The waiting inputs. A player's next bet replaces their bet that is still waiting."""

    def __init__(self) -> None:
        self._inputs: deque[QueuedInput] = deque()
        self._bets: dict[str, QueuedInput] = {}
        self._not_empty = asyncio.Event()
        self._woken = False
        self._waiting: dict[HoldKey, QueuedInput] = {}
        """Inputs whose holds haven't been answered."""
        self._parked: dict[str, list[QueuedInput]] = {}
        """By the player of such an input: their next input that may need a hold, and all inputs after it."""

    def put(self, queued: QueuedInput, *, may_replace: bool) -> None:
        waiting = self._bets.pop(queued.player, None) if queued.player else None
        is_bet = isinstance(queued.given, Placed)
        if waiting and is_bet and may_replace and waiting.round == queued.round:
            waiting.given, waiting.at_ms = queued.given, queued.at_ms
            waiting.callbacks += queued.callbacks
            queued = waiting
        else:
            self._inputs.append(queued)
            self._not_empty.set()
        if is_bet:
            self._bets[queued.player] = queued

    def keep_waiting(self, queued: QueuedInput, hold: HoldKey) -> None:
        """Keep an input whose hold hasn't been answered, and hold back its player's next costly inputs."""
        self._waiting[hold] = queued
        self._parked[queued.player] = []

    def stop_waiting(self, hold: HoldKey) -> QueuedInput | None:
        """Return the input that waited for a hold, and put the inputs held back for it before all others."""
        queued = self._waiting.pop(hold, None)
        if parked := self._parked.pop(queued.player, None) if queued else None:
            self._inputs.extendleft(reversed(parked))
            self._not_empty.set()
        return queued

    def wake(self) -> None:
        """Let `batch` return, even if there is nothing to step."""
        self._woken = True
        self._not_empty.set()

    async def batch(self) -> list[QueuedInput]:
        """Wait for inputs that may be stepped together, and return them; perhaps none after `wake`."""
        while True:
            await self._not_empty.wait()
            batch, woken, self._woken = self._next_batch(), self._woken, False
            if batch or woken:
                return batch

    def _next_batch(self) -> list[QueuedInput]:
        """Return all inputs that may be stepped together; none if all are kept back.

        A player's second input that may cost waits for the next batch, as their hold must be answered
        first; so do their later inputs, and no input of the table overtakes them. A void comes first in its
        batch, after every hold is answered.
        """
        batch, postponed = list[QueuedInput](), list[QueuedInput]()
        costing, waiting = set[str](), set[str]()
        while self._inputs and len(batch) < BATCH_MAX:
            queued = self._inputs[0]
            if (postponed and not queued.player) or (batch and isinstance(queued.given, Voided)):
                break
            self._inputs.popleft()
            if self._parked and self._is_kept_back(queued):
                continue
            if queued.player in waiting or (queued.may_cost and queued.player in costing):
                waiting.add(queued.player)
                postponed.append(queued)
                continue
            if queued.may_cost:
                costing.add(queued.player)
            batch.append(queued)
            if self._bets.get(queued.player) is queued:
                del self._bets[queued.player]
        self._inputs.extendleft(reversed(postponed))
        if not self._inputs:
            self._not_empty.clear()
        return batch

    def _is_kept_back(self, queued: QueuedInput) -> bool:
        """Keep an input back if it may not overtake the answer to its player's hold."""
        parked = self._parked.get(queued.player)
        if parked is None or not (parked or queued.may_cost):
            return False
        parked.append(queued)
        return True

    def clear(self) -> list[QueuedInput]:
        """Remove and return all inputs."""
        parked = (queued for each in self._parked.values() for queued in each)
        inputs = [*self._waiting.values(), *parked, *self._inputs]
        self._inputs.clear()
        self._waiting.clear()
        self._parked.clear()
        self._bets.clear()
        return inputs
