"""Many players over real sockets, who join, leave and lose the connection: no money is lost."""

import asyncio
import subprocess
from contextlib import AsyncExitStack
from pathlib import Path
from random import Random

import pytest

from croupier.protocol import wire
from tests.runtime.live.bot import SEATED, STALE, Bot
from tests.runtime.live.dialled import dialled, live_house
from tests.runtime.live.in_process import FAST
from tests.runtime.live.player import BACCARAT, INFINITE, ROULETTE, SEVEN
from tests.support.server_process import CROUPIER, HouseProcess
from tests.support.servers import SOCKETS

pytestmark = pytest.mark.anyio

PLAYED = ((INFINITE, 12), (SEVEN, 5), (ROULETTE, 5), (BACCARAT, 5))
PLAYS_S = 8.0


def verified(house: HouseProcess) -> str:
    done = subprocess.run(
        [*CROUPIER, "verify", "--data", str(house.data)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout
    return done.stdout


@pytest.mark.parametrize("socket", SOCKETS)
async def test_no_money_is_lost_while_a_crowd_joins_and_leaves(tmp_path: Path, socket: str) -> None:
    house = live_house(tmp_path / "data", FAST, socket).start()
    enough = asyncio.Event()
    async with AsyncExitStack() as lines:
        bots = [
            Bot(await lines.enter_async_context(dialled(house.address)), table, Random(f"{table} {number}"))
            for table, many in PLAYED
            for number in range(many)
        ]
        playing = [asyncio.create_task(bot.play(enough)) for bot in bots]
        await asyncio.sleep(PLAYS_S)
        enough.set()
        await asyncio.gather(*playing)
        await asyncio.sleep(1.5)  # the round that they left is played to its end
        for bot in bots:
            assert bot.refusals <= {"", "nothing_to_undo", "not_covered"} | STALE | SEATED
            await told_what_the_books_say(bot)
        assert sum(len(bot.results) for bot in bots) > len(bots)
    assert house.stop() == 0
    assert "Traceback" not in house.log.read_text()
    assert "No errors" in verified(house)


async def told_what_the_books_say(bot: Bot) -> None:
    """Compare every result with the history, and their sum with the balance."""
    history = await bot.line.browser.get("/api/history", wire.History, limit=100)
    lines = {line.round: line for line in history.lines}
    player = (await bot.line.browser.get("/api/me", wire.Me)).player
    assert len(history.lines) < 100
    for result in bot.results.values():
        line = lines[f"{result.round}.{player}"]
        assert (line.staked_minor, line.returned_minor) == (result.staked_minor, result.returned_minor)
        assert line.status == ("void" if result.void else "settled")
    assert not any(line.status == "open" for line in lines.values())
    net = sum(line.returned_minor - line.staked_minor for line in lines.values())
    last = await bot.line.dial()
    assert last.welcome is not None
    euro = next(one for one in last.welcome.balances if one.currency == "EUR")
    assert (euro.balance_minor, euro.in_play_minor) == (100_000 + net, 0)
