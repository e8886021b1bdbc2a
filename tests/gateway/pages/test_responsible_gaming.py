"""A player's limits and breaks: over HTTP, at own tables, and at the cashier."""

import asyncio
from pathlib import Path
from typing import Any
from unittest.mock import patch

import httpx
import msgspec
import pytest

from croupier import clock
from croupier.accounts.responsible_gaming import DAY_MS, PERMANENT_MS, SESSION, Barred, Measure
from croupier.app.serve import DATABASE, SHOES_KEY
from croupier.audit.data_folder import audit
from croupier.gateway.server import Server
from croupier.play.contract.amounts import PLAY_MONEY
from croupier.protocol import wire
from tests.dealing.waiting_round import (
    CARDS,
    DEAL,
    JOIN,
    STAKE_MINOR,
    TABLE,
    clock_at,
    received,
    record_close_codes,
    waiting_round,
)
from tests.support.browser_connection import Browser, connect_guest, fetch_balances, new_req
from tests.support.in_process import InProcessClient, server_dealing
from tests.support.server_process import ServerProcess

pytestmark = pytest.mark.anyio

EURO = 100
LATER_MS = 1_900_000_000_000


async def set_limit(
    browser: Browser, maximum: int | None, what: str = "deposit", period: str = "day", currency: str = "EUR"
) -> wire.PlayerLimit:
    order = {"what": what, "period": period, "currency": currency, "most": maximum}
    page = await browser.post("/api/responsible-gaming/limit", wire.ResponsibleGaming, order)
    return next(
        one for one in page.limits if (one.what, one.period, one.currency) == (what, period, currency)
    )


async def refusal(browser: Browser, path: str, order: object) -> tuple[int, wire.Problem]:
    answer = await browser.http.post(browser.address + path, content=msgspec.json.encode(order))
    if answer.status_code == 400:
        return 400, wire.Problem("", {})
    return answer.status_code, msgspec.json.decode(answer.content, type=wire.Problem)


def deposit(minor: int) -> wire.CashierRequest:
    return wire.CashierRequest(new_req(), "EUR", minor)


# --- limits


async def test_a_new_player_has_no_limit_and_all_may_be_set(http_server: ServerProcess) -> None:
    async with connect_guest(http_server.address) as browser:
        page = await browser.get("/api/responsible-gaming", wire.ResponsibleGaming)
    assert {one.most for one in page.limits} == {None}
    assert len(page.limits) == 1 + 3 * 3 * len(PLAY_MONEY)
    assert (page.barred, page.spans) == (None, ())
    assert page.exclusion_days[-1] == 0


async def test_a_stricter_limit_counts_at_once_and_a_looser_one_tomorrow(http_server: ServerProcess) -> None:
    async with connect_guest(http_server.address) as browser:
        assert (await set_limit(browser, 50 * EURO)).most == 50 * EURO
        assert (await set_limit(browser, 20 * EURO)).most == 20 * EURO
        raised = await set_limit(browser, 80 * EURO)
        assert (raised.most, raised.then) == (20 * EURO, 80 * EURO)
        assert DAY_MS - 60_000 < raised.from_ms - clock.now_ms() <= DAY_MS
        ended = await set_limit(browser, None)
        assert (ended.most, ended.then, ended.from_ms > 0) == (20 * EURO, None, True)
        kept = await set_limit(browser, 20 * EURO)
        assert (kept.most, kept.from_ms) == (20 * EURO, 0)


async def test_no_deposit_passes_the_limit_however_many_come_at_once(http_server: ServerProcess) -> None:
    async with connect_guest(http_server.address) as browser:
        await set_limit(browser, 50 * EURO)
        before = (await fetch_balances(browser))[2].balance_minor
        orders = [deposit(20 * EURO) for _ in range(6)]
        answers = await asyncio.gather(*(_order(browser, one) for one in orders))
        assert sorted(answer.status_code for answer in answers) == [200, 200, *[409] * 4]
        assert (await fetch_balances(browser))[2].balance_minor == before + 40 * EURO
        status, why = await refusal(browser, "/api/cashier/deposit", deposit(11 * EURO))
        assert (status, why.code) == (409, "over_own_limit")
        assert why.args == {
            "what": "deposit",
            "period": "day",
            "most_minor": 50 * EURO,
            "left_minor": 10 * EURO,
        }
        done = [one for one, answer in zip(orders, answers, strict=True) if answer.status_code == 200]
        assert (await _order(browser, done[0])).status_code == 200, "the same answer again"
        page = await browser.get("/api/responsible-gaming", wire.ResponsibleGaming)
        assert {(one.period, one.deposited_minor) for one in page.spans} == {
            (period, 40 * EURO) for period in ("day", "week", "month")
        }


async def _order(browser: Browser, order: wire.CashierRequest) -> httpx.Response:
    return await browser.http.post(
        browser.address + "/api/cashier/deposit", content=msgspec.json.encode(order)
    )


@pytest.mark.parametrize(
    ("order", "status", "code"),
    [
        ({"what": "deposit", "period": "visit", "currency": "EUR", "most": 1}, 404, "no_such_limit"),
        ({"what": "session", "period": "day", "currency": "", "most": 1}, 404, "no_such_limit"),
        ({"what": "deposit", "period": "day", "currency": "ZZZ", "most": 1}, 404, "no_such_currency"),
        ({"what": "deposit", "period": "day", "currency": "EUR", "most": 0}, 400, ""),
        ({"what": "deposit", "period": "day", "currency": "EUR", "most": "5"}, 400, ""),
        ({"what": "deposit", "period": "day", "currency": "EUR"}, 400, ""),
        ({"what": "luck", "period": "day", "currency": "EUR", "most": 1}, 400, ""),
    ],
)
async def test_an_unknown_limit_is_refused(
    http_server: ServerProcess, order: dict[str, Any], status: int, code: str
) -> None:
    async with connect_guest(http_server.address) as browser:
        found, why = await refusal(browser, "/api/responsible-gaming/limit", order)
        assert (found, why.code) == (status, code)
        assert {
            one.most for one in (await browser.get("/api/responsible-gaming", wire.ResponsibleGaming)).limits
        } == {None}


async def test_a_round_over_the_limit_is_not_dealt(browser: Browser) -> None:
    await set_limit(browser, 1_500, "wager", "month", "GC")
    await browser.join("classic")
    before = await fetch_balances(browser)
    answer = await browser.deal("classic", wire.Stake(0, "main", 2_000))
    assert answer.code == "over_own_limit"
    assert await fetch_balances(browser) == before
    assert (await browser.deal("classic", wire.Stake(0, "main", 1_000))).code == ""
    page = await browser.get("/api/responsible-gaming", wire.ResponsibleGaming)
    assert [one.used for one in page.limits if one.most] >= [1_000]


# --- time-outs and exclusions


@pytest.mark.parametrize(("why", "days"), [("time_out", 2), ("time_out", 0), ("exclusion", 1)])
async def test_a_break_of_another_length_is_refused(http_server: ServerProcess, why: str, days: int) -> None:
    async with connect_guest(http_server.address) as browser:
        status, problem = await refusal(browser, "/api/responsible-gaming/break", {"why": why, "days": days})
        assert (status, problem.code) == (404, "no_such_break")
        assert (await browser.get("/api/responsible-gaming", wire.ResponsibleGaming)).barred is None


async def test_a_barred_player_may_withdraw_but_not_play_or_deposit(browser: Browser) -> None:
    await browser.join("classic")
    page = await browser.post(
        "/api/responsible-gaming/break", wire.ResponsibleGaming, {"why": "exclusion", "days": 0}
    )
    assert page.barred == wire.ActiveBreak("exclusion", PERMANENT_MS)
    shorter = await browser.post(
        "/api/responsible-gaming/break", wire.ResponsibleGaming, {"why": "time_out", "days": 1}
    )
    assert shorter.barred == page.barred
    _, why = await refusal(browser, "/api/cashier/deposit", deposit(EURO))
    assert why.code == "barred"
    await browser.post("/api/cashier/withdraw", wire.Balance, deposit(EURO))
    assert await browser.get("/api/statement", list[wire.StatementEntry])
    await browser.disconnect()
    await browser.connect()
    await browser.hello()
    assert (await browser.join("classic")).code == "barred"
    assert (await browser.join("infinite", "EUR")).code == "barred"


async def test_a_self_exclusion_plays_out_the_open_round_and_ends_the_session(tmp_path: Path) -> None:
    async with waiting_round(tmp_path) as (found, player, played):
        name = next(one for one in received(player) if isinstance(one, wire.Welcome)).player
        with record_close_codes() as codes:
            await found.restrictions.bar(name, "exclusion", PERMANENT_MS)
        assert codes == [1000]
        record = found.ledger.round(played.id)
        assert record is not None
        assert record.status == "settled"
        assert found.ledger.balances(name)["GC"].get("in_play", 0) == 0
        again = player.another_client(found)
        await again.request(wire.Hello(wire.PROTOCOL), wire.Ping())
        await again.request(JOIN)
        assert again.answer == wire.No("join", "barred", {"why": "exclusion", "until_ms": PERMANENT_MS})


async def test_a_killed_server_plays_out_the_round_at_its_restart(tmp_path: Path) -> None:
    async with waiting_round(tmp_path) as (found, player, played):
        name = next(one for one in received(player) if isinstance(one, wire.Welcome)).player
        note = found.limits.note(name, Barred("exclusion", PERMANENT_MS), clock.now_ms())
        await found.gateway.post([note])
        player.disconnect()
        await player.wait_until_finished()
    with server_dealing(tmp_path, CARDS) as again, clock_at(LATER_MS):
        await again.start()
        record = again.ledger.round(played.id)
        assert record is not None
        assert record.status == "settled"
        assert again.ledger.balances(name)["GC"].get("in_play", 0) == 0


async def test_a_time_out_keeps_the_round_open(tmp_path: Path) -> None:
    async with waiting_round(tmp_path) as (found, player, played):
        name = next(one for one in received(player) if isinstance(one, wire.Welcome)).player
        with record_close_codes():
            await found.restrictions.bar(name, "time_out", clock.now_ms() + 1_000)
        record = found.ledger.round(played.id)
        assert record is not None
        assert record.status == "open"
        again = player.another_client(found)
        with patch.object(clock, "now_ms", lambda: LATER_MS):
            await again.request(wire.Hello(wire.PROTOCOL, (wire.ResumedTable(TABLE),)), wire.Ping())
            await again.request(wire.Decide("stand", TABLE, played.id, played.turn, 0, 0, "stand"))
        assert again.answer == wire.Ok("stand")


async def test_a_session_limit_ends_the_session_with_a_break(tmp_path: Path) -> None:
    async with waiting_round(tmp_path) as (found, player, _):
        welcome = next(one for one in received(player) if isinstance(one, wire.Welcome))
        await found.restrictions.set_limit(welcome.player, SESSION, 60)
        known = found.players.get(welcome.player)
        assert known is not None
        began = known.limits.play.began_ms(clock.now_ms())
        for minutes, out in ((59, []), (60, [1000])):
            now_ms = began + minutes * 60_000
            with record_close_codes() as codes, patch.object(clock, "now_ms", lambda now_ms=now_ms: now_ms):
                player_acts(found, now_ms)
                await found.sweep()
            assert codes == out
        assert received(player)[-1] == wire.No(
            "", "barred", {"why": "session", "until_ms": began + 90 * 60_000}
        )


def player_acts(found: Server, now_ms: int) -> None:
    """Count as active, so that the session doesn't end."""
    for player in found.players:
        player.last_active_ms = now_ms


# --- after a restart


async def test_a_restarted_server_enforces_the_session_limit(tmp_path: Path) -> None:
    with server_dealing(tmp_path, CARDS) as found:
        player = await InProcessClient.connect(found)
        name = next(one for one in received(player) if isinstance(one, wire.Welcome)).player
        await found.restrictions.set_limit(name, Measure("loss", "day", "GC"), STAKE_MINOR - 1)
        await found.restrictions.set_limit(name, Measure("loss", "day", "GC"), 5 * STAKE_MINOR)
        player.disconnect()
        await player.wait_until_finished()
    with server_dealing(tmp_path, CARDS) as found:
        await found.start()
        again = player.another_client(found)
        await again.request(wire.Hello(wire.PROTOCOL), wire.Ping())
        await again.request(JOIN)
        await again.request(DEAL)
        assert isinstance(again.answer, wire.No)
        assert again.answer.code == "over_own_limit"
        with patch.object(clock, "now_ms", lambda: 1_800_000_000_000 + 2 * DAY_MS):
            await again.request(msgspec.structs.replace(DEAL, req="later"))
        assert found.ledger.balances(name)["GC"]["in_play"] == STAKE_MINOR
        again.disconnect()
        await again.wait_until_finished()
    assert audit(tmp_path / DATABASE, tmp_path / SHOES_KEY, lambda *_: None).bad is None
