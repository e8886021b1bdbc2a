"""The load test of a comparison server: echoes and broadcasts. Run by `process.run_module`."""

import json
import sys
from functools import partial
from time import perf_counter
from typing import Any

from msgspec import Struct, convert

from croupier.bench.clients import ClientPool, TimedWork, evenly_spaced, upgrade
from croupier.bench.frames import BINARY, TEXT, frame
from croupier.bench.process import cpu_s, emit, memory_kib, raise_descriptor_limit
from croupier.bench.timing import BroadcastTiming, PendingRequests, broadcasts_ms, each_us, latencies_ms

REQUEST_BYTES = 10
"""Length of the number that identifies an echo, after its letter."""
BROADCAST_PAUSE_S = 0.3


class EchoPlan(Struct, frozen=True):
    """The work to do; sizes are those measured at croupier's own server."""

    process: int
    port: int
    paths: list[str]
    colyseus: bool
    players: int
    commands: int
    """In total; `rate` of them per second."""
    rate: float
    broadcasts_per_s: float
    """Broadcasts per second while commands are sent."""
    command_bytes: int
    broadcast_bytes: int
    event_bytes: int
    events: int


class PeerProtocol:
    """The framing of a text with a letter before it: plain, or as a Colyseus message of that name."""

    def __init__(self, *, colyseus: bool) -> None:
        self._colyseus = colyseus
        self.letter_at = 2 if colyseus else 0

    def framed(self, letter: bytes, text: bytes) -> bytes:
        if not self._colyseus:
            return frame(letter + text, TEXT)
        # ROOM_DATA, a string of one letter, a MessagePack string with a two-byte length
        return frame(b"\x0d\xa1" + letter + b"\xda" + len(text).to_bytes(2, "big") + text, BINARY)

    @property
    def joins(self) -> bytes | None:
        """The frame that joins a room after connecting, if one is needed."""
        return frame(b"\x0a", BINARY) if self._colyseus else None


class EchoLoad:
    """One run against one server."""

    def __init__(self, plan: EchoPlan) -> None:
        self.plan = plan
        self.pending = PendingRequests()
        self.broadcast = BroadcastTiming(0.0)
        self.protocol = PeerProtocol(colyseus=plan.colyseus)
        self.clients = ClientPool(self._on_frame, self._on_open)

    def _on_open(self, player: int) -> None:
        if self.protocol.joins:
            self.clients.send(player, self.protocol.joins)
        self.clients.entered += 1

    def _on_frame(self, player: int, payload: bytes, at: float) -> None:
        letter, start = self.protocol.letter_at, len(payload) - self.plan.command_bytes + 1
        if payload[letter : letter + 1] == b"b":
            self.broadcast.add_receipt(at)
        elif payload[letter : letter + 1] == b"e":
            self.pending.answered(payload[start : start + REQUEST_BYTES], at)
            self.clients.answered(player)

    def run(self) -> dict[str, Any]:
        """Run the test and return the figures."""
        plan, before = self.plan, memory_kib(self.plan.process)
        began = perf_counter()
        self._connect()
        took = perf_counter() - began
        self._pause(1.0)
        memory = memory_kib(plan.process) - before
        emit(status="broadcasts")
        timings, cpu_us_each = self._broadcast_all()
        emit(status="requests")
        self._send_commands()
        waited = self.pending.waited
        return {
            "players": plan.players - self.clients.lost,
            "connect_s": took,
            "memory_kib_each": memory / plan.players,
            "event": broadcasts_ms(timings),
            "event_cpu_us_each": cpu_us_each,
            "command": latencies_ms(waited) | {"unanswered": plan.commands - len(waited)},
        }

    def _connect(self) -> None:
        plan, host = self.plan, f"127.0.0.1:{self.plan.port}"
        paths = (plan.paths[number % len(plan.paths)] for number in range(plan.players))
        emit(status=f"{plan.players:,} players connect")
        self.clients.connect(("127.0.0.1", plan.port), (upgrade(host, path) for path in paths))

    def _pause(self, seconds: float) -> None:
        self.clients.run(until=lambda: False, seconds=seconds)

    def _broadcast_all(self) -> tuple[list[BroadcastTiming], float]:
        """Time broadcasts without other traffic; return them, and the processor time of each."""
        timings, cpu = list[BroadcastTiming](), 0.0
        for _ in range(self.plan.events):
            before = cpu_s(self.plan.process)
            timings.append(self._broadcast_once(self.plan.event_bytes))
            self.clients.run(until=lambda: self.broadcast.received >= self.plan.players, seconds=5)
            cpu += cpu_s(self.plan.process) - before
            self._pause(BROADCAST_PAUSE_S)
        return timings, each_us(cpu, timings)

    def _broadcast_once(self, size: int, due: float | None = None) -> BroadcastTiming:
        self.broadcast = BroadcastTiming(perf_counter() if due is None else due)
        self.clients.send(0, self.protocol.framed(b"t", b"x" * (size - 1)))
        return self.broadcast

    def _send_commands(self) -> None:
        """Send scheduled commands from all clients while broadcasting repeatedly."""
        plan, start = self.plan, perf_counter() + 0.5
        players = iter(range(plan.commands))

        def ask(due: float) -> None:
            number = next(players)
            request = b"%0*d" % (REQUEST_BYTES, number)
            self.pending.ask(request, due)
            text = request.ljust(plan.command_bytes - 1, b"x")
            self.clients.ask(number % plan.players, self.protocol.framed(b"e", text))

        def broadcast(due: float) -> None:
            self._broadcast_once(plan.broadcast_bytes, due)

        seconds = plan.commands / plan.rate
        asks = TimedWork(evenly_spaced(start, plan.rate, plan.commands), ask)
        broadcasts = TimedWork(
            evenly_spaced(start, plan.broadcasts_per_s, int(seconds * plan.broadcasts_per_s)), broadcast
        )
        done = partial(self.pending.all_answered, plan.commands)
        self.clients.run(asks, broadcasts, until=done, seconds=seconds + 5)


if __name__ == "__main__":
    raise_descriptor_limit()
    emit(results=EchoLoad(convert(json.load(sys.stdin), EchoPlan)).run())
