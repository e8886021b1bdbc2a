"""A server that is killed or stopped during a round returns every stake and posts a notice."""

import asyncio
from pathlib import Path

import pytest

from croupier.protocol import wire
from tests.dealing.live.player import INFINITE, ROULETTE, SEVEN, Player, req
from tests.dealing.live.socket_client import PlayerClient, configured_server, connected_guest, verify
from tests.support.browser_connection import Browser

pytestmark = pytest.mark.anyio

LONG_DECISIONS = """
[infinite]
betting_ms = 3000
warning_ms = 2900
offer_ms = 600000
decision_ms = 600000
pace_ms = 0

[seven_seat]
betting_ms = 600000
"""
"""Bets are open for three seconds; then the round stays at the first decision."""
LONG_SPIN = """
[live_roulette]
betting_ms = 1000
warning_ms = 900
spin_ms = 600000
"""
MAIN_BET = (0, "main", 700)
START = (100_000, 0)
"""A new guest's EUR: balance and in play."""


async def place_bets(one: PlayerClient, other: PlayerClient) -> tuple[Player, Player]:
    """Bet as one player in the shared round, and as the other at a seat."""
    at_infinite = one.player
    assert await at_infinite.join() == ""
    await at_infinite.until_phase("betting", "warning")
    assert await at_infinite.bet(MAIN_BET) == ""
    at_seven = other.player
    assert await at_seven.join(SEVEN) == ""
    await at_seven.until_phase("betting", table=SEVEN)
    assert await at_seven.ask(wire.Sit(req(), SEVEN, 4)) == ""
    assert await at_seven.bet((4, "main", 900), table=SEVEN) == ""
    return at_infinite, at_seven


async def euro_balance(client: PlayerClient) -> tuple[int, int]:
    await client.connect()
    assert client.player.welcome is not None
    euro = next(one for one in client.player.welcome.balances if one.currency == "EUR")
    return euro.balance_minor, euro.in_play_minor


async def assert_void(client: PlayerClient, table: str, reason: str) -> None:
    """Check History, the table's messages and the balance."""
    assert await euro_balance(client) == START
    (record,) = (await client.browser.get("/api/history", wire.History)).lines
    assert (record.status, record.returned_minor) == ("void", record.staked_minor)
    again = await client.connect(wire.ResumedTable(table, 1, "EUR"))
    await again.until(lambda: table in again.mine)
    mine = again.mine[table]
    assert mine.result is not None
    assert (mine.result.void, mine.result.reason) == (True, reason)
    assert record.round.startswith(mine.result.round)
    assert (mine.balance_minor, mine.stakes) == (START[0], ())


async def reconnected(client: PlayerClient, address: str) -> PlayerClient:
    """Return a client of the same guest at the restarted server."""
    browser = Browser(address)
    browser.http.cookies = client.browser.http.cookies
    return PlayerClient(browser)


async def test_a_killed_server_returns_every_stake_with_a_notice(tmp_path: Path) -> None:
    """Also that of a player at the roulette, whose wheel spins."""
    server = configured_server(tmp_path / "data", LONG_DECISIONS + LONG_SPIN).start()
    async with (
        connected_guest(server.address) as one,
        connected_guest(server.address) as other,
        connected_guest(server.address) as third,
    ):
        await bet_until_the_spin(third)
        at_infinite, _ = await place_bets(one, other)
        await at_infinite.until_phase("offer", "decisions", "pause")
        in_play = at_infinite.states[INFINITE].clock.phase != "pause"
        server.kill()
        server.start()
        for client, table in ((one, INFINITE), (other, SEVEN), (third, ROULETTE)):
            if table != INFINITE or in_play:
                again = await reconnected(client, server.address)
                await assert_void(again, table, "house_restarted")
                notice = again.player.chat[table][-1]
                assert (notice.role, notice.code) == ("house", "restarted")
                assert await again.player.join(table) == ""
                await again.disconnect()
                await again.browser.http.aclose()
    assert server.stop() == 0
    assert "Traceback" not in server.log.read_text()
    assert "No errors" in verify(server)


async def bet_until_the_spin(client: PlayerClient) -> None:
    assert await client.player.join(ROULETTE) == ""
    await client.player.until_phase("betting", "warning", table=ROULETTE)
    assert await client.player.bet((0, "red", 900), (0, "straight_0", 100), table=ROULETTE) == ""
    await client.player.until_phase("dealing", table=ROULETTE)


async def test_a_stopping_server_returns_every_stake(tmp_path: Path) -> None:
    server = configured_server(tmp_path / "data", LONG_DECISIONS).start()
    async with connected_guest(server.address) as one, connected_guest(server.address) as other:
        at_infinite, at_seven = await place_bets(one, other)
        assert await asyncio.to_thread(server.stop) == 0
        await at_infinite.until(lambda: at_infinite.disconnected)
        await at_seven.until(lambda: at_seven.disconnected)
        assert "No errors" in verify(server)
        server.start()
        for client, table in ((one, INFINITE), (other, SEVEN)):
            again = await reconnected(client, server.address)
            assert await euro_balance(again) == START
            (record,) = (await again.browser.get("/api/history", wire.History)).lines
            assert (record.status, record.returned_minor) == ("void", record.staked_minor)
            assert await again.player.join(table) == ""
            await again.disconnect()
            await again.browser.http.aclose()
    assert server.stop() == 0
    assert "Traceback" not in server.log.read_text()


@pytest.mark.parametrize("kills", [2, pytest.param(20, marks=pytest.mark.campaign)])
async def test_a_server_killed_repeatedly_during_play_loses_no_money(tmp_path: Path, kills: int) -> None:
    server = configured_server(
        tmp_path / "data", "[infinite]\npace_ms = 0\nbetting_ms = 300\nwarning_ms = 100\n"
    )
    for _ in range(kills):
        server.start()
        async with connected_guest(server.address) as one, connected_guest(server.address) as other:
            for client in (one, other):
                await client.player.join()
            for _ in range(6):
                for client in (one, other):
                    client.player.send(client.player.bet_command(MAIN_BET))
                await asyncio.sleep(0.1)
            server.kill()
        assert "No errors" in verify(server)
    server.start()
    assert server.stop() == 0
    assert "Traceback" not in server.log.read_text()
    assert "No errors" in verify(server)


async def test_the_last_bet_can_be_repeated_after_a_restart(tmp_path: Path) -> None:
    config = "[live_roulette]\nbetting_ms = 1000\nwarning_ms = 900\nspin_ms = 0\nball_ms = 0\n"
    server = configured_server(tmp_path / "data", config).start()
    async with connected_guest(server.address) as one:
        assert await one.player.join(ROULETTE) == ""
        await one.player.until_phase("betting", "warning", table=ROULETTE)
        assert await one.player.bet((0, "red", 200), (0, "straight_17", 100), table=ROULETTE) == ""
        await one.player.until(lambda: one.player.results)
        assert server.stop() == 0
        server.start()
        again = await reconnected(one, server.address)
        await again.connect()
        assert await again.player.join(ROULETTE) == ""
        assert again.player.mine[ROULETTE].last_stakes == (
            wire.Stake(0, "red", 200),
            wire.Stake(0, "straight_17", 100),
        )
        await again.disconnect()
        await again.browser.http.aclose()
    assert server.stop() == 0
