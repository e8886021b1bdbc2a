"""Public messages of one moment at a live table, encoded once for each group that sees the same."""

from collections.abc import Callable, Mapping

from croupier.dealing.live.broadcast.events import ScopedEvent
from croupier.dealing.live.broadcast.player_views import PlayerView
from croupier.dealing.live.broadcast.snapshot import Snapshot
from croupier.dealing.live.broadcast.subscribers import Messages
from croupier.play.contract.live import Path

Personal = bytes | PlayerView
"""A player's personal view at one state, or the message with it."""


class EventMessages:
    """An event for each group, followed by the personal view of each player in `personal`.

    `sent` is called with each of these players when their message is taken.
    """

    def __init__(
        self,
        snapshot: Snapshot,
        events: tuple[ScopedEvent, ...],
        personal: Mapping[str, Personal],
        sent: Callable[[str], None],
    ) -> None:
        self._snapshot = snapshot
        self._events = events
        self._personal = personal
        self._sent = sent
        self._encoded: dict[Path, bytes] = {}

    def messages(self) -> Messages:
        return self if self._personal else self._snapshot.for_groups(self._event)

    def __call__(self, player: str) -> bytes:
        group = self._snapshot.group(player)
        event = self._encoded.get(group) or self._event(group)
        view = self._personal.get(player)
        if view is None:
            return event
        self._sent(player)
        return event + (view if isinstance(view, bytes) else self._snapshot.personal(view, player))

    def _event(self, group: Path) -> bytes:
        if group not in self._encoded:
            events = tuple([each.event for each in self._events if each.concerns(group)])
            self._encoded[group] = self._snapshot.event(group, events)
        return self._encoded[group]


class PulseMessages:
    """A pulse for each group, unless it equals the group's pulse in `previous`."""

    def __init__(self, snapshot: Snapshot, previous: "PulseMessages | None") -> None:
        self._snapshot = snapshot
        self._previous = previous.encoded if previous else {}
        self.encoded: dict[Path, bytes] = {}

    def messages(self) -> Messages:
        return self._snapshot.for_groups(self._changed)

    def _changed(self, group: Path) -> bytes:
        pulse = self.encoded.get(group)
        if pulse is None:
            pulse = self.encoded[group] = self._snapshot.pulse(group)
        return b"" if pulse == self._previous.get(group) else pulse
