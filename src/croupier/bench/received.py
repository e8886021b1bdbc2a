"""Messages that the clients receive, parsed only as far as the figures need it."""

import json
from collections.abc import Callable
from time import perf_counter, time

import msgspec

from croupier.bench.timing import BroadcastTiming, PendingRequests
from croupier.protocol import wire

read = msgspec.json.Decoder(wire.LiveUpdate | wire.LiveSnapshot).decode


class RoundTimings:
    """Timings and results of one round."""

    def __init__(self, id_: str) -> None:
        self.id = id_
        self.mark = b'"result":{"round":"%s"' % id_.encode()
        self.bets = PendingRequests()
        self.decisions = PendingRequests()
        self.late: list[float] = []
        """Delays between the scheduled and the actual time of sending."""
        self.results_timing = BroadcastTiming(0.0)
        self.results: dict[int, bytes] = {}


class ReceivedMessages:
    """Tracks the messages of all clients, except the `churning` ones.

    `on_welcome` is called when a player has signed in, `on_enter` when they have joined the table, and
    `on_answer` when their bet or decision is acknowledged.
    """

    def __init__(
        self,
        table: str,
        churning: range,
        *,
        on_welcome: Callable[[int], None],
        on_enter: Callable[[int], None],
        on_answer: Callable[[int], None],
    ) -> None:
        self.seen: dict[int, bytes] = {}
        """Each player's last message about the table."""
        self.state: wire.LiveState | None = None
        self.events: dict[bytes, BroadcastTiming] = {}
        self.warnings: list[BroadcastTiming] = []
        self.chat = BroadcastTiming(0.0)
        self.pulses = 0
        self.refused: dict[str, int] = {}
        self.sizes = dict.fromkeys(("pulse", "chat", "event"), 0)
        self.round = RoundTimings("")
        self.pending = PendingRequests()
        self._churning = churning
        self._on_welcome = on_welcome
        self._on_enter = on_enter
        self._on_answer = on_answer
        self._v_at = len(b'{"t":"live","table":"","v":') + len(table)
        self._handlers: dict[bytes, Callable[[int, bytes, float], None]] = {
            b"we": lambda player, _payload, _at: self._on_welcome(player),
            b"li": self._live,
            b"mi": self._mine,
            b"ok": self._ok,
            b"no": self._no,
            b"pu": self._pulse,
            b"ch": self._chat,
        }

    @property
    def phase(self) -> str:
        return self.state.clock.phase if self.state else ""

    @property
    def round_id(self) -> str:
        return self.state.clock.round if self.state else ""

    @property
    def turn(self) -> int:
        return self.state.turn if self.state else 0

    @property
    def window(self) -> int:
        """The deadline of the open window; 0 if none is open."""
        clock = self.state.clock if self.state else None
        return (clock.deadline_ms or 0) if clock and clock.phase in ("decisions", "offer") else 0

    def recipients_of_one_event(self, known: set[bytes]) -> int:
        """Return the maximum number of recipients of one event, except of those `known` before."""
        return max((one.received for v, one in self.events.items() if v not in known), default=0)

    # --- dispatch: the message's name begins at the seventh byte

    def __call__(self, player: int, payload: bytes, at: float) -> None:
        handler = self._handlers.get(payload[6:8])
        if handler is not None:
            handler(player, payload, at)

    def _live(self, player: int, payload: bytes, at: float) -> None:
        if payload[10:11] == b"_":  # a snapshot
            if player not in self._churning and player not in self.seen:
                self._on_enter(player)
        elif player not in self._churning:
            self._event(payload, at)
        self.seen[player] = payload
        if player == 0:
            self._parse(payload)

    def _event(self, payload: bytes, at: float) -> None:
        v = payload[self._v_at : payload.index(b",", self._v_at)]
        broadcast = self.events.get(v)
        if broadcast is None:
            broadcast = self.events[v] = BroadcastTiming(at)
        broadcast.add_receipt(at)

    def _parse(self, payload: bytes) -> None:
        """Parse the first player's messages; the others receive the same."""
        before, message = self.state, read(payload)
        self.state = state = message.state
        self.sizes["event"] = max(self.sizes["event"], len(payload))
        if state.clock.phase == "warning" and before and before.clock.phase == "betting":
            assert before.clock.deadline_ms is not None
            broadcast = self.events[str(message.v).encode()]
            broadcast.sent = to_perf_counter(before.clock.deadline_ms)
            self.warnings.append(broadcast)

    def _mine(self, player: int, payload: bytes, at: float) -> None:
        if self.round.mark in payload and player not in self.round.results:
            self.round.results[player] = payload
            self.round.results_timing.add_receipt(at)

    def _ok(self, player: int, payload: bytes, at: float) -> None:
        if self.pending.answered(payload[17:-2], at):
            self._on_answer(player)

    def _no(self, _player: int, payload: bytes, _at: float) -> None:
        code = json.loads(payload)["code"]
        self.refused[code] = self.refused.get(code, 0) + 1

    def _pulse(self, _player: int, payload: bytes, _at: float) -> None:
        self.pulses += 1
        self.sizes["pulse"] = len(payload)

    def _chat(self, player: int, payload: bytes, at: float) -> None:
        if player not in self._churning:
            self.chat.add_receipt(at)
        self.sizes["chat"] = len(payload)


def to_perf_counter(ms: int) -> float:
    """Convert a time of the server's clock to perf_counter's."""
    return perf_counter() + ms / 1e3 - time()
