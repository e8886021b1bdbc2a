"""Speculation on the end of a round, while the dealer pauses before a card or the ball comes to rest.

With thousands of players this is most of the work of a settlement.
"""

import asyncio
import logging
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial

from croupier.dealing.live.broadcast.broadcaster import Broadcaster
from croupier.dealing.live.broadcast.prerendered import NONE_PRERENDERED, Prerendered
from croupier.dealing.live.money.table_money import TableMoney
from croupier.dealing.live.speculation.entries import PredictedEntries
from croupier.dealing.live.speculation.interface import NoSpeculation, Speculate
from croupier.dealing.live.speculation.messages import PredictedMessages
from croupier.dealing.live.speculation.plays import step_with_known_play
from croupier.dealing.live.steps import TableStep, take_step
from croupier.ledger.entries import Entry
from croupier.ledger.protocol import Ledger
from croupier.tables.live.inputs import AnyInput
from croupier.tables.live.state import State

log = logging.getLogger(__name__)

PLAYS, ENTRIES, TRANSACTION, MESSAGES = "plays", "entries", "transaction", "messages"
EVERYTHING = frozenset({PLAYS, ENTRIES, TRANSACTION, MESSAGES})
"""The predicted play, which the other parts need; ledger entries; their speculative transaction (which
includes the entries); and messages to players."""


def speculating(parts: Collection[str] = EVERYTHING) -> Speculate:
    """Return what makes a table's speculation from `parts` of EVERYTHING; ValueError for another name."""
    if unknown := set(parts) - EVERYTHING:
        raise ValueError(f"unknown parts of speculation: {', '.join(sorted(unknown))}")
    if not parts:
        return lambda *_: NoSpeculation()
    return partial(RoundEndSpeculation, frozenset(parts))


class RoundEndSpeculation:
    """The speculation of one table."""

    def __init__(
        self,
        parts: frozenset[str],
        broadcaster: Broadcaster,
        money: TableMoney,
        ledger: Ledger,
        state: Callable[[], State],
    ) -> None:
        self._parts = parts
        self._state = state
        self._delivered = broadcaster.subscribers.delivered
        self._entries = PredictedEntries(money, ledger if TRANSACTION in parts else None)
        self._messages = PredictedMessages(broadcaster)
        self._steps: list[TableStep] = []
        self._task: asyncio.Task[None] | None = None

    def expect(self, inputs: Iterable[AnyInput], at_ms: int) -> None:
        self.cancel()
        self._steps = []
        self._task = asyncio.create_task(self._predict(tuple(inputs), at_ms))

    def cancel(self) -> None:
        if self._task:
            self._task.cancel()

    def step(self, state: State, given: AnyInput, at_ms: int) -> TableStep:
        step = step_with_known_play(self._steps, state, given, at_ms) if PLAYS in self._parts else None
        return step or take_step(state, given, at_ms)

    def entries(self, step: TableStep) -> Sequence[Entry] | None:
        return self._entries.of(step)

    @contextmanager
    def committing(self, steps: Sequence[TableStep]) -> Iterator[Prerendered]:
        if any(step.ends for step in steps):
            self.cancel()
        if MESSAGES not in self._parts:
            yield NONE_PRERENDERED
            return
        with self._messages.committing(steps) as messages:
            yield messages

    async def _predict(self, inputs: Iterable[AnyInput], at_ms: int) -> None:
        await self._delivered.wait()  # messages that are due come first
        try:
            await self._prepare(self._state(), inputs, at_ms)
        except Exception:
            log.warning("the next step couldn't be predicted", exc_info=True)

    async def _prepare(self, state: State, inputs: Iterable[AnyInput], at_ms: int) -> None:
        """Prepare in turns of the event loop."""
        for given in inputs:
            self._steps.append(take_step(state, given, at_ms))
            state = self._steps[-1].after
        if (last := self._steps[-1]).ends:
            await asyncio.sleep(0)
            if self._parts & {ENTRIES, TRANSACTION}:
                self._entries.predict(last)
            await asyncio.sleep(0)
            if MESSAGES in self._parts:
                await self._messages.predict(last)
