"""What came up at a player's own table: his alone, from the books, on whatever device he comes back with."""

from pathlib import Path

import httpx
import pytest

from croupier.play.coup.view import CoupView
from croupier.protocol import wire
from tests.runtime.own.test_coups import OWN
from tests.support.browser_connection import Browser, begun, guest_at, same_player
from tests.support.server_process import HouseProcess
from tests.support.servers import closed_in_order

pytestmark = pytest.mark.anyio

RED = wire.Stake(0, "red", 1_000)
MAIN = wire.Stake(0, "main", 1_000)


async def told(browser: Browser, table: str, **asked: int) -> list[wire.PastResult]:
    return await browser.get(f"/api/tables/{table}/results", list[wire.PastResult], **asked)


async def spun(browser: Browser, times: int) -> list[wire.PastResult]:
    """Coups of roulette as they were told at the table."""
    return [await coup(browser, "roulette", RED) for _ in range(times)]


async def coup(browser: Browser, table: str, stake: wire.Stake) -> wire.PastResult:
    played = (await browser.deal(table, stake)).state().round
    assert played is not None
    assert isinstance(played.view, CoupView)
    return wire.PastResult(played.view.result, played.number, "", played.id)


@pytest.mark.parametrize("table", OWN)
async def test_the_players_coups_are_told_oldest_first(browser: Browser, table: str) -> None:
    tables = {one.table: one for one in await browser.get("/api/tables", list[wire.LobbyTable])}
    bet = tables[table].limits[0].bets[0]
    await browser.join(table, tables[table].limits[0].currency)
    assert await told(browser, table) == []
    coups = [await coup(browser, table, wire.Stake(0, bet.bet, bet.min_minor)) for _ in range(4)]
    assert await told(browser, table) == coups
    assert await told(browser, table, n=3) == coups[1:]


async def test_another_browser_of_his_is_told_the_same_and_nobody_else(browser: Browser) -> None:
    await browser.join("roulette")
    coups = await spun(browser, 2)
    async with same_player(browser) as other:
        assert await told(other, "roulette") == coups
    async with guest_at(browser.address) as stranger:
        assert await told(stranger, "roulette") == []
    assert await told(browser, "baccarat") == []


async def test_who_is_not_known_is_told_of_live_tables_alone(browser: Browser) -> None:
    async with httpx.AsyncClient(base_url=browser.address) as http:
        assert (await http.get("/api/tables/live_roulette/results")).status_code == 200
        assert (await http.get("/api/tables/roulette/results")).status_code == 401
        assert (await http.get("/api/tables/nowhere/results")).status_code == 404


async def test_a_round_that_has_not_ended_is_not_told(browser: Browser) -> None:
    await browser.join("classic")
    played = await begun(browser, "classic", MAIN)
    before = await told(browser, "classic")
    assert played.id not in {one.round for one in before}
    while not played.view.ended:
        action = played.view.turns[0].options[0].action
        after = (await browser.decide("classic", played, action)).state().round
        assert after is not None
        played = after
    assert [one.round for one in (await told(browser, "classic"))[len(before) :]] == [played.id]


async def test_they_outlive_the_house(mortal: HouseProcess) -> None:
    async with guest_at(mortal.address) as browser:
        await browser.join("roulette")
        coups = await spun(browser, 3)
        mortal.kill()
        mortal.start()
        async with same_player(browser, mortal.address) as again:
            assert await told(again, "roulette") == coups
            await again.join("roulette")
            coups += await spun(again, 1)
            assert await told(again, "roulette") == coups


async def test_they_are_not_told_where_the_profile_forbids_it(tmp_path: Path) -> None:
    (tmp_path / "floor.toml").write_text("[profile]\nresults = false\n")
    house = HouseProcess(tmp_path / "data", words=("--floor", str(tmp_path / "floor.toml"))).start()
    async with guest_at(house.address) as browser:
        await browser.join("roulette")
        await spun(browser, 1)
        assert await told(browser, "roulette") == []
    closed_in_order(house)
