"""The crowd at another server: echoes, and texts told to everybody. Run by `process.finding`."""

import json
import sys
from functools import partial
from time import perf_counter
from typing import Any

from msgspec import Struct, convert

from croupier.bench.clients import Crowd, Stream, steadily, upgrade
from croupier.bench.frames import BINARY, TEXT, frame
from croupier.bench.process import cpu_s, memory_kib, most_descriptors, tell
from croupier.bench.timing import Asked, Telling, each_us, tellings_ms, waits_ms

REQUEST_BYTES = 10
"""The number by which an echo is known, after its letter."""
LETTER_LATER_S = 0.3


class Plan(Struct, frozen=True):
    """`command_bytes` and so on: how much croupier had to say when it was measured before."""

    process: int
    port: int
    paths: list[str]
    colyseus: bool
    players: int
    commands: int
    """In all, and `rate` of them a second."""
    rate: float
    told_each_s: float
    """So often everybody is told something meanwhile."""
    command_bytes: int
    told_bytes: int
    event_bytes: int
    events: int


class Dialect:
    """How a text with a letter before it is said: as it is, or as a message of that name (Colyseus)."""

    def __init__(self, *, colyseus: bool) -> None:
        self._colyseus = colyseus
        self.letter_at = 2 if colyseus else 0

    def framed(self, letter: bytes, text: bytes) -> bytes:
        if not self._colyseus:
            return frame(letter + text, TEXT)
        # ROOM_DATA, a string of one letter, MessagePack's string with two bytes of length
        return frame(b"\x0d\xa1" + letter + b"\xda" + len(text).to_bytes(2, "big") + text, BINARY)

    @property
    def joins(self) -> bytes | None:
        """What a player says once he is connected, if anything."""
        return frame(b"\x0a", BINARY) if self._colyseus else None


class Echoes:
    """One run at one server."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.asked = Asked()
        self.telling = Telling(0.0)
        self.dialect = Dialect(colyseus=plan.colyseus)
        self.crowd = Crowd(self._heard, self._opened)

    def _opened(self, player: int) -> None:
        if self.dialect.joins:
            self.crowd.send(player, self.dialect.joins)
        self.crowd.entered += 1

    def _heard(self, player: int, payload: bytes, at: float) -> None:
        letter, start = self.dialect.letter_at, len(payload) - self.plan.command_bytes + 1
        if payload[letter : letter + 1] == b"b":
            self.telling.hear(at)
        elif payload[letter : letter + 1] == b"e":
            self.asked.answered(payload[start : start + REQUEST_BYTES], at)
            self.crowd.answered(player)

    def found(self) -> dict[str, Any]:
        """All of it, in figures."""
        plan, before = self.plan, memory_kib(self.plan.process)
        began = perf_counter()
        self._connect()
        took = perf_counter() - began
        self._pause(1.0)
        memory = memory_kib(plan.process) - before
        tell(saying="everybody is told something")
        told, cpu_us_each = self._tell_all()
        tell(saying="everybody asks")
        self._ask_all()
        return {
            "players": plan.players - self.crowd.lost,
            "connect_s": took,
            "memory_kib_each": memory / plan.players,
            "event": tellings_ms(told),
            "event_cpu_us_each": cpu_us_each,
            "command": waits_ms(self.asked.waited) | {"unanswered": plan.commands - len(self.asked.waited)},
        }

    def _connect(self) -> None:
        plan, host = self.plan, f"127.0.0.1:{self.plan.port}"
        paths = (plan.paths[number % len(plan.paths)] for number in range(plan.players))
        tell(saying=f"{plan.players:,} players connect")
        self.crowd.connect(("127.0.0.1", plan.port), (upgrade(host, path) for path in paths))

    def _pause(self, seconds: float) -> None:
        self.crowd.run(until=lambda: False, seconds=seconds)

    def _tell_all(self) -> tuple[list[Telling], float]:
        """What nobody's answer waits for; with the processor time that each took."""
        told, cpu = list[Telling](), 0.0
        for _ in range(self.plan.events):
            before = cpu_s(self.plan.process)
            told.append(self._tell_once(self.plan.event_bytes))
            self.crowd.run(until=lambda: self.telling.heard >= self.plan.players, seconds=5)
            cpu += cpu_s(self.plan.process) - before
            self._pause(LETTER_LATER_S)
        return told, each_us(cpu, told)

    def _tell_once(self, size: int, due: float | None = None) -> Telling:
        self.telling = Telling(perf_counter() if due is None else due)
        self.crowd.send(0, self.dialect.framed(b"t", b"x" * (size - 1)))
        return self.telling

    def _ask_all(self) -> None:
        """Commands from everybody, on time, while everybody is told something again and again."""
        plan, start = self.plan, perf_counter() + 0.5
        players = iter(range(plan.commands))

        def ask(due: float) -> None:
            number = next(players)
            request = b"%0*d" % (REQUEST_BYTES, number)
            self.asked.ask(request, due)
            text = request.ljust(plan.command_bytes - 1, b"x")
            self.crowd.ask(number % plan.players, self.dialect.framed(b"e", text))

        def say(due: float) -> None:
            self._tell_once(plan.told_bytes, due)

        seconds = plan.commands / plan.rate
        asks = Stream(steadily(start, plan.rate, plan.commands), ask)
        says = Stream(steadily(start, plan.told_each_s, int(seconds * plan.told_each_s)), say)
        done = partial(self.asked.all_answered, plan.commands)
        self.crowd.run(asks, says, until=done, seconds=seconds + 5)


if __name__ == "__main__":
    most_descriptors()
    tell(found=Echoes(convert(json.load(sys.stdin), Plan)).found())
