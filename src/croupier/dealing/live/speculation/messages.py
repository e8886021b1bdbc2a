"""Prerendered messages: each player's view of the end of their round, rendered before it is published.

Messages are rendered when the end is predicted, and while its entries are committed.
"""

import asyncio
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from croupier.dealing.live.broadcast.broadcaster import Broadcaster
from croupier.dealing.live.broadcast.player_views import PlayerView
from croupier.dealing.live.broadcast.prerendered import NONE_PRERENDERED, Prerendered, PrerenderedMessage
from croupier.dealing.live.broadcast.snapshot import Snapshot
from croupier.dealing.live.steps import TableStep
from croupier.tables.live.effects import Settle, Void
from croupier.tables.live.inputs import RoundNamed
from croupier.tables.live.state import State

BATCH_SIZE = 32
"""Messages rendered before the event loop runs: about a third of a millisecond."""


class PredictedMessages:
    def __init__(self, broadcaster: Broadcaster) -> None:
        self._broadcaster = broadcaster
        self._ended: tuple[Settle | Void, ...] = ()
        self._acted: set[str] = set()
        """Players who have acted since the prediction: their messages may have changed."""
        self.messages: dict[str, PrerenderedMessage] = {}

    async def predict(self, step: TableStep) -> None:
        """Render the messages of a step that ends a round."""
        self.messages, self._ended, self._acted = {}, step.ended, set()
        await self._render(step, step.after, self.messages)

    @contextmanager
    def committing(self, steps: Sequence[TableStep]) -> Iterator[Prerendered]:
        """Render the missing messages until the block ends."""
        self._acted.update([step.player for step in steps])
        ending = next((step for step in steps if step.ends), None)
        if ending is None or any(isinstance(step.given, RoundNamed) for step in steps):
            yield NONE_PRERENDERED
            return
        messages = self._predicted(ending)
        rendering = asyncio.create_task(self._render(ending, steps[-1].after, messages))
        try:
            yield messages
        finally:
            rendering.cancel()

    def _predicted(self, ending: TableStep) -> dict[str, PrerenderedMessage]:
        messages = self.messages if self._ended == ending.ended else {}
        for player in self._acted & messages.keys():
            del messages[player]
        self.messages, self._ended, self._acted = {}, (), set()
        return messages

    async def _render(self, ending: TableStep, after: State, messages: dict[str, PrerenderedMessage]) -> None:
        snapshot = self._broadcaster.next_snapshot(after)
        missing = [end for end in ending.ended if end.player not in messages]
        for rendered, end in enumerate(missing, 1):
            messages[end.player] = self._message(snapshot, ending.before, end)
            if rendered % BATCH_SIZE == 0:
                await asyncio.sleep(0)

    def _message(self, snapshot: Snapshot, before: State, end: Settle | Void) -> PrerenderedMessage:
        broadcaster, returned_minor = self._broadcaster, end.staked_minor
        if isinstance(end, Settle):
            returned_minor = end.returned_minor
        history = broadcaster.history_after(before, end)
        held = broadcaster.balances.held(end.player, end.currency)
        balance = held.after(end.staked_minor, returned_minor)
        view = PlayerView(history, broadcaster.players[end.player].at_maximum, balance)
        message = snapshot.personal(view, end.player)
        return PrerenderedMessage(history, end.currency, balance, snapshot.v, message)
