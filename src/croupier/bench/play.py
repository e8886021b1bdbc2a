"""The crowd at the house: all at one live table, in chat, betting, deciding. Run by `process.finding`."""

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
from croupier.bench.process import cpu_s, emit, memory_kib, most_descriptors, yield_processor
from croupier.bench.received import ReceivedMessages, RoundTimings, read, to_perf_counter
from croupier.bench.timing import BroadcastTiming, broadcasts_ms, each_us, latencies_ms
from croupier.gateway.sockets import PLAYER_COOKIE
from croupier.protocol import wire

SOCKET = "/ws"
PING_EACH_S, LIVELY_PING_EACH_S = 2.5, 5.0
"""As the browser client does where it is told nothing, and where it is told something all the time."""
SETTLES_S = 0.2
"""Until everybody has surely seen what opens a window."""
CHURN_CLIENTS, CHURN_EACH_S = 100, 0.1
"""One after the other walks in, then out: whenever all are told how many are here, it is news."""
ROUND_WITHIN_S = 90.0
CLOSES_AFTER_S = 1.0
"""The bets, when the last one has been made."""
CHANGES = 4
"""A player's bets differ so often before they come again."""

_write = msgspec.json.Encoder().encode
_read_mine = msgspec.json.Decoder(wire.PlayerUpdate).decode


class LoadPlan(Struct, frozen=True):
    """`tokens` is a file with a session a line: of `players`, of WALKERS, and of those who come last."""

    process: int
    port: int
    origin: str
    """Of the pages, which the players' sockets are opened by."""
    tokens: str
    table: str
    players: int
    rate: float
    """Bets, and decisions, a second."""
    rounds: int
    lines: int
    """Of chat."""
    yield_processor: bool
    """To whatever else runs on this processor: the house's clerk, on a machine that does nothing else."""


class Prepared(NamedTuple):
    """What a player asks, in a frame."""

    player: int
    request: bytes
    framed: bytes


class TableLoad:
    """One run. Those who come after all `players` walk in and out, so that there is news to tell."""

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
        if player in self._churning:  # they come later
            self._on_enter(player)
        else:
            self._ask(player, "join", currency=bots.CURRENCY)

    def _on_enter(self, _player: int) -> None:
        self.clients.entered += 1

    def _on_answer(self, player: int) -> None:
        self.clients.answered(player)

    # --- what is asked for

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
        """`number` of them, `rate` a second."""
        pending, late = self.table.pending, self.table.round.late

        def send(due: float) -> None:
            one = next(every)
            pending.ask(one.request, due)
            self.clients.ask(one.player, one.framed)
            late.append(perf_counter() - due)

        return TimedWork(evenly_spaced(start, self.plan.rate, number), send)

    def _pings(self, each_s: float = PING_EACH_S) -> TimedWork:
        players = cycle(range(self.plan.players))
        ping = frame(command("ping"))
        due = evenly_spaced(perf_counter(), self.plan.players / each_s, 1 << 60)
        return TimedWork(due, lambda _due: self.clients.send(next(players), ping))

    def _churn_work(self) -> TimedWork:
        def walk(_due: float) -> None:
            walker, t = next(self._churn)
            self._ask(walker, t, **({"currency": bots.CURRENCY} if t == "join" else {}))

        return TimedWork(evenly_spaced(perf_counter(), 1 / CHURN_EACH_S, 1 << 60), walk)

    # --- the run

    def found(self) -> dict[str, Any]:
        """All of it, in figures."""
        connected = self._connect(self._churning.stop)
        emit(saying="everybody hears the chat")
        chat = self._chat_all()
        played = [self._play() for _ in range(self.plan.rounds)]
        emit(saying="as many more connect as may")
        return {
            **connected,
            **chat,
            "rounds": played,
            "warning": broadcasts_ms(self.table.warnings),
            "events": {**broadcasts_ms(list(self.table.events.values())), "bytes": self.table.sizes["event"]},
            "bets": latencies_ms([wait for one in self.rounds for wait in one.bets.waited]),
            "decisions": latencies_ms([wait for one in self.rounds for wait in one.decisions.waited]),
            "sizes": {"command": self._command_bytes, **self.table.sizes},
            "crowded": self._connect_rest(),
            "late": latencies_ms([late for one in self.rounds for late in one.late]),
            "refused": self.table.refused,
            "lost": self.clients.lost,
        }

    def _connect(self, number: int) -> dict[str, float]:
        emit(saying=f"{self.plan.players:,} players connect")
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
        """Lines of chat, each of somebody else, in a round just opened; pings come only between."""
        pings, told, cpu = self._pings(), list[BroadcastTiming](), 0.0
        self._next_round(pings)
        for number in range(self.plan.lines):
            before = cpu_s(self.plan.process)
            self.table.chat = BroadcastTiming(perf_counter())
            told.append(self.table.chat)
            self._ask(number, "say", text=f"Good evening, this is line {number}")
            self.clients.run(until=lambda: self.table.chat.received >= self.plan.players, seconds=5)
            cpu += cpu_s(self.plan.process) - before
            self.clients.run(pings, until=lambda: False, seconds=0.5)
        return {"chat": broadcasts_ms(told), "chat_cpu_us_each": each_us(cpu, told)}

    # --- a round

    def _next_round(self, pings: TimedWork) -> None:
        """Its bets have just been opened."""
        before = self.table.round_id
        self.clients.run(
            pings,
            until=lambda: self.table.phase == "betting" and self.table.round_id != before,
            seconds=ROUND_WITHIN_S,
        )
        self.table.round = RoundTimings(self.table.round_id)

    def _play(self) -> dict[str, Any]:
        self._next_round(self._pings())
        pings, walks = self._pings(LIVELY_PING_EACH_S), self._churn_work()
        self.rounds.append(self.table.round)
        began, cpu, pulses = perf_counter(), cpu_s(self.plan.process), self.table.pulses
        emit(saying=f"round {len(self.rounds)}: bets")
        self._bet(pings, walks)
        seconds = perf_counter() - began
        share = (cpu_s(self.plan.process) - cpu) / seconds
        told_a_second = (self.table.pulses - pulses) / seconds / self.plan.players
        emit(saying=f"round {len(self.rounds)}: decisions")
        self._decide_all(pings)
        return self._ended() | {"core_share": share, "pulses_a_second": told_a_second}

    def _bet(self, *others: TimedWork) -> None:
        """Until the bets close, or nearly: everybody bets, and changes his bet."""
        assert self.table.state is not None
        assert self.table.state.clock.bets_close_ms is not None
        closes = to_perf_counter(self.table.state.clock.bets_close_ms)
        start = perf_counter() + SETTLES_S
        number = max(self.plan.players, int((closes - start - CLOSES_AFTER_S) * self.plan.rate))
        self.table.pending = self.table.round.bets
        bets = self._scheduled(start, number, map(self._bet_of, range(number)))
        done = partial(self.table.pending.all_answered, number)
        self.clients.run(bets, *others, until=done, seconds=number / self.plan.rate + 3)

    def _bet_of(self, number: int) -> Prepared:
        """Its stakes are written already: a bet must cost the crowd less than the house."""
        change, player = divmod(number, self.plan.players)
        stakes = self._stakes[(change + len(self.rounds)) % CHANGES][player]
        return self._prepared(player, "bet", round=self.table.round.id, stakes=stakes)

    def _decide_all(self, pings: TimedWork) -> None:
        """In each window, whoever is asked decides; until everybody has his result."""
        done, end = 0, perf_counter() + ROUND_WITHIN_S
        while perf_counter() < end and not self._all_told():
            self.clients.run(pings, until=partial(self._next, done), seconds=end - perf_counter())
            if self.table.window > done:
                done = self.table.window
                self._decide(pings)

    def _next(self, done: int) -> bool:
        """Whether a window is open that comes after `done`, or there will be none."""
        return self.table.window > done or self._all_told()

    def _all_told(self) -> bool:
        return len(self.table.round.results) >= self.plan.players

    def _decide(self, pings: TimedWork) -> None:
        window = self.table.window
        self.clients.run(pings, until=lambda: False, seconds=SETTLES_S)
        wanted = sorted(self._decisions_due(), key=lambda one: one[2])  # one hand of a player at a time
        decisions = [self._prepared_decision(*one) for one in wanted]
        self.table.pending = self.table.round.decisions
        before = len(self.table.pending.waited)
        stream = self._scheduled(perf_counter(), len(decisions), iter(decisions))
        answered = partial(self.table.pending.all_answered, before + len(wanted))
        self.clients.run(
            stream, pings, until=lambda: answered() or self.table.window != window, seconds=ROUND_WITHIN_S
        )

    def _prepared_decision(self, player: int, box: int, hand: int, action: str) -> Prepared:
        at = {"round": self.table.round.id, "turn": self.table.turn, "box": box, "hand": hand}
        return self._prepared(player, "decide", **at, action=action)

    def _decisions_due(self) -> Iterator[tuple[int, int, int, str]]:
        """Each is asked as he sees it; those on the same path were told the same bytes."""
        states: dict[bytes, wire.LiveState] = {}
        for player in range(self.plan.players):
            payload = self.table.seen[player]
            if payload not in states:
                states[payload] = read(payload).state
            for decision in bots.decisions(player, states[payload]):
                yield player, *decision

    def _ended(self) -> dict[str, Any]:
        """What the results said, to be held against the books."""
        results = [_read_mine(payload).mine.result for payload in self.table.round.results.values()]
        return {
            "id": self.table.round.id,
            "told_ms": _epoch_ms(self.table.round.told.last),
            "told": len(results),
            "staked_minor": sum(result.staked_minor for result in results if result),
            "returned_minor": sum(result.returned_minor for result in results if result),
            "bets": latencies_ms(self.table.round.bets.waited),
            "decisions": latencies_ms(self.table.round.decisions.waited),
        }

    # --- at last

    def _connect_rest(self) -> int:
        """Everybody else comes too; how many then heard one and the same event."""
        self._enter(self._churning.stop, len(self.tokens))
        here = len(self.clients) - self.clients.lost - CHURN_CLIENTS
        known = set(self.table.events)
        self.clients.run(until=lambda: self.table.received_most(known) >= here, seconds=30)
        return self.table.received_most(known)


def _epoch_ms(at: float) -> float:
    return (at - perf_counter() + time()) * 1e3


if __name__ == "__main__":
    most_descriptors()
    plan = convert(json.load(sys.stdin), LoadPlan)
    if plan.yield_processor:
        yield_processor()
    emit(found=TableLoad(plan).found())
