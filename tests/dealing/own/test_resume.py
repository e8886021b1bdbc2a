"""A returning player gets the missed events, the same hand and the same settings, in any browser."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack, suppress
from functools import partial
from pathlib import Path

import pytest
from websockets.exceptions import ConnectionClosed

from croupier.protocol import wire
from tests.support.browser_connection import (
    Browser,
    another_browser,
    connect_guest,
    deal_open_round,
    fetch_balances,
)
from tests.support.server_process import ServerProcess
from tests.support.servers import assert_clean_stop

pytestmark = pytest.mark.anyio

STAKE = wire.Stake(0, "main", 1000)
SETTLE_TIMEOUT_S = 30
BLACKJACK = ("classic", "premium", "multihand", "double_exposure")


async def _rounds(browser: Browser, number: int) -> list[wire.TableUpdate]:
    """Play rounds at double exposure, which always has a decision; return all updates."""
    events: list[wire.TableUpdate] = []
    for _ in range(number):
        answer = await browser.deal("double_exposure", STAKE)
        events += [one for one in answer.messages if isinstance(one, wire.TableUpdate)]
        while (played := events[-1].state.round) and not played.view.ended:
            answer = await browser.decide("double_exposure", played, "stand")
            events += [one for one in answer.messages if isinstance(one, wire.TableUpdate)]
    return events


async def test_events_are_numbered_without_gaps(browser: Browser) -> None:
    snapshot = (await browser.join("double_exposure")).messages[0]
    assert isinstance(snapshot, wire.TableSnapshot)
    versions = [event.v for event in await _rounds(browser, 5)]
    assert versions == list(range(snapshot.v + 1, snapshot.v + 1 + len(versions)))


async def test_missed_events_are_sent_again_exactly(browser: Browser) -> None:
    await browser.join("double_exposure")
    events = await _rounds(browser, 6)
    for seen in range(len(events)):
        following = wire.ResumedTable("double_exposure", events[seen].v)
        _, messages = await browser.hello([following])
        assert messages == events[seen + 1 :]


@pytest.mark.parametrize("seen", [0, 1, 2**52])
async def test_an_unknown_version_gets_a_snapshot(browser: Browser, seen: int) -> None:
    await browser.join("double_exposure")
    events = await _rounds(browser, 2)
    _, messages = await browser.hello([wire.ResumedTable("double_exposure", seen)])
    assert messages == [wire.TableSnapshot("double_exposure", events[-1].v, events[-1].state)]


async def test_too_many_missed_events_get_a_snapshot(browser: Browser) -> None:
    """200 events are kept."""
    await browser.join("double_exposure")
    events = await _rounds(browser, 120)
    assert len(events) > 201
    _, messages = await browser.hello([wire.ResumedTable("double_exposure", events[-201].v)])
    assert messages == events[-200:]
    _, messages = await browser.hello([wire.ResumedTable("double_exposure", events[-202].v)])
    assert [type(one) for one in messages] == [wire.TableSnapshot]


async def test_a_hand_continues_after_a_lost_connection(browser: Browser) -> None:
    await browser.join("classic")
    played = await deal_open_round(browser, "classic", STAKE)
    browser.socket.transport.abort()
    async with another_browser(browser) as again:
        welcome, messages = await again.hello([wire.ResumedTable("classic")])
        assert welcome.open_tables == ("classic",)
        (snapshot,) = messages
        assert isinstance(snapshot, wire.TableSnapshot)
        assert snapshot.state.round == played


After = Callable[[Browser], Awaitable[None]]
"""A player's actions once the server runs again, in a new browser."""


async def test_a_hand_continues_after_a_kill(fresh_server: ServerProcess) -> None:
    """At each table. So do other players: with their table's currency, their last bet, or their settings."""
    async with AsyncExitStack() as open_:
        befores: list[Callable[[Browser], Awaitable[After]]]
        befores = [partial(_hand_continues, table) for table in BLACKJACK]
        befores += [_currency_stays, _last_stakes_are_known, _settings_stay]
        players = [await open_.enter_async_context(connect_guest(fresh_server.address)) for _ in befores]
        afters = [await before(browser) for before, browser in zip(befores, players, strict=True)]
        for _ in range(2):
            fresh_server.kill()
            fresh_server.start()
        for browser, after in zip(players, afters, strict=True):
            async with another_browser(browser, fresh_server.address) as again:
                await after(again)


async def _hand_continues(table: str, browser: Browser) -> After:
    await browser.join(table, "SC")
    played = await deal_open_round(browser, table, wire.Stake(0, "main", 2500))
    state = (await browser.join(table, "SC")).state()
    before = await fetch_balances(browser)

    async def after(again: Browser) -> None:
        welcome, messages = await again.hello([wire.ResumedTable(table)])
        assert welcome.open_tables == (table,)
        assert welcome.balances == before
        assert [one.state for one in messages if isinstance(one, wire.TableSnapshot)] == [state]
        assert (await again.decide(table, played, _some_action(played))).code == ""

    return after


async def _currency_stays(browser: Browser) -> After:
    """A deal that is sent again must not be dealt in another currency."""
    await browser.join("multihand", "SC")

    async def after(again: Browser) -> None:
        _, messages = await again.hello([wire.ResumedTable("multihand", 0, "SC")])
        assert [one.state.currency for one in messages if isinstance(one, wire.TableSnapshot)] == ["SC"]
        await again.deal("multihand", STAKE)
        assert [line.currency for line in (await again.get("/api/history", wire.History)).lines] == ["SC"]

    return after


async def _last_stakes_are_known(browser: Browser) -> After:
    """For a bet that is repeated."""
    await browser.join("double_exposure")
    await _rounds(browser, 1)

    async def after(again: Browser) -> None:
        assert (await again.join("double_exposure")).state().last_stakes == (STAKE,)

    return after


async def _settings_stay(browser: Browser) -> After:
    changed = wire.Settings(sound=False, reminder_minutes=60)
    await browser.ask(wire.SaveSettings("s", changed))

    async def after(again: Browser) -> None:
        assert (await again.hello())[0].settings == changed

    return after


def _some_action(played: wire.PlayedRound) -> str:
    return str(played.view.turns[0].options[-1].action)


async def test_a_second_browser_takes_the_table_over(browser: Browser) -> None:
    await browser.join("classic")
    played = await deal_open_round(browser, "classic", STAKE)
    async with another_browser(browser) as second:
        assert (await second.join("classic")).state().round == played
        assert await browser.drain() == [wire.TakenOver("classic")]
        assert (await browser.decide("classic", played, "stand")).code == "not_joined"
        assert (await second.decide("classic", played, _some_action(played))).code == ""
        assert not [
            one for one in await browser.drain() if isinstance(one, wire.TableUpdate | wire.TableSnapshot)
        ]


async def test_a_disconnected_browser_takes_no_table_over(browser: Browser) -> None:
    """Its commands are still executed, but the connected browser keeps the table."""
    async with another_browser(browser) as leaving:
        for volume in range(30):
            await leaving.send(wire.SaveSettings(f"s{volume}", wire.Settings(effects_volume=volume)))
        await leaving.send(wire.Join("late", "classic", "GC"))
        await _close_after_reading(leaving)
    await browser.join("classic")
    await _wait_for_settings(browser, wire.Settings(effects_volume=29))
    messages = await browser.drain()
    assert wire.TakenOver("classic") not in messages
    assert (await browser.deal("classic", STAKE)).code == ""


async def _close_after_reading(browser: Browser) -> None:
    """Stop sending, and read to the end: closing with unread answers would discard the sent commands."""
    browser.socket.transport.write_eof()
    with suppress(ConnectionClosed):
        while True:
            await browser.next()


async def _wait_for_settings(browser: Browser, settings: wire.Settings) -> None:
    async with asyncio.timeout(SETTLE_TIMEOUT_S):
        while (await browser.hello())[0].settings != settings:
            pass


async def test_settings_arrive_in_every_browser_of_the_player_and_in_no_other(
    server: ServerProcess, browser: Browser
) -> None:
    changed = wire.Settings(cloth="night", currency="SC")
    async with another_browser(browser) as second, connect_guest(server.address) as other:
        assert (await browser.ask(wire.SaveSettings("s", changed))).messages == (
            wire.SettingsUpdate(changed),
        )
        assert await second.drain() == [wire.SettingsUpdate(changed)]
        assert await other.drain() == []


async def test_a_server_with_connected_players_stops_in_order(tmp_path: Path) -> None:
    server = ServerProcess(tmp_path / "data").start()
    async with connect_guest(server.address) as browser, connect_guest(server.address):
        await browser.join("classic")
        await deal_open_round(browser, "classic", STAKE)
        await asyncio.to_thread(assert_clean_stop, server)
        with pytest.raises(ConnectionClosed) as closed:
            await browser.drain()
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 1001
    assert not server.data.joinpath("croupier.db-wal").exists(), "the database wasn't closed"
