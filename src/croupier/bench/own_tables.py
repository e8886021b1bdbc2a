"""The load test of own tables: players on one or several servers. Run by `process.run_module`."""

import json
import sys
from collections.abc import Iterator
from functools import partial
from itertools import cycle
from time import perf_counter

import msgspec
from msgspec import convert

from croupier.bench.bots import decisions
from croupier.bench.clients import TimedWork, evenly_spaced
from croupier.bench.growing_load import GrowingLoad, GrowthPlan, read_refusal
from croupier.bench.process import emit, raise_descriptor_limit
from croupier.protocol import wire

_read = msgspec.json.Decoder(wire.TableUpdate).decode


class OwnTablesLoad(GrowingLoad):
    """Each player begins a round in each interval, and decides at once."""

    def __init__(self, plan: GrowthPlan) -> None:
        super().__init__(plan)
        self.handlers |= {b"sn": self._snapshot, b"ev": self._event, b"ok": self._ok, b"no": self._no}
        self._playing = dict[int, bytes]()
        """The last update of each player whose round isn't over; empty before the first."""
        self._after = dict[int, str]()
        """The last round of each player, which the next deal follows."""

    def play(self, players: int, seconds: float) -> None:
        start, rate = perf_counter(), players / self.plan.round_s
        due = evenly_spaced(start, rate, int(seconds * rate))
        deals = TimedWork(due, partial(self._deal, cycle(range(players))))
        self.clients.run(deals, self.pings(players), until=lambda: False, seconds=seconds)

    def _snapshot(self, _player: int, _payload: bytes, _at: float) -> None:
        self.clients.entered += 1

    def _event(self, player: int, payload: bytes, _at: float) -> None:
        self._playing[player] = payload

    def _ok(self, player: int, payload: bytes, at: float) -> None:
        self.measured.answered(payload[17:-2], at)
        self.clients.answered(player)
        if update := self._playing.pop(player, b""):
            self._decide(player, update, at)

    def _decide(self, player: int, payload: bytes, at: float) -> None:
        """Send the next decision of the round, if it isn't over."""
        state = _read(payload).state
        played = state.round
        self._after[player] = state.after
        if played is None or (due := next(decisions(player, played.view), None)) is None:
            return
        box, hand, action = due
        self._playing[player] = b""
        place = {"round": played.id, "turn": played.turn, "box": box, "hand": hand}
        self.ask(player, at, "decide", **place, action=action)

    def _no(self, player: int, payload: bytes, _at: float) -> None:
        self.count_refusal(read_refusal(payload).code)
        self._playing.pop(player, None)
        self.clients.answered(player)

    def _deal(self, players: Iterator[int], due: float) -> None:
        player = next(players)
        if player in self._playing:
            self.skipped += 1
            return
        table = self.table_of(player)
        self._playing[player] = b""
        stake = {"box": 0, "bet": table.bet, "stake_minor": table.stake_minor}
        self.ask(player, due, "deal", stakes=[stake], after=self._after.get(player, ""))
        self.late.append(perf_counter() - due)


if __name__ == "__main__":
    raise_descriptor_limit()
    emit(results=OwnTablesLoad(convert(json.load(sys.stdin), GrowthPlan)).run())
