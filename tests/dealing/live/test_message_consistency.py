"""Messages of live tables on an overloaded server: each is compared with a recomputation."""

import asyncio
import subprocess
import sys
from collections.abc import Iterator
from contextlib import AsyncExitStack, contextmanager
from pathlib import Path
from random import Random
from typing import Any

import pytest

from croupier.protocol import wire
from tests.dealing.live.checker import MessageChecker, answered_too_early
from tests.dealing.live.player import SEVEN, Player, req
from tests.dealing.live.socket_client import PlayerClient, configured_server, connected_guest
from tests.dealing.nodes.cluster import until
from tests.support.bot import random_stakes

pytestmark = pytest.mark.anyio

BETTING_TIMERS = """
[{table}]
betting_ms = 400
warning_ms = 150
pause_ms = 100
"""
CARDS, DECISIONS = "pace_ms = 5\n", "offer_ms = 250\ndecision_ms = 250\n"
WHEEL, DICE = "spin_ms = 20\nball_ms = 20\n", "roll_ms = 20\nball_ms = 20\n"
GAME_TIMERS = {
    "infinite": CARDS + DECISIONS,
    "seven_seat": CARDS + DECISIONS,
    "live_roulette": WHEEL,
    "live_baccarat": CARDS,
    "live_dragon_tiger": CARDS,
    "live_football_studio": CARDS,
    "live_sic_bo": DICE,
}
PLAYERS, PLAYS_S, ENDS_WITHIN_S = 2, 4.0, 60.0


@contextmanager
def overload() -> Iterator[None]:
    """Keep both processors busy."""
    loads = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(2)]
    try:
        yield
    finally:
        for load in loads:
            load.kill()
            load.wait()


class Bot:
    """Bets repeatedly while bets are open, and makes every decision."""

    def __init__(self, client: PlayerClient, table: wire.LobbyTable, seat: int) -> None:
        self.client, self.table, self.seat = client, table, seat
        self.rng = Random(f"{table.table} {seat}")
        self.bets: dict[str, wire.PlaceBet] = {}

    async def play(self, stop: asyncio.Event) -> None:
        player, table = self.client.player, self.table.table
        assert await player.join(table) == ""
        if table == SEVEN:
            assert await player.ask(wire.Sit(req(), table, self.seat)) == ""
        while not stop.is_set():
            if turns := player.turns(table):
                box, hand, actions = self.rng.choice(turns)
                await player.decide(self.rng.choice(actions), box, hand, table)
            elif player.states[table].clock.phase in ("betting", "warning"):
                await self._bet(player)
            await asyncio.sleep(0.02)

    async def _bet(self, player: Player) -> None:
        seats = player.mine[self.table.table].seats or (0,)
        placed = [stake for stake in random_stakes(self.table, "EUR", self.rng) if stake.box in seats]
        round_ = player.states[self.table.table].clock.round
        bet = wire.PlaceBet(req(), self.table.table, round_, tuple(placed))
        self.bets[bet.req] = bet
        await player.ask(bet)


async def test_messages_of_every_live_game_are_consistent(tmp_path: Path) -> None:
    """No version is missing, views match the events in `did`, and History matches the views."""
    config = "".join(BETTING_TIMERS.format(table=table) + timers for table, timers in GAME_TIMERS.items())
    server = configured_server(tmp_path / "data", config).start()
    stop = asyncio.Event()
    async with AsyncExitStack() as clients:
        bots = list[Bot]()
        for table in GAME_TIMERS:
            for seat in range(PLAYERS):
                client = await clients.enter_async_context(connected_guest(server.address))
                lobby = await client.browser.get("/api/tables", list[wire.LobbyTable])
                bots.append(Bot(client, next(card for card in lobby if card.table == table), seat))
        with overload():
            playing = [asyncio.create_task(bot.play(stop)) for bot in bots]
            await asyncio.sleep(PLAYS_S)
            await until(lambda: all(bot.client.player.results for bot in bots), ENDS_WITHIN_S)
            stop.set()
            await asyncio.gather(*playing)
        await asyncio.sleep(1.0)  # some open rounds end
        for bot in bots:
            await assert_consistent(bot)
    assert server.stop() == 0
    assert "Traceback" not in server.log.read_text()


async def assert_consistent(bot: Bot) -> None:
    messages, table = bot.client.player.messages, bot.table.table
    checker = MessageChecker(table)
    assert [fault for message in messages for fault in checker.check(message)] == [], table
    assert answered_too_early(messages, bot.bets) == [], table
    results = bot.client.player.results
    assert results, f"{table}: no round ended"
    player = (await bot.client.browser.get("/api/me", wire.Me)).player
    for round_ in list(results)[:3]:
        recorded = await bot.client.browser.get(f"/api/rounds/{round_}.{player}", wire.HistoryRound)
        last = checker.last_views[round_]
        assert shown_to_all(recorded.steps[-1].view) == shown_to_all(last), f"{table} {round_}"


def shown_to_all(view: Any) -> Any:
    """Return the cards or results that every player sees."""
    if not hasattr(view, "dealer"):
        return [getattr(view, name) for name in ("came", "cards", "hands", "dice") if hasattr(view, name)]
    return view.dealer.cards, [[hand.cards for hand in box.hands] for box in view.boxes]
