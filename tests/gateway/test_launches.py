"""An operator's own players over the network: signed requests, links that are used once, and their limits."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import msgspec
import pytest

from croupier.protocol import wire
from croupier.protocol.signatures import WINDOW_S, Secret
from tests.support.accounts import closed_soon, code_of, sent
from tests.support.browser_connection import Browser, connect_guest, deal_open_round, fetch_balances
from tests.support.operator import link_of, new_launch, operated_server, request_launch
from tests.support.server_process import ServerProcess

pytestmark = pytest.mark.anyio

STAKE = wire.Stake(0, "main", 1000)


@pytest.fixture(scope="module")
def operated(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    with operated_server(tmp_path_factory.mktemp("operator")) as server:
        yield server


async def arrive(browser: Browser, launch: wire.Launch) -> httpx.Response:
    return await sent(browser, "/api/launch", wire.LaunchToken(link_of(browser.address, launch).token))


async def test_a_launched_player_plays_and_comes_back_to_the_same_round(operated: ServerProcess) -> None:
    launch = new_launch(table="classic")
    async with Browser(operated.address) as first, Browser(operated.address) as second:
        link = link_of(operated.address, launch)
        assert link.path == f"/launch?table=classic#{link.token}"
        answer = await sent(first, "/api/launch", wire.LaunchToken(link.token))
        me = answer.json()
        assert (answer.status_code, me["account"]) == (200, launch.player)
        assert (me["kind"], me["has_password"]) == ("operator", False)
        await first.connect()
        welcome, _ = await first.hello()
        assert welcome.settings.currency == "GC"
        await first.join("classic")
        played = await deal_open_round(first, "classic", STAKE)
        assert (await arrive(second, new_launch(launch.player))).json()["player"] == welcome.player
        await second.connect()
        assert (await second.hello())[0].open_tables == ("classic",)
        lines = (await second.get("/api/history", wire.History)).lines
        assert lines[0].round == played.id


async def test_a_link_is_used_once_also_after_a_restart(tmp_path: Path) -> None:
    with operated_server(tmp_path) as server:
        await _use_a_link_twice(server)


async def _use_a_link_twice(server: ServerProcess) -> None:
    token = wire.LaunchToken(link_of(server.address, new_launch()).token)
    async with Browser(server.address) as first, Browser(server.address) as thief:
        assert (await sent(first, "/api/launch", token)).status_code == 200
        assert code_of(await sent(thief, "/api/launch", token)) == "launch_used"
        server.kill()
        server.start()
        thief.address = first.address = server.address
        assert code_of(await sent(thief, "/api/launch", token)) == "launch_used"
        assert not thief.http.cookies
        assert (await first.http.get(f"{first.address}/api/me")).status_code == 200


async def test_a_launch_replaces_the_guest_of_the_browser(operated: ServerProcess) -> None:
    async with connect_guest(operated.address) as browser:
        guest = await browser.get("/api/me", wire.Me)
        assert (await arrive(browser, new_launch())).json()["player"] != guest.player
        assert await closed_soon(browser) == [wire.No("", "signed_out", {"why": "signed_in"})]


async def test_the_operators_limits_hold_and_are_loosened_only_after_cooling_off(
    operated: ServerProcess,
) -> None:
    player = new_launch().player
    for amount, expected in ((500, 500), (5_000, 500), (100, 100)):
        async with Browser(operated.address) as browser:
            limit = wire.LaunchLimit("wager", "day", amount)
            assert (await arrive(browser, new_launch(player, limits=(limit,)))).status_code == 200
            page = await browser.get("/api/responsible-gaming", wire.ResponsibleGaming)
            (held,) = (
                one for one in page.limits if (one.what, one.period, one.currency) == ("wager", "day", "GC")
            )
            assert held.most == expected
            await browser.connect()
            await browser.hello()
            await browser.join("classic")
            assert (await browser.deal("classic", STAKE)).code == "over_own_limit"


async def test_an_excluded_player_may_not_play_as_a_launched_one(operated: ServerProcess) -> None:
    """They arrive, as their money here is theirs to withdraw; the operator is told of the exclusion."""
    launch = new_launch()
    async with Browser(operated.address) as browser, Browser(operated.address) as later:
        prepared = link_of(operated.address, new_launch(launch.player))
        assert prepared.barred is None
        await arrive(browser, launch)
        page = await browser.post(
            "/api/responsible-gaming/break", wire.ResponsibleGaming, wire.BreakRequest("exclusion", 180)
        )
        assert page.barred is not None
        assert link_of(operated.address, new_launch(launch.player)).barred == page.barred
        me = await later.post("/api/launch", wire.Me, wire.LaunchToken(prepared.token))
        assert me.barred == page.barred
        await later.connect()
        await later.hello()
        assert (await later.join("classic", launch.currency)).code == "barred"


@pytest.mark.parametrize(
    ("changed", "code"),
    [
        ({"currency": "ZWL"}, "no_such_currency"),
        ({"table": "nowhere"}, "no_such_table"),
        ({"jurisdiction": "US"}, "wrong_jurisdiction"),
        ({"jurisdiction": ""}, "wrong_jurisdiction"),
    ],
)
async def test_a_launch_that_cannot_be_carried_out_is_refused(
    operated: ServerProcess, changed: dict[str, Any], code: str
) -> None:
    assert code_of(request_launch(operated.address, new_launch(**changed))) == code


async def test_only_the_operator_may_send_players(operated: ServerProcess) -> None:
    launch = new_launch()
    for answer in (
        request_launch(operated.address, launch, Secret(b"another secret of some length")),
        request_launch(operated.address, launch, late_s=WINDOW_S + 60),
        request_launch(operated.address, launch, late_s=-WINDOW_S - 60),
        request_launch(operated.address, launch, body=msgspec.json.encode(new_launch("another"))),
    ):
        assert (answer.status_code, code_of(answer)) == (401, "wrong_signature")


@pytest.mark.parametrize(
    "changed",
    [{"player": ""}, {"player": "a b"}, {"limits": [{"what": "loss"}]}, {"unknown": 1}, {"language": "?"}],
)
async def test_a_malformed_launch_is_a_problem(operated: ServerProcess, changed: dict[str, object]) -> None:
    answer = request_launch(operated.address, {**msgspec.to_builtins(new_launch()), **changed})
    assert answer.status_code == 400


async def test_without_an_operator_no_player_is_launched(http_server: ServerProcess) -> None:
    async with Browser(http_server.address) as browser:
        assert code_of(request_launch(http_server.address, new_launch())) == "no_operator"
        assert code_of(await sent(browser, "/api/launch", wire.LaunchToken("x"))) == "no_operator"


async def test_a_launched_player_keeps_their_money_from_launch_to_launch(operated: ServerProcess) -> None:
    player, balances = new_launch().player, []
    for _ in range(2):
        async with Browser(operated.address) as browser:
            await arrive(browser, new_launch(player))
            await browser.connect()
            balances.append(await fetch_balances(browser))
    assert balances[0] == balances[1]
