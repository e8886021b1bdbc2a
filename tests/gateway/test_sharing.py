"""Replays that players share: what a stranger sees, and which links work."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from croupier.app.serve import DATABASE
from croupier.protocol import wire
from tests.support.browser_connection import Browser, connect_guest, deal_open_round
from tests.support.server_process import ServerProcess
from tests.support.servers import assert_clean_stop

pytestmark = pytest.mark.anyio
STAKE = wire.Stake(0, "main", 1_000)
NOT_FOUND = {"code": "no_such_replay", "args": {}}


async def played_round(browser: Browser) -> str:
    """Play a round with a decision to its end."""
    await browser.join("classic")
    played = await deal_open_round(browser, "classic", STAKE)
    round_id = played.id
    while not played.view.ended:
        action = "stand" if any(o.action == "stand" for o in played.view.turns[0].options) else None
        answer = await browser.decide("classic", played, action or played.view.turns[0].options[-1].action)
        state = answer.state().round
        assert state is not None
        played = state
    return round_id


async def shared(browser: Browser, round_id: str) -> wire.RoundLink:
    return await browser.post(f"/api/rounds/{round_id}/share", wire.RoundLink)


async def seen(address: str, token: str) -> httpx.Response:
    """Return what a browser without any session gets."""
    async with httpx.AsyncClient(base_url=address) as stranger:
        return await stranger.get(f"/api/replays/{token}")


def amounts(value: Any) -> list[Any]:
    """Return all amounts in decoded JSON."""
    if isinstance(value, dict):
        own = [each for name, each in value.items() if name.endswith("_minor")]
        return own + [each for part in value.values() for each in amounts(part)]
    return [each for part in value for each in amounts(part)] if isinstance(value, list) else []


async def test_a_stranger_sees_the_round_without_amounts_and_names(http_server: ServerProcess) -> None:
    async with connect_guest(http_server.address) as browser:
        me = await browser.get("/api/me", wire.Me)
        round_id = await played_round(browser)
        link = await shared(browser, round_id)
        own = (await browser.http.get(f"{browser.address}/api/rounds/{round_id}")).json()
        answer = await seen(browser.address, link.token)
    assert answer.status_code == httpx.codes.OK
    assert answer.headers["x-robots-tag"] == "noindex"
    assert answer.headers["cache-control"] == "public, max-age=60"
    assert "set-cookie" not in answer.headers
    replay = answer.json()
    assert (replay["table"], replay["number"]) == ("classic", own["line"]["number"][: len("#21:10:10")])
    assert [step["did"] for step in replay["steps"]] == [step["did"] for step in own["steps"]]
    assert set(amounts(own)) > {0, None}
    assert set(amounts(replay)) <= {0, None}
    for secret in (me.player, me.name, round_id, "balance"):
        assert secret not in answer.text
    last, own_last = replay["steps"][-1]["view"], own["steps"][-1]["view"]
    assert last["dealer"] == own_last["dealer"]
    assert [hand["cards"] for hand in last["boxes"][0]["hands"]] == [
        hand["cards"] for hand in own_last["boxes"][0]["hands"]
    ]
    assert last["boxes"][0]["hands"][0]["outcome"] == own_last["boxes"][0]["hands"][0]["outcome"]


async def test_the_bets_of_a_coup_are_shown_without_stakes(http_server: ServerProcess) -> None:
    async with connect_guest(http_server.address) as browser:
        await browser.join("roulette", "EUR")
        played = (await browser.deal("roulette", wire.Stake(0, "red", 250))).state().round
        assert played is not None
        view = (await seen(browser.address, (await shared(browser, played.id)).token)).json()["steps"][-1][
            "view"
        ]
    assert [bet["bet"] for bet in view["bets"]] == ["red"]
    assert view["pocket"] == played.view.pocket
    assert set(amounts(view)) == {0}


async def test_only_the_last_link_of_a_round_works_until_its_end(http_server: ServerProcess) -> None:
    async with connect_guest(http_server.address) as browser:
        round_id = await played_round(browser)
        first, last = await shared(browser, round_id), await shared(browser, round_id)
        assert (await seen(browser.address, first.token)).json() == NOT_FOUND
        assert (await seen(browser.address, last.token)).is_success
        own = await browser.get(f"/api/rounds/{round_id}", wire.HistoryRound)
        assert own.shared_ms == last.shared_ms > 0
        for _ in range(2):
            ended = await browser.http.post(f"{browser.address}/api/rounds/{round_id}/unshare")
            assert ended.status_code == httpx.codes.NO_CONTENT
        answer = await seen(browser.address, last.token)
        assert (answer.status_code, answer.json()) == (httpx.codes.NOT_FOUND, NOT_FOUND)
        assert (await browser.get(f"/api/rounds/{round_id}", wire.HistoryRound)).shared_ms == 0
        again = await shared(browser, round_id)
        assert (await seen(browser.address, again.token)).is_success


@pytest.mark.parametrize("token", ["x", "x" * 32, "_" * 33, "é" * 32])
async def test_any_other_token_is_answered_alike(http_server: ServerProcess, token: str) -> None:
    answer = await seen(http_server.address, token)
    assert (answer.status_code, answer.json()) == (httpx.codes.NOT_FOUND, NOT_FOUND)
    assert answer.headers["cache-control"] == "no-store"


async def test_only_own_and_ended_rounds_can_be_shared(http_server: ServerProcess) -> None:
    async with connect_guest(http_server.address) as browser, connect_guest(http_server.address) as other:
        round_id = await played_round(browser)
        for path in ("share", "unshare"):
            answer = await other.http.post(f"{other.address}/api/rounds/{round_id}/{path}")
            assert (answer.status_code, answer.json()["code"]) == (httpx.codes.NOT_FOUND, "no_such_round")
        waiting = await deal_open_round(browser, "classic", STAKE)
        answer = await browser.http.post(f"{browser.address}/api/rounds/{waiting.id}/share")
        assert (answer.status_code, answer.json()["code"]) == (httpx.codes.CONFLICT, "not_shareable")


async def test_the_page_of_a_link_makes_no_guest_and_isnt_listed(http_server: ServerProcess) -> None:
    async with httpx.AsyncClient(base_url=http_server.address) as stranger:
        page, lobby = await stranger.get("/replay/abc"), await stranger.get("/")
    assert page.headers["x-robots-tag"] == "noindex"
    assert "set-cookie" not in page.headers
    assert "x-robots-tag" not in lobby.headers
    assert page.content == lobby.content


@pytest.fixture
def limited(tmp_path: Path) -> Iterator[ServerProcess]:
    """A server with low rate limits."""
    limits = "[rate_limits]\nhistory_per_minute = 3\nplayers_per_address = 5\n"
    (tmp_path / "croupier.toml").write_text(limits)
    server = ServerProcess(tmp_path / "data", options=("--config", str(tmp_path / "croupier.toml"))).start()
    yield server
    assert_clean_stop(server)


async def test_replays_are_limited_per_address(limited: ServerProcess) -> None:
    codes = [(await seen(limited.address, "x" * 32)).status_code for _ in range(20)]
    assert codes[0] == httpx.codes.NOT_FOUND
    assert codes[-1] == httpx.codes.TOO_MANY_REQUESTS


async def test_a_token_is_in_neither_the_database_nor_the_log(fresh_server: ServerProcess) -> None:
    async with connect_guest(fresh_server.address) as browser:
        link = await shared(browser, await played_round(browser))
        assert (await seen(browser.address, link.token)).is_success
    written = b"".join(path.read_bytes() for path in fresh_server.data.glob(f"{DATABASE}*") if path.is_file())
    assert link.token.encode() not in written
    assert json.dumps("sha256").encode() in written
    assert link.token not in fresh_server.log.read_text()
