"""Many players over real sockets, who join, leave and lose the connection, and no money is lost."""

import asyncio
from contextlib import AsyncExitStack
from pathlib import Path
from random import Random

import pytest

from croupier.protocol import wire
from tests.dealing.live.bot import LATE, SEAT_REFUSALS, Bot
from tests.dealing.live.in_process import FAST
from tests.dealing.live.player import BACCARAT, INFINITE, ROULETTE, SEVEN
from tests.dealing.live.socket_client import configured_server, connected_guest, verify
from tests.dealing.nodes.cluster import until

pytestmark = pytest.mark.anyio

TABLES = ((INFINITE, 12), (SEVEN, 5), (ROULETTE, 5), (BACCARAT, 5))
PLAYS_S, ENDS_WITHIN_S = 3.0, 60.0


async def test_no_money_is_lost_while_many_players_join_and_leave(tmp_path: Path) -> None:
    server = configured_server(tmp_path / "data", FAST).start()
    stop = asyncio.Event()
    async with AsyncExitStack() as clients:
        bots = [
            Bot(
                await clients.enter_async_context(connected_guest(server.address)),
                table,
                Random(f"{table} {number}"),
            )
            for table, players in TABLES
            for number in range(players)
        ]
        playing = [asyncio.create_task(bot.play(stop)) for bot in bots]
        await asyncio.sleep(PLAYS_S)
        await until(lambda: sum(len(bot.results) for bot in bots) > 2 * len(bots), ENDS_WITHIN_S)
        stop.set()
        await asyncio.gather(*playing)
        for bot in bots:
            assert bot.refusals <= {"", "nothing_to_undo", "not_covered"} | LATE | SEAT_REFUSALS
            await assert_results_match_history(bot)
    assert server.stop() == 0
    assert "Traceback" not in server.log.read_text()
    assert "No errors" in verify(server)


async def history_of(bot: Bot) -> wire.History:
    """Return the history once the round that the bot left has ended."""
    async with asyncio.timeout(ENDS_WITHIN_S):
        while True:
            history = await bot.client.browser.get("/api/history", wire.History, limit=100)
            if not any(line.status == "open" for line in history.lines):
                return history
            await asyncio.sleep(0.1)


async def assert_results_match_history(bot: Bot) -> None:
    """Compare every result with the history, and their sum with the balance."""
    history = await history_of(bot)
    lines = {line.round: line for line in history.lines}
    player = (await bot.client.browser.get("/api/me", wire.Me)).player
    assert len(history.lines) < 100
    for result in bot.results.values():
        line = lines[f"{result.round}.{player}"]
        assert (line.staked_minor, line.returned_minor) == (result.staked_minor, result.returned_minor)
        assert line.status == ("void" if result.void else "settled")
    net = sum(line.returned_minor - line.staked_minor for line in lines.values())
    player_again = await bot.client.connect()
    assert player_again.welcome is not None
    euro = next(balance for balance in player_again.welcome.balances if balance.currency == "EUR")
    assert (euro.balance_minor, euro.in_play_minor) == (100_000 + net, 0)
