"""A player's limits and breaks: over HTTP, at own tables, and at the cashier."""

import asyncio
from pathlib import Path
from typing import Any
from unittest.mock import patch

import httpx
import msgspec
import pytest

from croupier import clock
from croupier.accounts.responsible_gaming import DAY_MS, FOR_GOOD_MS, SESSION, Barred, Measure
from croupier.app.serve import BOOKS, KEY
from croupier.audit.data_folder import audit
from croupier.play.contract.amounts import PLAY_MONEY
from croupier.protocol import wire
from croupier.runtime.server import Server
from tests.runtime.test_absent_players import (
    CARDS,
    DEAL,
    JOIN,
    STAKE_MINOR,
    TABLE,
    at,
    closing,
    told,
    waiting_round,
)
from tests.support.browser_connection import Browser, guest_at, money, new_req
from tests.support.in_process import Inside, house_of
from tests.support.server_process import HouseProcess

pytestmark = pytest.mark.anyio

EURO = 100
LATER_MS = 1_900_000_000_000


async def set_limit(
    browser: Browser, most: int | None, what: str = "deposit", period: str = "day", currency: str = "EUR"
) -> wire.PlayerLimit:
    order = {"what": what, "period": period, "currency": currency, "most": most}
    page = await browser.post("/api/care/limit", wire.ResponsibleGaming, order)
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


# --- his limits


async def test_a_new_player_has_no_limit_and_all_may_be_set(pages: HouseProcess) -> None:
    async with guest_at(pages.address) as browser:
        page = await browser.get("/api/care", wire.ResponsibleGaming)
    assert {one.most for one in page.limits} == {None}
    assert len(page.limits) == 1 + 3 * 3 * len(PLAY_MONEY)
    assert (page.barred, page.spans) == (None, ())
    assert page.exclusion_days[-1] == 0


async def test_a_stricter_limit_counts_at_once_and_a_looser_one_tomorrow(pages: HouseProcess) -> None:
    async with guest_at(pages.address) as browser:
        assert (await set_limit(browser, 50 * EURO)).most == 50 * EURO
        assert (await set_limit(browser, 20 * EURO)).most == 20 * EURO
        raised = await set_limit(browser, 80 * EURO)
        assert (raised.most, raised.then) == (20 * EURO, 80 * EURO)
        assert DAY_MS - 60_000 < raised.from_ms - clock.now_ms() <= DAY_MS
        ended = await set_limit(browser, None)
        assert (ended.most, ended.then, ended.from_ms > 0) == (20 * EURO, None, True)
        kept = await set_limit(browser, 20 * EURO)
        assert (kept.most, kept.from_ms) == (20 * EURO, 0)


async def test_no_deposit_passes_the_limit_however_many_come_at_once(pages: HouseProcess) -> None:
    async with guest_at(pages.address) as browser:
        await set_limit(browser, 50 * EURO)
        before = (await money(browser))[2].balance_minor
        orders = [deposit(20 * EURO) for _ in range(6)]
        answers = await asyncio.gather(*(_order(browser, one) for one in orders))
        assert sorted(answer.status_code for answer in answers) == [200, 200, *[409] * 4]
        assert (await money(browser))[2].balance_minor == before + 40 * EURO
        status, why = await refusal(browser, "/api/cashier/deposit", deposit(11 * EURO))
        assert (status, why.code) == (409, "over_own_limit")
        assert why.args == {
            "what": "deposit",
            "period": "day",
            "most_minor": 50 * EURO,
            "left_minor": 10 * EURO,
        }
        done = [one for one, answer in zip(orders, answers, strict=True) if answer.status_code == 200]
        assert (await _order(browser, done[0])).status_code == 200, "sent again it is answered as before"
        page = await browser.get("/api/care", wire.ResponsibleGaming)
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
    pages: HouseProcess, order: dict[str, Any], status: int, code: str
) -> None:
    async with guest_at(pages.address) as browser:
        found, why = await refusal(browser, "/api/care/limit", order)
        assert (found, why.code) == (status, code)
        assert {one.most for one in (await browser.get("/api/care", wire.ResponsibleGaming)).limits} == {None}


async def test_a_round_over_the_limit_is_not_dealt(browser: Browser) -> None:
    await set_limit(browser, 1_500, "wager", "month", "GC")
    await browser.join("classic")
    before = await money(browser)
    answer = await browser.deal("classic", wire.Stake(0, "main", 2_000))
    assert answer.code == "over_own_limit"
    assert await money(browser) == before
    assert (await browser.deal("classic", wire.Stake(0, "main", 1_000))).code == ""
    page = await browser.get("/api/care", wire.ResponsibleGaming)
    assert [one.used for one in page.limits if one.most] >= [1_000]


# --- who takes a break


@pytest.mark.parametrize(("why", "days"), [("time_out", 2), ("time_out", 0), ("exclusion", 1)])
async def test_a_break_that_is_not_offered_is_refused(pages: HouseProcess, why: str, days: int) -> None:
    async with guest_at(pages.address) as browser:
        status, problem = await refusal(browser, "/api/care/bar", {"why": why, "days": days})
        assert (status, problem.code) == (404, "no_such_break")
        assert (await browser.get("/api/care", wire.ResponsibleGaming)).barred is None


async def test_a_barred_player_may_withdraw_but_not_play_or_deposit(browser: Browser) -> None:
    await browser.join("classic")
    page = await browser.post("/api/care/bar", wire.ResponsibleGaming, {"why": "exclusion", "days": 0})
    assert page.barred == wire.ActiveBreak("exclusion", FOR_GOOD_MS)
    shorter = await browser.post("/api/care/bar", wire.ResponsibleGaming, {"why": "time_out", "days": 1})
    assert shorter.barred == page.barred
    _, why = await refusal(browser, "/api/cashier/deposit", deposit(EURO))
    assert why.code == "barred"
    await browser.post("/api/cashier/withdraw", wire.Balance, deposit(EURO))
    assert await browser.get("/api/statement", list[wire.StatementEntry])
    await browser.hang_up()
    await browser.dial()
    await browser.hello()
    assert (await browser.join("classic")).code == "barred"
    assert (await browser.join("infinite", "EUR")).code == "barred"


async def test_a_self_exclusion_plays_out_the_open_round_and_ends_the_session(tmp_path: Path) -> None:
    async with waiting_round(tmp_path) as (found, player, played):
        name = next(one for one in told(player) if isinstance(one, wire.Welcome)).player
        with closing() as codes:
            await found.restrictions.bar(name, "exclusion", FOR_GOOD_MS)
        assert codes == [1000]
        record = found.ledger.round(played.id)
        assert record is not None
        assert record.status == "settled"
        assert found.ledger.balances(name)["GC"].get("in_play", 0) == 0
        again = player.same_player(found)
        await again.say(wire.Hello(wire.PROTOCOL), wire.Ping())
        await again.say(JOIN)
        assert again.answer == wire.No("join", "barred", {"why": "exclusion", "until_ms": FOR_GOOD_MS})


async def test_a_killed_server_plays_out_the_round_at_its_restart(tmp_path: Path) -> None:
    async with waiting_round(tmp_path) as (found, player, played):
        name = next(one for one in told(player) if isinstance(one, wire.Welcome)).player
        note = found.limits.note(name, Barred("exclusion", FOR_GOOD_MS), clock.now_ms())
        await found.gateway.post([note])
        player.gone()
        await player.finished()
    with house_of(tmp_path, CARDS) as again, at(LATER_MS):
        await again.start()
        record = again.ledger.round(played.id)
        assert record is not None
        assert record.status == "settled"
        assert again.ledger.balances(name)["GC"].get("in_play", 0) == 0


async def test_a_time_out_keeps_the_round_open(tmp_path: Path) -> None:
    async with waiting_round(tmp_path) as (found, player, played):
        name = next(one for one in told(player) if isinstance(one, wire.Welcome)).player
        with closing():
            await found.restrictions.bar(name, "time_out", clock.now_ms() + 1_000)
        record = found.ledger.round(played.id)
        assert record is not None
        assert record.status == "open"
        again = player.same_player(found)
        with patch.object(clock, "now_ms", lambda: LATER_MS):
            await again.say(wire.Hello(wire.PROTOCOL, (wire.ResumedTable(TABLE),)), wire.Ping())
            await again.say(wire.Decide("stand", TABLE, played.id, played.turn, 0, 0, "stand"))
        assert again.answer == wire.Ok("stand")


async def test_a_session_limit_ends_the_session_with_a_break(tmp_path: Path) -> None:
    async with waiting_round(tmp_path) as (found, player, _):
        welcome = next(one for one in told(player) if isinstance(one, wire.Welcome))
        await found.restrictions.set_limit(welcome.player, SESSION, 60)
        began = welcome.session_started_ms
        for minutes, out in ((59, []), (60, [1000])):
            now_ms = began + minutes * 60_000
            with closing() as codes, patch.object(clock, "now_ms", lambda now_ms=now_ms: now_ms):
                player_acts(found, now_ms)
                await found.sweep()
            assert codes == out
        assert told(player)[-1] == wire.No("", "barred", {"why": "session", "until_ms": began + 90 * 60_000})


def player_acts(found: Server, now_ms: int) -> None:
    """Keep the player from being idle."""
    for player in found.players:
        player.acted_ms = now_ms


# --- after a restart


async def test_a_restarted_server_enforces_the_session_limit(tmp_path: Path) -> None:
    with house_of(tmp_path, CARDS) as found:
        player = await Inside.enter(found)
        name = next(one for one in told(player) if isinstance(one, wire.Welcome)).player
        await found.restrictions.set_limit(name, Measure("loss", "day", "GC"), STAKE_MINOR - 1)
        await found.restrictions.set_limit(name, Measure("loss", "day", "GC"), 5 * STAKE_MINOR)
        player.gone()
        await player.finished()
    with house_of(tmp_path, CARDS) as found:
        await found.start()
        again = player.same_player(found)
        await again.say(wire.Hello(wire.PROTOCOL), wire.Ping())
        await again.say(JOIN)
        await again.say(DEAL)
        assert isinstance(again.answer, wire.No)
        assert again.answer.code == "over_own_limit"
        with patch.object(clock, "now_ms", lambda: 1_800_000_000_000 + 2 * DAY_MS):
            await again.say(msgspec.structs.replace(DEAL, req="later"))
        assert found.ledger.balances(name)["GC"]["in_play"] == STAKE_MINOR
        again.gone()
        await again.finished()
    assert audit(tmp_path / BOOKS, tmp_path / KEY, lambda *_: None).bad is None
