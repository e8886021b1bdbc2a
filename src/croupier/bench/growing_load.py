"""Load tests with more and more players, on one or several servers, until they are too many."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping
from itertools import cycle
from time import perf_counter
from typing import Any

import msgspec
from msgspec import Struct

from croupier.bench.bots import command
from croupier.bench.clients import ClientPool, TimedWork, evenly_spaced, upgrade
from croupier.bench.frames import frame
from croupier.bench.process import cpu_s, emit, memory_kib
from croupier.bench.timing import PendingRequests, latencies_ms
from croupier.gateway.sockets import PLAYER_COOKIE
from croupier.protocol import wire

PING_INTERVAL_S = 5.0
WARM_UP_S = 2.0
"""Minimum time of play before a step is measured, so that all its players are in their stride."""

MessageHandler = Callable[[int, bytes, float], None]
"""Called with the player's number, the message, and the time it was read."""
read_refusal = msgspec.json.Decoder(wire.No).decode


class MeasuredServer(Struct, frozen=True):
    """A server's process, address and the session tokens of its players."""

    process: int
    port: int
    origin: str
    tokens: tuple[str, ...]


class PlayedTable(Struct, frozen=True):
    """A table, and the stake of each round there."""

    id: str
    bet: str
    stake_minor: int


class GrowthPlan(Struct, frozen=True):
    """The work to do: steps with more and more players, until a step's p99 exceeds the limit."""

    servers: tuple[MeasuredServer, ...]
    owners: tuple[int, ...]
    """Processes of servers that have no players of their own."""
    tables: tuple[PlayedTable, ...]
    currency: str
    players: tuple[int, ...]
    """Number of players in each step."""
    round_s: float
    """Time from one round of a player to their next."""
    seconds: float
    """Measured time of each step."""
    limit_ms: float


class GrowingLoad(ABC):
    """One run. Player `n` is on server `n` and at table `n`, counted around.

    `handlers`: of messages, by the first letters of their names.
    """

    def __init__(self, plan: GrowthPlan) -> None:
        self.plan = plan
        self.handlers: dict[bytes, MessageHandler] = {b"we": self._welcome}
        self.clients = ClientPool(self._on_frame, self._on_open)
        self.measured = PendingRequests()
        self.late = list[float]()
        self.skipped = 0
        self.refused = dict[str, int]()
        self._requests = 0

    # --- steps

    def run(self) -> list[dict[str, Any]]:
        """Return the figures of each step."""
        steps = list[dict[str, Any]]()
        for players in self.plan.players:
            emit(status=f"{players:,} players")
            more = self._connect(players)
            self.play(players, self.warm_up_s)
            step = self._step(players)
            if self._exceeds(step):  # once more, as other work of the machine may have disturbed it
                step = min(step, self._step(players), key=_p99)
            steps.append(step | more)
            if self._exceeds(step):
                break
        return steps

    @property
    def warm_up_s(self) -> float:
        return WARM_UP_S

    @abstractmethod
    def play(self, players: int, seconds: float) -> None:
        """Let the first players play, whether or not earlier commands were answered."""

    def begin(self) -> None:
        """Forget the figures of the step before."""
        self.measured, self.late, self.skipped = PendingRequests(), [], 0

    def figures(self) -> dict[str, Any]:
        """Return figures of a step in addition to those of its commands."""
        return {}

    def _exceeds(self, step: dict[str, Any]) -> bool:
        return _p99(step) > self.plan.limit_ms or bool(self.clients.lost)

    def _step(self, players: int) -> dict[str, Any]:
        self.begin()
        began, cpu = perf_counter(), self._cpu_s()
        self.play(players, self.plan.seconds)
        took = perf_counter() - began
        cores = (self._cpu_s() - cpu) / took
        more = self.figures()
        return {
            "players": players,
            "commands": latencies_ms(self.measured.waited),
            "commands_per_s": len(self.measured.waited) / took,
            "cpu_cores": cores,
            "late": latencies_ms(self.late),
            "skipped": self.skipped,
            "refused": dict(self.refused),
            "lost": self.clients.lost,
        } | more

    def _cpu_s(self) -> float:
        processes = *(server.process for server in self.plan.servers), *self.plan.owners
        return sum(map(cpu_s, processes))

    # --- connections

    def _connect(self, players: int) -> dict[str, float]:
        """Connect more players, up to this number; return the memory that each takes."""
        known, before = len(self.clients), self._memory_kib()
        for number in range(known, players):
            server, token = self._server(number)
            host = f"127.0.0.1:{server.port}"
            headers = f"Origin: {server.origin}", f"Cookie: {PLAYER_COOKIE}={token}"
            self.clients.connect(("127.0.0.1", server.port), [upgrade(host, "/ws", *headers)])
        return {"memory_kib_each": (self._memory_kib() - before) / max(1, players - known)}

    def _memory_kib(self) -> float:
        """Return the memory of the servers that players connect to."""
        return sum(memory_kib(server.process) for server in self.plan.servers)

    def _server(self, player: int) -> tuple[MeasuredServer, str]:
        number, place = divmod(player, len(self.plan.servers))
        server = self.plan.servers[place]
        return server, server.tokens[number]

    def table_of(self, player: int) -> PlayedTable:
        return self.plan.tables[player // len(self.plan.servers) % len(self.plan.tables)]

    def _on_open(self, player: int) -> None:
        self.clients.send(player, frame(command("hello", protocol=wire.PROTOCOL, tables=[])))

    # --- messages: the message's name begins at the seventh byte

    def _on_frame(self, player: int, payload: bytes, at: float) -> None:
        handler = self.handlers.get(payload[6:8])
        if handler is not None:
            handler(player, payload, at)

    def _welcome(self, player: int, _payload: bytes, at: float) -> None:
        self.ask(player, at, "join", currency=self.plan.currency)

    # --- commands

    def pings(self, players: int) -> TimedWork:
        """Return the pings that browsers send meanwhile."""
        everyone = cycle(range(players))
        due = evenly_spaced(perf_counter(), players / PING_INTERVAL_S, 1 << 60)
        return TimedWork(due, lambda _due: self._ping(everyone))

    def _ping(self, players: Iterator[int]) -> None:
        self.clients.send(next(players), frame(command("ping")))

    def ask(self, player: int, due: float, t: str, **fields: object) -> None:
        """Send a command about the player's table, which is measured from the time it was due."""
        request, framed = self._command(player, t, fields)
        self.measured.ask(request, due)
        self.clients.ask(player, framed)

    def post(self, player: int, t: str, **fields: object) -> None:
        """Send a command whose answer isn't measured."""
        self.clients.send(player, self._command(player, t, fields)[1])

    def _command(self, player: int, t: str, fields: Mapping[str, object]) -> tuple[bytes, bytes]:
        """Return the id of a command about the player's table, and its frame."""
        self._requests += 1
        request = f"{t[0]}{self._requests}"
        payload = command(t, req=request, table=self.table_of(player).id, **fields)
        return request.encode(), frame(payload)

    def count_refusal(self, code: str) -> None:
        self.refused[code] = self.refused.get(code, 0) + 1


def _p99(step: dict[str, Any]) -> float:
    return float(step["commands"].get("p99", 0.0))
