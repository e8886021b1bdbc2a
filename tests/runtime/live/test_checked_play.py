"""Every message of live tables compared with a recomputation, on an overloaded server."""

import asyncio
import subprocess
import sys
from collections.abc import Iterator
from contextlib import AsyncExitStack
from pathlib import Path
from random import Random
from typing import Any

import pytest

from croupier.protocol import wire
from tests.runtime.live.checker import Reader, answered_late
from tests.runtime.live.dialled import ConnectedBrowser, dialled, live_house
from tests.runtime.live.player import SEVEN, Player, req
from tests.support.bot import stakes

pytestmark = pytest.mark.anyio

SETTING = """
[{table}]
betting_ms = 400
warning_ms = 150
pause_ms = 100
"""
CARDS, DECIDES = "pace_ms = 5\n", "offer_ms = 250\ndecision_ms = 250\n"
WHEEL, DICE = "spin_ms = 20\nball_ms = 20\n", "roll_ms = 20\nball_ms = 20\n"
PACES = {
    "infinite": CARDS + DECIDES,
    "seven_seat": CARDS + DECIDES,
    "live_roulette": WHEEL,
    "live_baccarat": CARDS,
    "live_dragon_tiger": CARDS,
    "live_football_studio": CARDS,
    "live_sic_bo": DICE,
}
PLAYERS, PLAYS_S = 3, 8.0


@pytest.fixture
def busy() -> Iterator[None]:
    """Load both processors."""
    others = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(2)]
    yield
    for other in others:
        other.kill()
        other.wait()


class Bot:
    """Bets repeatedly while bets are open, and makes every decision."""

    def __init__(self, line: ConnectedBrowser, table: wire.LobbyTable, seat: int) -> None:
        self.line, self.table, self.seat = line, table, seat
        self.chance = Random(f"{table.table} {seat}")
        self.bets: dict[str, wire.PlaceBet] = {}

    async def play(self, enough: asyncio.Event) -> None:
        player, table = self.line.player, self.table.table
        assert await player.join(table) == ""
        if table == SEVEN:
            assert await player.ask(wire.Sit(req(), table, self.seat)) == ""
        while not enough.is_set():
            if turns := player.turns(table):
                box, hand, actions = self.chance.choice(turns)
                await player.decide(self.chance.choice(actions), box, hand, table)
            elif player.states[table].clock.phase in ("betting", "warning"):
                await self._bet(player)
            await asyncio.sleep(0.02)

    async def _bet(self, player: Player) -> None:
        seats = player.mine[self.table.table].seats or (0,)
        placed = [one for one in stakes(self.table, "EUR", self.chance) if one.box in seats]
        round_ = player.states[self.table.table].clock.round
        bet = wire.PlaceBet(req(), self.table.table, round_, tuple(placed))
        self.bets[bet.req] = bet
        await player.ask(bet)


async def test_every_message_of_every_live_game_adds_up(tmp_path: Path, busy: None) -> None:
    """No version is missing, views match `did`, and History matches the views."""
    floor = "".join(SETTING.format(table=table) + pace for table, pace in PACES.items())
    house = live_house(tmp_path / "data", floor).start()
    enough = asyncio.Event()
    async with AsyncExitStack() as lines:
        bots = list[Bot]()
        for table in PACES:
            for seat in range(PLAYERS):
                line = await lines.enter_async_context(dialled(house.address))
                lobby = await line.browser.get("/api/tables", list[wire.LobbyTable])
                bots.append(Bot(line, next(one for one in lobby if one.table == table), seat))
        playing = [asyncio.create_task(bot.play(enough)) for bot in bots]
        await asyncio.sleep(PLAYS_S)
        enough.set()
        await asyncio.gather(*playing)
        await asyncio.sleep(2.0)  # the rounds are played to their end
        for bot in bots:
            await assert_adds_up(bot)
    assert house.stop() == 0
    assert "Traceback" not in house.log.read_text()


async def assert_adds_up(bot: Bot) -> None:
    told, table = bot.line.player.told, bot.table.table
    reader = Reader(table)
    assert [fault for message in told for fault in reader.read(message)] == [], table
    assert answered_late(told, bot.bets) == [], table
    results = bot.line.player.results
    assert results, f"{table}: no round was played to its end"
    player = (await bot.line.browser.get("/api/me", wire.Me)).player
    for round_ in list(results)[:3]:
        kept = await bot.line.browser.get(f"/api/rounds/{round_}.{player}", wire.HistoryRound)
        assert lying(kept.steps[-1].view) == lying(reader.final[round_]), f"{table} {round_}"


def lying(view: Any) -> Any:
    """Return the cards or figures that everyone saw."""
    if not hasattr(view, "dealer"):
        return [getattr(view, name) for name in ("came", "cards", "hands", "dice") if hasattr(view, name)]
    return view.dealer.cards, [[hand.cards for hand in box.hands] for box in view.boxes]
