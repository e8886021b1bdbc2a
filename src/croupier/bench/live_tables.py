"""The load test of live tables: players on one or several servers, who bet in each round.

At each table one of them posts a line of chat every second, which all receive. Run by `process.run_module`.
"""

import json
import sys
from collections.abc import Iterator
from functools import partial
from itertools import cycle
from time import perf_counter
from typing import Any

from msgspec import convert

from croupier.bench.clients import TimedWork, evenly_spaced
from croupier.bench.growing_load import GrowingLoad, GrowthPlan, read_refusal
from croupier.bench.process import emit, raise_descriptor_limit
from croupier.bench.received import read, to_perf_counter
from croupier.bench.timing import latencies_ms
from croupier.bench.watched_table import DueBets, PostedLine, WatchedTable
from croupier.protocol.wire import LiveClock

SETTLE_S = 0.2
"""Time for all players to hear that betting is open."""
MARGIN = 0.1
"""Time between the last bet and the close of betting, as a part of the round."""
LINE_S = 1.0
"""Interval of the lines of chat at each table."""
DRAIN_S = 5.0
"""Longest wait for answers and lines at the end of a step; what is missing then took that long."""
TOO_LATE = {"round_ended", "bets_closed"}
"""Refusals of bets that took too long; nothing is wrong with them."""


class LiveTablesLoad(GrowingLoad):
    """Everyone bets once in a round, evenly over the time for bets."""

    def __init__(self, plan: GrowthPlan) -> None:
        super().__init__(plan)
        self.handlers |= {b"li": self._live, b"mi": self._mine, b"ok": self._ok, b"no": self._no}
        self.handlers[b"ch"] = self._chat
        self._watched = [WatchedTable(table) for table in plan.tables]
        self._seated = set[int]()
        self._due = DueBets(self._bet)
        self._numbers = cycle(range(1 << 30))
        self._lines = dict[int, PostedLine]()
        """Lines that haven't reached everyone, by their numbers."""
        self._to_all = list[float]()
        self._results = list[float]()

    @property
    def warm_up_s(self) -> float:
        return super().warm_up_s + self.plan.round_s

    def play(self, players: int, seconds: float) -> None:
        rate = len(self._watched) / LINE_S
        due = evenly_spaced(perf_counter(), rate, int(seconds * rate))
        lines = TimedWork(due, partial(self._say, cycle(self._watched)))
        pings = self.pings(players)
        self.clients.run(self._due, lines, pings, until=lambda: False, seconds=seconds)
        self.clients.run(pings, until=self._is_all_received, seconds=DRAIN_S)
        self._give_up(perf_counter())

    def begin(self) -> None:
        super().begin()
        self._to_all, self._results = [], []

    def figures(self) -> dict[str, Any]:
        return {"to_all": latencies_ms(self._to_all), "results": latencies_ms(self._results)}

    def _is_all_received(self) -> bool:
        return not self._lines and self.measured.are_all_answered

    def _give_up(self, at: float) -> None:
        self.measured.give_up(at)
        self._to_all += [at - line.due for line in self._lines.values()]
        self._lines.clear()
        self._due.clear()

    # --- messages

    def _at(self, player: int) -> WatchedTable:
        return self._watched[player // len(self.plan.servers) % len(self._watched)]

    def _live(self, player: int, payload: bytes, _at: float) -> None:
        table = self._at(player)
        if player not in self._seated:  # the first message is the snapshot
            self._seated.add(player)
            table.players.append(player)
            self.clients.entered += 1
        if player == table.players[0]:
            self._follow(table, read(payload).state.clock)

    def _follow(self, table: WatchedTable, clock: LiveClock) -> None:
        """Plan the bets of a round that opens."""
        if clock.phase != "betting" or clock.round == table.round or clock.bets_close_ms is None:
            return
        if (took := table.begin(clock.round)) is not None:
            self._results.append(took)
        start = perf_counter() + SETTLE_S
        end = to_perf_counter(clock.bets_close_ms) - MARGIN * self.plan.round_s
        for place, player in enumerate(table.players):
            self._due.add(start + place / len(table.players) * (end - start), player, clock.round)

    def _mine(self, player: int, payload: bytes, at: float) -> None:
        self._at(player).receive(player, payload, at)

    def _chat(self, _player: int, payload: bytes, at: float) -> None:
        number = payload.rpartition(b"line #")[2].partition(b".")[0]
        line = self._lines.get(int(number)) if number.isdigit() else None
        if line and line.receive():
            self._to_all.append(at - line.due)
            del self._lines[int(number)]

    def _ok(self, player: int, payload: bytes, at: float) -> None:
        request = payload[17:-2]
        self.measured.answered(request, at)
        self.clients.answered(player)
        if request.startswith(b"b"):
            self._at(player).bettors.add(player)

    def _no(self, player: int, payload: bytes, at: float) -> None:
        refused = read_refusal(payload)
        self.clients.answered(player)
        if refused.code in TOO_LATE:
            self.measured.answered(refused.req.encode(), at)
            self.skipped += 1
        else:
            self.count_refusal(refused.code)

    # --- commands

    def _bet(self, due: float, player: int, round_: str) -> None:
        table = self._at(player)
        if round_ == table.round:
            self.ask(player, due, "bet", round=round_, stakes=[table.stake])
            self.late.append(perf_counter() - due)
        else:
            self.skipped += 1

    def _say(self, tables: Iterator[WatchedTable], due: float) -> None:
        table, number = next(tables), next(self._numbers)
        if table.players:
            player = table.players[number // len(self._watched) % len(table.players)]
            self._lines[number] = PostedLine(due, len(table.players))
            self.post(player, "say", text=f"This is line #{number}.")


if __name__ == "__main__":
    raise_descriptor_limit()
    emit(results=LiveTablesLoad(convert(json.load(sys.stdin), GrowthPlan)).run())
