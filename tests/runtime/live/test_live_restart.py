"""A server killed or stopped during rounds: every stake is given back, with a notice."""

import asyncio
from pathlib import Path

import pytest

from croupier.protocol import wire
from tests.runtime.live.dialled import ConnectedBrowser, dialled, live_house
from tests.runtime.live.player import INFINITE, ROULETTE, SEVEN, Player, req
from tests.runtime.live.test_live_crowd import verified
from tests.support.browser_connection import Browser
from tests.support.server_process import HouseProcess

pytestmark = pytest.mark.anyio

LONG = """
[infinite]
betting_ms = 5000
warning_ms = 4900
offer_ms = 600000
decision_ms = 600000
pace_ms = 0

[seven_seat]
betting_ms = 600000
"""
"""Five seconds of bets; then the round stays at the first decision."""
MAIN = (0, "main", 700)
START = (100_000, 0)


async def bettors(
    house: HouseProcess, one: ConnectedBrowser, other: ConnectedBrowser
) -> tuple[Player, Player]:
    """One player with a bet in a shared round, another with a bet at a seat."""
    at_infinite = one.player
    assert await at_infinite.join() == ""
    await at_infinite.phase("betting", "warning")
    assert await at_infinite.bet(MAIN) == ""
    at_seven = other.player
    assert await at_seven.join(SEVEN) == ""
    await at_seven.phase("betting", table=SEVEN)
    assert await at_seven.ask(wire.Sit(req(), SEVEN, 4)) == ""
    assert await at_seven.bet((4, "main", 900), table=SEVEN) == ""
    return at_infinite, at_seven


async def euro(line: ConnectedBrowser) -> tuple[int, int]:
    await line.dial()
    assert line.player.welcome is not None
    found = next(one for one in line.player.welcome.balances if one.currency == "EUR")
    return found.balance_minor, found.in_play_minor


async def is_void(line: ConnectedBrowser, table: str, reason: str) -> None:
    """Check the history, the table's messages and the balance."""
    assert await euro(line) == START
    (record,) = (await line.browser.get("/api/history", wire.History)).lines
    assert (record.status, record.returned_minor) == ("void", record.staked_minor)
    again = await line.dial(wire.ResumedTable(table, 1, "EUR"))
    await again.until(lambda: table in again.mine)
    mine = again.mine[table]
    assert mine.result is not None
    assert (mine.result.void, mine.result.reason) == (True, reason)
    assert record.round.startswith(mine.result.round)
    assert (mine.balance_minor, mine.stakes) == (START[0], ())


async def same(line: ConnectedBrowser, address: str) -> ConnectedBrowser:
    """Connect the same guest to the restarted server."""
    browser = Browser(address)
    browser.http.cookies = line.browser.http.cookies
    return ConnectedBrowser(browser)


async def test_a_killed_server_gives_every_stake_back_with_a_notice(tmp_path: Path) -> None:
    house = live_house(tmp_path / "data", LONG).start()
    async with dialled(house.address) as one, dialled(house.address) as other:
        at_infinite, _ = await bettors(house, one, other)
        await at_infinite.phase("offer", "decisions", "pause")
        in_play = at_infinite.states[INFINITE].clock.phase != "pause"
        house.kill()
        house.start()
        for line, table in ((one, INFINITE), (other, SEVEN)):
            if table == SEVEN or in_play:
                again = await same(line, house.address)
                await is_void(again, table, "house_restarted")
                notice = again.player.chat[table][-1]
                assert (notice.role, notice.code) == ("house", "restarted")
                assert await again.player.join(table) == ""
                await again.hang_up()
                await again.browser.http.aclose()
    assert house.stop() == 0
    assert "Traceback" not in house.log.read_text()
    assert "No errors" in verified(house)


async def test_a_server_killed_during_a_spin_gives_every_stake_back(tmp_path: Path) -> None:
    long = "[live_roulette]\nbetting_ms = 2000\nwarning_ms = 500\nspin_ms = 600000\n"
    house = live_house(tmp_path / "data", long).start()
    async with dialled(house.address) as one:
        assert await one.player.join(ROULETTE) == ""
        await one.player.phase("betting", "warning", table=ROULETTE)
        assert await one.player.bet((0, "red", 900), (0, "straight_0", 100), table=ROULETTE) == ""
        await one.player.phase("dealing", table=ROULETTE)
        house.kill()
        house.start()
        again = await same(one, house.address)
        await is_void(again, ROULETTE, "house_restarted")
        await again.hang_up()
        await again.browser.http.aclose()
    assert house.stop() == 0
    assert "No errors" in verified(house)


async def test_a_stopping_server_gives_every_stake_back(tmp_path: Path) -> None:
    house = live_house(tmp_path / "data", LONG).start()
    async with dialled(house.address) as one, dialled(house.address) as other:
        at_infinite, at_seven = await bettors(house, one, other)
        assert await asyncio.to_thread(house.stop) == 0
        await at_infinite.until(lambda: at_infinite.cut_off)
        await at_seven.until(lambda: at_seven.cut_off)
        assert "No errors" in verified(house)
        house.start()
        for line, table in ((one, INFINITE), (other, SEVEN)):
            again = await same(line, house.address)
            assert await euro(again) == START
            (record,) = (await again.browser.get("/api/history", wire.History)).lines
            assert (record.status, record.returned_minor) == ("void", record.staked_minor)
            assert await again.player.join(table) == ""
            await again.hang_up()
            await again.browser.http.aclose()
    assert house.stop() == 0
    assert "Traceback" not in house.log.read_text()


async def test_a_server_killed_repeatedly_while_a_crowd_plays_loses_no_money(tmp_path: Path) -> None:
    house = live_house(tmp_path / "data", "[infinite]\npace_ms = 0\nbetting_ms = 300\nwarning_ms = 100\n")
    for _ in range(4):
        house.start()
        async with dialled(house.address) as one, dialled(house.address) as other:
            for line in (one, other):
                await line.player.join()
            for _ in range(6):
                for line in (one, other):
                    line.player.send(line.player.a_bet(MAIN))
                await asyncio.sleep(0.1)
            house.kill()
        assert "No errors" in verified(house)
    house.start()
    assert house.stop() == 0
    assert "Traceback" not in house.log.read_text()
    assert "No errors" in verified(house)


async def test_the_last_bet_can_be_repeated_after_a_restart(tmp_path: Path) -> None:
    quick = "[live_roulette]\nbetting_ms = 2000\nwarning_ms = 500\nspin_ms = 0\nball_ms = 0\n"
    house = live_house(tmp_path / "data", quick).start()
    async with dialled(house.address) as one:
        assert await one.player.join(ROULETTE) == ""
        await one.player.phase("betting", table=ROULETTE)
        assert await one.player.bet((0, "red", 200), (0, "straight_17", 100), table=ROULETTE) == ""
        await one.player.until(lambda: one.player.results)
        assert house.stop() == 0
        house.start()
        again = await same(one, house.address)
        await again.dial()
        assert await again.player.join(ROULETTE) == ""
        assert again.player.mine[ROULETTE].last_stakes == (
            wire.Stake(0, "red", 200),
            wire.Stake(0, "straight_17", 100),
        )
        await again.hang_up()
        await again.browser.http.aclose()
    assert house.stop() == 0
