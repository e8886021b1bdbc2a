"""A random player at a live table, who leaves, returns and loses the connection at any time."""

import asyncio
from contextlib import suppress
from random import Random

from croupier.protocol import wire
from tests.dealing.live.player import BACCARAT, INFINITE, ROULETTE, SEVEN, Player, req
from tests.dealing.live.socket_client import PlayerClient

SIDE_BETS = {
    INFINITE: ("any_pair", "twenty_one_plus_three", "hot_3", "bust_it"),
    SEVEN: ("perfect_pairs",),
}
MINIMUM = {INFINITE: 100, SEVEN: 500}
COUP_BETS = {
    ROULETTE: ("straight_17", "split_0_3", "corner_0_1_2_3", "column_2", "dozen_3", "red"),
    BACCARAT: ("banker", "tie"),
}
"""Bets that a table accepts in any combination."""
LATE = {"round_ended", "bets_closed", "not_your_turn", "not_offered", "time_out", "decided_already"}
"""Refusals of commands that arrive too late."""
SEAT_REFUSALS = {"seat_taken", "not_your_seat", "no_more_seats"}


class Bot:
    """A random player at a live table.

    `results` has every result that was received.
    """

    def __init__(self, client: PlayerClient, table: str, rng: Random) -> None:
        self.client = client
        self.results: dict[str, wire.PlayerResult] = {}
        self.refusals: set[str] = set()
        self._table = table
        self._rng = rng

    async def play(self, until: asyncio.Event) -> None:
        while not until.is_set():
            with suppress(TimeoutError):
                await self._play_on_one_connection(until)

    async def _play_on_one_connection(self, until: asyncio.Event) -> None:
        player = await self.client.connect(wire.ResumedTable(self._table))
        await player.until(lambda: self._table in player.mine)
        for _ in range(self._rng.randint(5, 60)):
            if until.is_set():
                break
            await self._act(player)
            await self._wait_for_message(player)
        self.results |= player.results
        await self._disconnect(player, last=until.is_set())

    async def _wait_for_message(self, player: Player) -> None:
        received = len(player.messages)
        with suppress(TimeoutError):
            async with asyncio.timeout(0.1):
                await player.until(lambda: len(player.messages) > received)

    async def _disconnect(self, player: Player, *, last: bool) -> None:
        if not last and self._rng.random() < 0.5:
            self.client.drop()
        else:
            if self._rng.random() < 0.5:
                await player.ask(wire.Leave(req(), self._table))
            await self.client.disconnect()

    async def _act(self, player: Player) -> None:
        state = player.states[self._table]
        if turns := player.turns(self._table):
            box, hand, actions = self._rng.choice(turns)
            code = await player.decide(self._rng.choice(actions), box, hand, self._table)
        elif state.clock.phase in ("betting", "warning"):
            code = await self._bet(player)
        else:
            return
        self.refusals.add(code)

    async def _bet(self, player: Player) -> str:
        rng, table = self._rng, self._table
        round_ = player.states[table].clock.round
        box = 0
        if table == SEVEN:
            if not player.mine[table].seats:
                return await player.ask(wire.Sit(req(), table, rng.randrange(7)))
            (box,) = player.mine[table].seats
        if rng.random() < 0.1:
            return await player.ask(wire.Undo(req(), table, round_))
        if rng.random() < 0.1:
            return await player.bet(table=table)
        if table in COUP_BETS:
            return await player.bet(*self._coup_stakes(), table=table)
        minimum = MINIMUM[table]
        side_stakes = [
            (box, bet, minimum + rng.randrange(99)) for bet in SIDE_BETS[table] if rng.random() < 0.5
        ]
        return await player.bet((box, "main", minimum + rng.randrange(999)), *side_stakes, table=table)

    def _coup_stakes(self) -> list[tuple[int, str, int]]:
        bets = COUP_BETS[self._table]
        chosen = self._rng.sample(bets, self._rng.randint(1, len(bets)))
        return [(0, bet, 100 + self._rng.randrange(99)) for bet in chosen]
