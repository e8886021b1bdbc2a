"""Delivery of a live table's messages to its subscribers, in order, in batches, and never blocking.

Published messages stand in a log, and each subscription has its position there. A delivery round brings one
subscription after the other up to date and yields to the event loop between batches, so that no input waits
for a broadcast. A message to one player is preceded by what that player hasn't been sent yet.
"""

import asyncio
import logging
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import islice
from time import perf_counter
from typing import Protocol

from croupier.idle_tasks import IdleTasks

log = logging.getLogger(__name__)

BATCH_SIZE = 16
"""Deliveries between two looks at the clock. A delivery takes microseconds, most of them a system call."""
TIME_SLICE_S = 0.00015
"""Approximate time before a delivery round yields to the event loop."""

Messages = bytes | Callable[[str], bytes]
"""Framed messages, the same for everyone or made for each player."""


class FramedConnection(Protocol):
    """Takes framed messages for a player. Neither `send` nor `queue` blocks."""

    def send(self, messages: bytes, /) -> None:
        """Send now."""

    def queue(self, messages: bytes, /) -> None:
        """Send in one write with whatever else this turn of the event loop queues."""


class Subscriber(Protocol):
    """A player at the table, and their connection."""

    @property
    def player(self) -> str: ...

    @property
    def connection(self) -> FramedConnection: ...

    def taken_over(self) -> None:
        """End the subscription: the player has opened the table elsewhere."""


class _Subscription:
    __slots__ = ("connection", "ended", "player", "position", "subscriber")

    def __init__(self, subscriber: Subscriber, position: int) -> None:
        self.subscriber = subscriber
        self.player = subscriber.player
        self.connection = subscriber.connection
        self.position = position
        self.ended = False


class Subscribers:
    """The subscriptions of one table, one for each player. Delivery rounds run when the loop is idle."""

    def __init__(self, when_idle: IdleTasks) -> None:
        self._when_idle = when_idle
        self._subscriptions: dict[str, _Subscription] = {}
        self._log: deque[Messages] = deque()
        self._first = 0
        """The position of the log's first messages."""
        self.delivered = asyncio.Event()
        """Set while everything published is delivered."""
        self.delivered.set()

    @property
    def backlog(self) -> int:
        """Number of published messages that aren't delivered to everyone yet."""
        return len(self._log)

    def __len__(self) -> int:
        return len(self._subscriptions)

    def __contains__(self, player: str) -> bool:
        return player in self._subscriptions

    def add(self, subscriber: Subscriber) -> None:
        """Deliver to this subscriber what is published from now on, in place of the player's last one."""
        last = self._subscriptions.pop(subscriber.player, None)
        if last is not None:
            last.ended = True
            if last.subscriber is not subscriber:
                last.subscriber.taken_over()
        self._subscriptions[subscriber.player] = _Subscription(subscriber, self._end)

    def remove(self, subscriber: Subscriber) -> bool:
        """Remove a subscription; True if it was the player's current one."""
        subscription = self._subscriptions.get(subscriber.player)
        if subscription is None or subscription.subscriber is not subscriber:
            return False
        subscription.ended = True
        del self._subscriptions[subscriber.player]
        return True

    def publish(self, messages: Messages) -> None:
        """Send to everyone, from the next idle turn of the event loop on."""
        if not messages:
            return
        self._log.append(messages)
        if self.delivered.is_set():
            self.delivered.clear()
            self._when_idle(self._start_round)

    def send_to(self, player: str, messages: Messages) -> None:
        """Send to one player now, after what is published."""
        subscription = self._subscriptions.get(player)
        if subscription is not None:
            subscription.connection.queue(self._due(subscription, messages))

    def catch_up(self, player: str) -> None:
        """Send one player now what is published."""
        subscription = self._subscriptions.get(player)
        if subscription is not None and subscription.position != self._end:
            subscription.connection.queue(self._due(subscription))

    # --- delivery rounds

    @property
    def _end(self) -> int:
        return self._first + len(self._log)

    def _start_round(self) -> None:
        self._deliver(iter(tuple(self._subscriptions.values())), self._end)

    def _deliver(self, rest: Iterator[_Subscription], end: int) -> None:
        until = perf_counter() + TIME_SLICE_S
        while batch := tuple(islice(rest, BATCH_SIZE)):
            self._deliver_batch(batch)
            if perf_counter() > until:
                self._when_idle(partial(self._deliver, rest, end))
                return
        self._end_round(end)

    def _deliver_batch(self, batch: Iterable[_Subscription]) -> None:
        """Bring each up to date. This loop runs once per subscriber and message: it stays flat."""
        shared, end = self._shared(), self._end
        for subscription in batch:
            if subscription.ended or subscription.position == end:
                continue
            messages = shared.get(subscription.position)
            if messages is None:
                messages = self._due(subscription)
            subscription.position = end
            if messages:
                subscription.connection.send(messages)

    def _shared(self) -> dict[int, bytes]:
        """Return the messages due at each position, as far as they are the same for everyone."""
        shared, due = dict[int, bytes](), b""
        for position in range(self._end - 1, self._first - 1, -1):
            messages = self._log[position - self._first]
            if not isinstance(messages, bytes):
                break
            shared[position] = due = messages + due
        return shared

    def _end_round(self, end: int) -> None:
        """Drop the messages that everyone has been sent."""
        while self._first < end:
            self._log.popleft()
            self._first += 1
        if self._log:
            self._when_idle(self._start_round)
        else:
            self.delivered.set()

    def _due(self, subscription: _Subscription, *personal: Messages) -> bytes:
        """Return all that is due, and `personal`; mostly one message, which isn't copied."""
        due, missed = b"", islice(self._log, subscription.position - self._first, None)
        subscription.position = self._end
        try:
            for messages in (*missed, *personal):
                part = messages if isinstance(messages, bytes) else messages(subscription.player)
                due = due + part if due else part
        except Exception:
            # A fault in one player's message must not stop the others.
            log.exception("no message was sent to player %s", subscription.player)
            return b""
        return due
