"""Past results of a player's own table: from the ledger, the same on every device, for that player alone."""

from pathlib import Path

import httpx
import pytest

from croupier.play.coup.view import CoupView
from croupier.protocol import wire
from tests.dealing.own.test_coups import OWN
from tests.support.browser_connection import Browser, another_browser, connect_guest, deal_open_round
from tests.support.server_process import ServerProcess
from tests.support.servers import assert_clean_stop

pytestmark = pytest.mark.anyio

RED = wire.Stake(0, "red", 1_000)
MAIN = wire.Stake(0, "main", 1_000)


async def fetch_results(browser: Browser, table: str, **parameters: int) -> list[wire.PastResult]:
    return await browser.get(f"/api/tables/{table}/results", list[wire.PastResult], **parameters)


async def spin(browser: Browser, times: int) -> list[wire.PastResult]:
    """Play coups of roulette; return their results as shown at the table."""
    return [await play_coup(browser, "roulette", RED) for _ in range(times)]


async def play_coup(browser: Browser, table: str, stake: wire.Stake) -> wire.PastResult:
    played = (await browser.deal(table, stake)).state().round
    assert played is not None
    assert isinstance(played.view, CoupView)
    return wire.PastResult(played.view.result, played.number, "", played.id)


@pytest.mark.parametrize("table", OWN)
async def test_results_of_the_players_coups_are_oldest_first(browser: Browser, table: str) -> None:
    tables = {one.table: one for one in await browser.get("/api/tables", list[wire.LobbyTable])}
    bet = tables[table].limits[0].bets[0]
    await browser.join(table, tables[table].limits[0].currency)
    assert await fetch_results(browser, table) == []
    coups = [await play_coup(browser, table, wire.Stake(0, bet.bet, bet.min_minor)) for _ in range(4)]
    assert await fetch_results(browser, table) == coups
    assert await fetch_results(browser, table, n=3) == coups[1:]


async def test_the_players_other_browser_gets_the_same_results(
    browser: Browser,
) -> None:
    await browser.join("roulette")
    coups = await spin(browser, 2)
    async with another_browser(browser) as other:
        assert await fetch_results(other, "roulette") == coups
    async with connect_guest(browser.address) as other:
        assert await fetch_results(other, "roulette") == []
    assert await fetch_results(browser, "baccarat") == []


async def test_without_a_session_only_results_of_live_tables_are_shown(browser: Browser) -> None:
    async with httpx.AsyncClient(base_url=browser.address) as http:
        assert (await http.get("/api/tables/live_roulette/results")).status_code == 200
        assert (await http.get("/api/tables/roulette/results")).status_code == 401
        assert (await http.get("/api/tables/nowhere/results")).status_code == 404


async def test_an_open_round_has_no_result(browser: Browser) -> None:
    await browser.join("classic")
    played = await deal_open_round(browser, "classic", MAIN)
    before = await fetch_results(browser, "classic")
    assert played.id not in {one.round for one in before}
    while not played.view.ended:
        action = played.view.turns[0].options[0].action
        after = (await browser.decide("classic", played, action)).state().round
        assert after is not None
        played = after
    assert [one.round for one in (await fetch_results(browser, "classic"))[len(before) :]] == [played.id]


async def test_results_survive_a_restart(fresh_server: ServerProcess) -> None:
    async with connect_guest(fresh_server.address) as browser:
        await browser.join("roulette")
        coups = await spin(browser, 3)
        fresh_server.kill()
        fresh_server.start()
        async with another_browser(browser, fresh_server.address) as again:
            assert await fetch_results(again, "roulette") == coups
            await again.join("roulette")
            coups += await spin(again, 1)
            assert await fetch_results(again, "roulette") == coups


async def test_no_results_are_shown_if_the_profile_forbids_it(tmp_path: Path) -> None:
    (tmp_path / "croupier.toml").write_text("[profile]\nresults = false\n")
    server = ServerProcess(tmp_path / "data", options=("--config", str(tmp_path / "croupier.toml"))).start()
    async with connect_guest(server.address) as browser:
        await browser.join("roulette")
        await spin(browser, 1)
        assert await fetch_results(browser, "roulette") == []
    assert_clean_stop(server)
