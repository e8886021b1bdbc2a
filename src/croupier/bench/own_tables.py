"""The load test of own tables: players on one or several servers. Run by `process.run_module`."""

import json
import sys
from collections.abc import Iterator
from functools import partial
from itertools import cycle
from time import perf_counter
from typing import Any

import msgspec
from msgspec import Struct, convert

from croupier.bench.bots import command, decisions
from croupier.bench.clients import ClientPool, TimedWork, evenly_spaced, upgrade
from croupier.bench.frames import frame
from croupier.bench.process import cpu_s, emit, raise_descriptor_limit
from croupier.bench.timing import PendingRequests, latencies_ms
from croupier.gateway.sockets import PLAYER_COOKIE
from croupier.protocol import wire

PING_INTERVAL_S = 5.0
WARM_UP_S = 2.0
"""Play before a step is measured, so that all its players are in their stride."""

_read = msgspec.json.Decoder(wire.TableUpdate).decode
_read_refusal = msgspec.json.Decoder(wire.No).decode


class MeasuredServer(Struct, frozen=True):
    """A server's process, address and the session tokens of its players."""

    process: int
    port: int
    origin: str
    tokens: tuple[str, ...]


class OwnTable(Struct, frozen=True):
    """A table, and the stake of each round there."""

    id: str
    bet: str
    stake_minor: int


class OwnTablesPlan(Struct, frozen=True):
    """The work to do: steps with more and more players, until a step's p99 exceeds the limit."""

    servers: tuple[MeasuredServer, ...]
    tables: tuple[OwnTable, ...]
    currency: str
    players: tuple[int, ...]
    """Number of players in each step."""
    round_s: float
    """Time from one round of a player to their next."""
    seconds: float
    """Measured time of each step."""
    limit_ms: float


class OwnTablesLoad:
    """One run. Player `n` is on server `n` and at table `n`, counted around."""

    def __init__(self, plan: OwnTablesPlan) -> None:
        self.plan = plan
        self._handlers = {
            b"we": self._welcome,
            b"sn": self._snapshot,
            b"ev": self._event,
            b"ok": self._ok,
            b"no": self._no,
        }
        self.clients = ClientPool(self._on_frame, self._on_open)
        self._requests = 0
        self._playing = dict[int, bytes]()
        """The last update of each player whose round isn't over; empty before the first."""
        self._measured = PendingRequests()
        self._late = list[float]()
        self._skipped = 0
        self._refused = dict[str, int]()

    def run(self) -> list[dict[str, Any]]:
        """Return the figures of each step."""
        steps = list[dict[str, Any]]()
        for players in self.plan.players:
            emit(status=f"{players:,} players")
            self._connect(players)
            self._play(players, WARM_UP_S)
            step = self._step(players)
            if self._exceeds(step):  # once more, as other work of the machine may have disturbed it
                step = min(step, self._step(players), key=_p99)
            steps.append(step)
            if self._exceeds(step):
                break
        return steps

    def _exceeds(self, step: dict[str, Any]) -> bool:
        return _p99(step) > self.plan.limit_ms or bool(self.clients.lost)

    def _step(self, players: int) -> dict[str, Any]:
        self._measured, self._late, self._skipped = PendingRequests(), [], 0
        began, cpu = perf_counter(), self._cpu_s()
        self._play(players, self.plan.seconds)
        took = perf_counter() - began
        return {
            "players": players,
            "commands": latencies_ms(self._measured.waited),
            "commands_per_s": len(self._measured.waited) / took,
            "cpu_cores": (self._cpu_s() - cpu) / took,
            "late": latencies_ms(self._late),
            "skipped": self._skipped,
            "refused": dict(self._refused),
            "lost": self.clients.lost,
        }

    def _cpu_s(self) -> float:
        return sum(cpu_s(server.process) for server in self.plan.servers)

    # --- connections

    def _connect(self, players: int) -> None:
        """Connect more players, up to this number."""
        for number in range(len(self.clients), players):
            server, token = self._server(number)
            host = f"127.0.0.1:{server.port}"
            headers = f"Origin: {server.origin}", f"Cookie: {PLAYER_COOKIE}={token}"
            self.clients.connect(("127.0.0.1", server.port), [upgrade(host, "/ws", *headers)])

    def _server(self, player: int) -> tuple[MeasuredServer, str]:
        number, place = divmod(player, len(self.plan.servers))
        server = self.plan.servers[place]
        return server, server.tokens[number]

    def _table(self, player: int) -> OwnTable:
        return self.plan.tables[player // len(self.plan.servers) % len(self.plan.tables)]

    def _on_open(self, player: int) -> None:
        self.clients.send(player, frame(command("hello", protocol=wire.PROTOCOL, tables=[])))

    # --- messages: the message's name begins at the seventh byte

    def _on_frame(self, player: int, payload: bytes, at: float) -> None:
        handler = self._handlers.get(payload[6:8])
        if handler is not None:
            handler(player, payload, at)

    def _welcome(self, player: int, _payload: bytes, at: float) -> None:
        self._ask(player, at, "join", currency=self.plan.currency)

    def _snapshot(self, _player: int, _payload: bytes, _at: float) -> None:
        self.clients.entered += 1

    def _event(self, player: int, payload: bytes, _at: float) -> None:
        self._playing[player] = payload

    def _ok(self, player: int, payload: bytes, at: float) -> None:
        self._measured.answered(payload[17:-2], at)
        self.clients.answered(player)
        if update := self._playing.pop(player, b""):
            self._decide(player, update, at)

    def _decide(self, player: int, payload: bytes, at: float) -> None:
        """Send the next decision of the round, if it isn't over."""
        played = _read(payload).state.round
        if played is None or (due := next(decisions(player, played.view), None)) is None:
            return
        box, hand, action = due
        self._playing[player] = b""
        place = {"round": played.id, "turn": played.turn, "box": box, "hand": hand}
        self._ask(player, at, "decide", **place, action=action)

    def _no(self, player: int, payload: bytes, _at: float) -> None:
        code = _read_refusal(payload).code
        self._refused[code] = self._refused.get(code, 0) + 1
        self._playing.pop(player, None)
        self.clients.answered(player)

    # --- commands

    def _play(self, players: int, seconds: float) -> None:
        """Let each player begin a round in each interval, whether or not others were answered."""
        start, rate = perf_counter(), players / self.plan.round_s
        due = evenly_spaced(start, rate, int(seconds * rate))
        deals = TimedWork(due, partial(self._deal, cycle(range(players))))
        due = evenly_spaced(start, players / PING_INTERVAL_S, 1 << 60)
        pings = TimedWork(due, partial(self._ping, cycle(range(players))))
        self.clients.run(deals, pings, until=lambda: False, seconds=seconds)

    def _deal(self, players: Iterator[int], due: float) -> None:
        player = next(players)
        if player in self._playing:
            self._skipped += 1
            return
        table = self._table(player)
        self._playing[player] = b""
        stake = {"box": 0, "bet": table.bet, "stake_minor": table.stake_minor}
        self._ask(player, due, "deal", stakes=[stake])
        self._late.append(perf_counter() - due)

    def _ping(self, players: Iterator[int], _due: float) -> None:
        self.clients.send(next(players), frame(command("ping")))

    def _ask(self, player: int, due: float, t: str, **fields: object) -> None:
        self._requests += 1
        request = f"{t[0]}{self._requests}"
        self._measured.ask(request.encode(), due)
        payload = command(t, req=request, table=self._table(player).id, **fields)
        self.clients.ask(player, frame(payload))


def _p99(step: dict[str, Any]) -> float:
    return float(step["commands"].get("p99", 0.0))


if __name__ == "__main__":
    raise_descriptor_limit()
    emit(results=OwnTablesLoad(convert(json.load(sys.stdin), OwnTablesPlan)).run())
