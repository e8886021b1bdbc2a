"""The load test of a live table, with chat, bets and decisions. Run by `process.run_module`."""

import json
import sys
from collections.abc import Iterator
from functools import partial
from itertools import cycle
from pathlib import Path
from time import perf_counter, time
from typing import Any, NamedTuple

import msgspec
from msgspec import Struct, convert

from croupier.bench import bots
from croupier.bench.bots import command
from croupier.bench.clients import ClientPool, TimedWork, evenly_spaced, upgrade
from croupier.bench.frames import frame
from croupier.bench.process import cpu_s, emit, memory_kib, raise_descriptor_limit, yield_processor
from croupier.bench.received import ReceivedMessages, RoundTimings, read, to_perf_counter
from croupier.bench.timing import BroadcastTiming, broadcasts_ms, each_us, latencies_ms
from croupier.gateway.sockets import PLAYER_COOKIE
from croupier.protocol import wire

SOCKET = "/ws"
PING_INTERVAL_S, BUSY_PING_INTERVAL_S = 2.5, 5.0
"""Ping intervals of the browser client, without and with other traffic."""
SETTLE_S = 0.2
"""Time for all clients to receive the message that opens a window."""
CHURN_CLIENTS, CHURN_INTERVAL_S = 100, 0.1
"""Clients that join and leave one after another, so that the player count keeps changing."""
ROUND_TIMEOUT_S = 90.0
BETTING_MARGIN_S = 1.0
"""Margin between the last bet and the end of betting."""
CHANGES = 4
"""Number of different bets of a player before they repeat."""

_write = msgspec.json.Encoder().encode
_read_mine = msgspec.json.Decoder(wire.PlayerUpdate).decode


class LoadPlan(Struct, frozen=True):
    """The work to do. `tokens` is a file of session tokens: players, churning clients, late arrivals."""

    process: int
    port: int
    origin: str
    """Origin of the pages, which the sockets send."""
    tokens: str
    table: str
    players: int
    rate: float
    """Bets, and decisions, per second."""
    rounds: int
    lines: int
    """Lines of chat."""
    yield_processor: bool
    """True to yield the processor to the server's second process when the machine is otherwise idle."""


class Prepared(NamedTuple):
    """A framed request of a player."""

    player: int
    request: bytes
    framed: bytes


class TableLoad:
    """One run. Clients with numbers from `players` on join and leave, so that there are updates to send."""

    def __init__(self, plan: LoadPlan) -> None:
        self.plan = plan
        self.tokens = Path(plan.tokens).read_text().split()
        self._churning = range(plan.players, plan.players + CHURN_CLIENTS)
        self._churn = cycle(
            (*((one, "join") for one in self._churning), *((one, "leave") for one in self._churning))
        )
        self.table = ReceivedMessages(
            plan.table,
            self._churning,
            on_welcome=self._on_welcome,
            on_enter=self._on_enter,
            on_answer=self._on_answer,
        )
        self.clients = ClientPool(self.table, self._on_open)
        self.rounds: list[RoundTimings] = []
        self._stakes = [
            [msgspec.Raw(_write(bots.stakes(player, change))) for player in range(plan.players)]
            for change in range(CHANGES)
        ]
        self._requests = 0
        self._command_bytes = 0

    def _on_open(self, player: int) -> None:
        self._send(player, command("hello", protocol=wire.PROTOCOL, tables=[]))

    def _on_welcome(self, player: int) -> None:
        if player in self._churning:  # they join later
            self._on_enter(player)
        else:
            self._ask(player, "join", currency=bots.CURRENCY)

    def _on_enter(self, _player: int) -> None:
        self.clients.entered += 1

    def _on_answer(self, player: int) -> None:
        self.clients.answered(player)

    # --- requests

    def _send(self, player: int, payload: bytes) -> None:
        self.clients.send(player, frame(payload))

    def _ask(self, player: int, t: str, **fields: object) -> None:
        prepared = self._prepared(player, t, **fields)
        self.clients.send(player, prepared.framed)

    def _prepared(self, player: int, t: str, **fields: object) -> Prepared:
        self._requests += 1
        request = f"{t[0]}{self._requests}"
        payload = command(t, req=request, table=self.plan.table, **fields)
        self._command_bytes = max(self._command_bytes, len(payload))
        return Prepared(player, request.encode(), frame(payload))

    def _scheduled(self, start: float, number: int, every: Iterator[Prepared]) -> TimedWork:
        """Schedule `number` requests, `rate` per second."""
        pending, late = self.table.pending, self.table.round.late

        def send(due: float) -> None:
            one = next(every)
            pending.ask(one.request, due)
            self.clients.ask(one.player, one.framed)
            late.append(perf_counter() - due)

        return TimedWork(evenly_spaced(start, self.plan.rate, number), send)

    def _pings(self, each_s: float = PING_INTERVAL_S) -> TimedWork:
        players = cycle(range(self.plan.players))
        ping = frame(command("ping"))
        due = evenly_spaced(perf_counter(), self.plan.players / each_s, 1 << 60)
        return TimedWork(due, lambda _due: self.clients.send(next(players), ping))

    def _churn_work(self) -> TimedWork:
        def walk(_due: float) -> None:
            walker, t = next(self._churn)
            self._ask(walker, t, **({"currency": bots.CURRENCY} if t == "join" else {}))

        return TimedWork(evenly_spaced(perf_counter(), 1 / CHURN_INTERVAL_S, 1 << 60), walk)

    # --- the run

    def run(self) -> dict[str, Any]:
        """Run the test and return the figures."""
        connected = self._connect(self._churning.stop)
        emit(status="chat")
        chat = self._chat_all()
        played = [self._play() for _ in range(self.plan.rounds)]
        emit(status="more players connect")
        return {
            **connected,
            **chat,
            "rounds": played,
            "warning": broadcasts_ms(self.table.warnings),
            "events": {**broadcasts_ms(list(self.table.events.values())), "bytes": self.table.sizes["event"]},
            "bets": latencies_ms([wait for one in self.rounds for wait in one.bets.waited]),
            "decisions": latencies_ms([wait for one in self.rounds for wait in one.decisions.waited]),
            "sizes": {"command": self._command_bytes, **self.table.sizes},
            "event_recipients": self._connect_rest(),
            "late": latencies_ms([late for one in self.rounds for late in one.late]),
            "refused": self.table.refused,
            "lost": self.clients.lost,
        }

    def _connect(self, number: int) -> dict[str, float]:
        emit(status=f"{self.plan.players:,} players connect")
        before, began = memory_kib(self.plan.process), perf_counter()
        self._enter(0, number)
        took = perf_counter() - began
        self._pause(1.0)
        more = memory_kib(self.plan.process) - before
        return {"connect_s": took, "memory_kib_each": more / number}

    def _enter(self, first: int, last: int) -> None:
        host = f"127.0.0.1:{self.plan.port}"
        cookies = (f"Cookie: {PLAYER_COOKIE}={token}" for token in self.tokens[first:last])
        requests = (upgrade(host, SOCKET, f"Origin: {self.plan.origin}", cookie) for cookie in cookies)
        self.clients.connect(("127.0.0.1", self.plan.port), requests)

    def _pause(self, seconds: float) -> None:
        self.clients.run(until=lambda: False, seconds=seconds)

    def _chat_all(self) -> dict[str, Any]:
        """Send lines of chat, each from another player, in a new round; pings are sent only in between."""
        pings, timings, cpu = self._pings(), list[BroadcastTiming](), 0.0
        self._next_round(pings)
        for number in range(self.plan.lines):
            before = cpu_s(self.plan.process)
            self.table.chat = BroadcastTiming(perf_counter())
            timings.append(self.table.chat)
            self._ask(number, "say", text=f"Good evening, this is line {number}")
            self.clients.run(until=lambda: self.table.chat.received >= self.plan.players, seconds=5)
            cpu += cpu_s(self.plan.process) - before
            self.clients.run(pings, until=lambda: False, seconds=0.5)
        return {"chat": broadcasts_ms(timings), "chat_cpu_us_each": each_us(cpu, timings)}

    # --- a round

    def _next_round(self, pings: TimedWork) -> None:
        """Wait until betting opens in the next round."""
        before = self.table.round_id
        self.clients.run(
            pings,
            until=lambda: self.table.phase == "betting" and self.table.round_id != before,
            seconds=ROUND_TIMEOUT_S,
        )
        self.table.round = RoundTimings(self.table.round_id)

    def _play(self) -> dict[str, Any]:
        self._next_round(self._pings())
        pings, walks = self._pings(BUSY_PING_INTERVAL_S), self._churn_work()
        self.rounds.append(self.table.round)
        began, cpu, pulses = perf_counter(), cpu_s(self.plan.process), self.table.pulses
        emit(status=f"round {len(self.rounds)}: bets")
        self._bet(pings, walks)
        seconds = perf_counter() - began
        cores = (cpu_s(self.plan.process) - cpu) / seconds
        pulses_per_second = (self.table.pulses - pulses) / seconds / self.plan.players
        emit(status=f"round {len(self.rounds)}: decisions")
        self._decide_all(pings)
        return self._ended() | {"cpu_cores": cores, "pulses_per_second": pulses_per_second}

    def _bet(self, *others: TimedWork) -> None:
        """Have everybody bet, and change their bets, until shortly before betting closes."""
        assert self.table.state is not None
        assert self.table.state.clock.bets_close_ms is not None
        closes = to_perf_counter(self.table.state.clock.bets_close_ms)
        start = perf_counter() + SETTLE_S
        number = max(self.plan.players, int((closes - start - BETTING_MARGIN_S) * self.plan.rate))
        self.table.pending = self.table.round.bets
        bets = self._scheduled(start, number, map(self._bet_of, range(number)))
        done = partial(self.table.pending.all_answered, number)
        self.clients.run(bets, *others, until=done, seconds=number / self.plan.rate + 3)

    def _bet_of(self, number: int) -> Prepared:
        """Frame a bet from stakes that are encoded beforehand, so that it costs less than in the server."""
        change, player = divmod(number, self.plan.players)
        stakes = self._stakes[(change + len(self.rounds)) % CHANGES][player]
        return self._prepared(player, "bet", round=self.table.round.id, stakes=stakes)

    def _decide_all(self, pings: TimedWork) -> None:
        """In each window, decide for every player who is asked, until everybody has their result."""
        done, end = 0, perf_counter() + ROUND_TIMEOUT_S
        while perf_counter() < end and not self._all_results_received():
            self.clients.run(pings, until=partial(self._next, done), seconds=end - perf_counter())
            if self.table.window > done:
                done = self.table.window
                self._decide(pings)

    def _next(self, done: int) -> bool:
        """Return whether a window after `done` is open, or there will be none."""
        return self.table.window > done or self._all_results_received()

    def _all_results_received(self) -> bool:
        return len(self.table.round.results) >= self.plan.players

    def _decide(self, pings: TimedWork) -> None:
        window = self.table.window
        self.clients.run(pings, until=lambda: False, seconds=SETTLE_S)
        wanted = sorted(self._decisions_due(), key=lambda one: one[2])  # one hand of a player at a time
        decisions = [self._prepared_decision(*one) for one in wanted]
        self.table.pending = self.table.round.decisions
        before = len(self.table.pending.waited)
        stream = self._scheduled(perf_counter(), len(decisions), iter(decisions))
        answered = partial(self.table.pending.all_answered, before + len(wanted))
        self.clients.run(
            stream, pings, until=lambda: answered() or self.table.window != window, seconds=ROUND_TIMEOUT_S
        )

    def _prepared_decision(self, player: int, box: int, hand: int, action: str) -> Prepared:
        at = {"round": self.table.round.id, "turn": self.table.turn, "box": box, "hand": hand}
        return self._prepared(player, "decide", **at, action=action)

    def _decisions_due(self) -> Iterator[tuple[int, int, int, str]]:
        """Yield each player's decisions; equal messages are parsed once."""
        states: dict[bytes, wire.LiveState] = {}
        for player in range(self.plan.players):
            payload = self.table.seen[player]
            if payload not in states:
                states[payload] = read(payload).state
            for decision in bots.decisions(player, states[payload].round):
                yield player, *decision

    def _ended(self) -> dict[str, Any]:
        """Return the round's results, to compare with the ledger."""
        results = [_read_mine(payload).mine.result for payload in self.table.round.results.values()]
        return {
            "id": self.table.round.id,
            "results_sent_ms": _epoch_ms(self.table.round.results_timing.last),
            "results_received": len(results),
            "staked_minor": sum(result.staked_minor for result in results if result),
            "returned_minor": sum(result.returned_minor for result in results if result),
            "bets": latencies_ms(self.table.round.bets.waited),
            "decisions": latencies_ms(self.table.round.decisions.waited),
        }

    # --- the end

    def _connect_rest(self) -> int:
        """Connect the late arrivals; return how many clients received one and the same event."""
        self._enter(self._churning.stop, len(self.tokens))
        connected = len(self.clients) - self.clients.lost - CHURN_CLIENTS
        known = set(self.table.events)
        self.clients.run(until=lambda: self.table.recipients_of_one_event(known) >= connected, seconds=30)
        return self.table.recipients_of_one_event(known)


def _epoch_ms(at: float) -> float:
    return (at - perf_counter() + time()) * 1e3


if __name__ == "__main__":
    raise_descriptor_limit()
    plan = convert(json.load(sys.stdin), LoadPlan)
    if plan.yield_processor:
        yield_processor()
    emit(results=TableLoad(plan).run())
