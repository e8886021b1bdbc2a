"""A random player at a live table, who leaves, returns and loses the connection at any time."""

import asyncio
from contextlib import suppress
from random import Random

from croupier.protocol import wire
from tests.runtime.live.dialled import ConnectedBrowser
from tests.runtime.live.player import BACCARAT, INFINITE, ROULETTE, SEVEN, Player, req

SIDES = {INFINITE: ("any_pair", "twenty_one_plus_three", "hot_3", "bust_it"), SEVEN: ("perfect_pairs",)}
LEAST = {INFINITE: 100, SEVEN: 500}
COUPS = {
    ROULETTE: ("straight_17", "split_0_3", "corner_0_1_2_3", "column_2", "dozen_3", "red"),
    BACCARAT: ("banker", "tie"),
}
"""Bets that are accepted together."""
STALE = {"round_ended", "bets_closed", "not_your_turn", "not_offered", "time_out", "decided_already"}
"""Refusals of late commands."""
SEATED = {"seat_taken", "not_your_seat", "no_more_seats"}


class Bot:
    """`results`: every result that was received."""

    def __init__(self, line: ConnectedBrowser, table: str, chance: Random) -> None:
        self.line = line
        self.results: dict[str, wire.PlayerResult] = {}
        self.refusals: set[str] = set()
        self._table = table
        self._chance = chance

    async def play(self, until: asyncio.Event) -> None:
        while not until.is_set():
            with suppress(TimeoutError):
                await self._visit(until)

    async def _visit(self, until: asyncio.Event) -> None:
        player = await self.line.dial(wire.ResumedTable(self._table))
        await player.until(lambda: self._table in player.mine)
        for _ in range(self._chance.randint(5, 60)):
            if until.is_set():
                break
            await self._does_something(player)
            await self._waits_for_news(player)
        self.results |= player.results
        await self._goes(player, last=until.is_set())

    async def _waits_for_news(self, player: Player) -> None:
        seen = len(player.told)
        with suppress(TimeoutError):
            async with asyncio.timeout(0.1):
                await player.until(lambda: len(player.told) > seen)

    async def _goes(self, player: Player, *, last: bool) -> None:
        if not last and self._chance.random() < 0.5:
            self.line.cut()
        else:
            if self._chance.random() < 0.5:
                await player.ask(wire.Leave(req(), self._table))
            await self.line.hang_up()

    async def _does_something(self, player: Player) -> None:
        state = player.states[self._table]
        if turns := player.turns(self._table):
            box, hand, actions = self._chance.choice(turns)
            code = await player.decide(self._chance.choice(actions), box, hand, self._table)
        elif state.clock.phase in ("betting", "warning"):
            code = await self._bets(player)
        else:
            return
        self.refusals.add(code)

    async def _bets(self, player: Player) -> str:
        chance, table = self._chance, self._table
        round_ = player.states[table].clock.round
        box = 0
        if table == SEVEN:
            if not player.mine[table].seats:
                return await player.ask(wire.Sit(req(), table, chance.randrange(7)))
            (box,) = player.mine[table].seats
        if chance.random() < 0.1:
            return await player.ask(wire.Undo(req(), table, round_))
        if chance.random() < 0.1:
            return await player.bet(table=table)
        if table in COUPS:
            return await player.bet(*self._laid(), table=table)
        least = LEAST[table]
        sides = [(box, bet, least + chance.randrange(99)) for bet in SIDES[table] if chance.random() < 0.5]
        return await player.bet((box, "main", least + chance.randrange(999)), *sides, table=table)

    def _laid(self) -> list[tuple[int, str, int]]:
        bets = COUPS[self._table]
        laid = self._chance.sample(bets, self._chance.randint(1, len(bets)))
        return [(0, bet, 100 + self._chance.randrange(99)) for bet in laid]
