"""Who comes back finds what he left: missed events, the same hand, his settings, in any browser."""

import asyncio
from contextlib import suppress
from pathlib import Path

import pytest
from websockets.exceptions import ConnectionClosed

from croupier.protocol import wire
from tests.support.browser_connection import Browser, begun, guest_at, money, same_player
from tests.support.server_process import HouseProcess
from tests.support.servers import SOCKETS, closed_in_order

pytestmark = pytest.mark.anyio

STAKE = wire.Stake(0, "main", 1000)
SETTLED_WITHIN_S = 30


async def _rounds(browser: Browser, number: int) -> list[wire.TableUpdate]:
    """So many rounds at double exposure, which deals until a decision; all that was told of them."""
    events: list[wire.TableUpdate] = []
    for _ in range(number):
        answer = await browser.deal("double_exposure", STAKE)
        events += [told for told in answer.told if isinstance(told, wire.TableUpdate)]
        while (played := events[-1].state.round) and not played.view.ended:
            answer = await browser.decide("double_exposure", played, "stand")
            events += [told for told in answer.told if isinstance(told, wire.TableUpdate)]
    return events


async def test_events_are_numbered_without_gaps(browser: Browser) -> None:
    snapshot = (await browser.join("double_exposure")).told[0]
    assert isinstance(snapshot, wire.TableSnapshot)
    versions = [event.v for event in await _rounds(browser, 5)]
    assert versions == list(range(snapshot.v + 1, snapshot.v + 1 + len(versions)))


async def test_missed_events_are_told_again_exactly(browser: Browser) -> None:
    await browser.join("double_exposure")
    events = await _rounds(browser, 6)
    for seen in range(len(events)):
        following = wire.ResumedTable("double_exposure", events[seen].v)
        _, told = await browser.hello([following])
        assert told == events[seen + 1 :]


@pytest.mark.parametrize("seen", [0, 1, 2**52])
async def test_an_unknown_version_gets_a_snapshot(browser: Browser, seen: int) -> None:
    await browser.join("double_exposure")
    events = await _rounds(browser, 2)
    _, told = await browser.hello([wire.ResumedTable("double_exposure", seen)])
    assert told == [wire.TableSnapshot("double_exposure", events[-1].v, events[-1].state)]


async def test_too_long_away_gets_a_snapshot(browser: Browser) -> None:
    """200 events are kept."""
    await browser.join("double_exposure")
    events = await _rounds(browser, 120)
    assert len(events) > 201
    _, told = await browser.hello([wire.ResumedTable("double_exposure", events[-201].v)])
    assert told == events[-200:]
    _, told = await browser.hello([wire.ResumedTable("double_exposure", events[-202].v)])
    assert [type(one) for one in told] == [wire.TableSnapshot]


async def test_a_hand_goes_on_where_the_connection_broke(browser: Browser) -> None:
    await browser.join("classic")
    played = await begun(browser, "classic", STAKE)
    browser.socket.transport.abort()
    async with same_player(browser) as again:
        welcome, told = await again.hello([wire.ResumedTable("classic")])
        assert welcome.open_tables == ("classic",)
        (snapshot,) = told
        assert isinstance(snapshot, wire.TableSnapshot)
        assert snapshot.state.round == played


@pytest.mark.parametrize("table", ["classic", "premium", "multihand", "double_exposure"])
async def test_a_hand_goes_on_after_a_kill(mortal: HouseProcess, table: str) -> None:
    async with guest_at(mortal.address) as browser:
        await browser.join(table, "SC")
        played = await begun(browser, table, wire.Stake(0, "main", 2500))
        state = (await browser.join(table, "SC")).state()
        before = await money(browser)
        for _ in range(2):
            mortal.kill()
            mortal.start()
        async with same_player(browser, mortal.address) as again:
            welcome, told = await again.hello([wire.ResumedTable(table)])
            assert welcome.open_tables == (table,)
            assert welcome.balances == before
            assert [one.state for one in told if isinstance(one, wire.TableSnapshot)] == [state]
            assert (await again.decide(table, played, _any(played))).code == ""


def _any(played: wire.PlayedRound) -> str:
    return str(played.view.turns[0].options[-1].action)


async def test_the_currency_of_a_table_stays_after_a_kill(mortal: HouseProcess) -> None:
    """A deal that is sent again must not be dealt in other money."""
    async with guest_at(mortal.address) as browser:
        await browser.join("multihand", "SC")
        mortal.kill()
        mortal.start()
        async with same_player(browser, mortal.address) as again:
            _, told = await again.hello([wire.ResumedTable("multihand", 0, "SC")])
            assert [one.state.currency for one in told if isinstance(one, wire.TableSnapshot)] == ["SC"]
            await again.deal("multihand", STAKE)
            assert [line.currency for line in (await again.get("/api/history", wire.History)).lines] == ["SC"]


async def test_the_last_stakes_are_known_for_rebet_after_a_kill(mortal: HouseProcess) -> None:
    async with guest_at(mortal.address) as browser:
        await browser.join("double_exposure")
        await _rounds(browser, 1)
        mortal.kill()
        mortal.start()
        async with same_player(browser, mortal.address) as again:
            assert (await again.join("double_exposure")).state().last_stakes == (STAKE,)


async def test_a_second_browser_takes_the_table_over(browser: Browser) -> None:
    await browser.join("classic")
    played = await begun(browser, "classic", STAKE)
    async with same_player(browser) as second:
        assert (await second.join("classic")).state().round == played
        assert await browser.told() == [wire.TakenOver("classic")]
        assert (await browser.decide("classic", played, "stand")).code == "not_joined"
        assert (await second.decide("classic", played, _any(played))).code == ""
        assert not [
            one for one in await browser.told() if isinstance(one, wire.TableUpdate | wire.TableSnapshot)
        ]


async def test_a_browser_that_has_gone_takes_nothing_over(browser: Browser) -> None:
    """What it had sent is still carried out, but the table is the living one's."""
    async with same_player(browser) as leaving:
        for volume in range(30):
            await leaving.send(wire.SaveSettings(f"s{volume}", wire.Settings(effects_volume=volume)))
        await leaving.send(wire.Join("late", "classic", "GC"))
        await _gone(leaving)
    await browser.join("classic")
    await _settled(browser, wire.Settings(effects_volume=29))
    told = await browser.told()
    assert wire.TakenOver("classic") not in told
    assert (await browser.deal("classic", STAKE)).code == ""


async def _gone(browser: Browser) -> None:
    """Sends no more, and hears the house out: answers to a socket that is shut would have the rest unread."""
    browser.socket.transport.write_eof()
    with suppress(ConnectionClosed):
        while True:
            await browser.next()


async def _settled(browser: Browser, settings: wire.Settings) -> None:
    async with asyncio.timeout(SETTLED_WITHIN_S):
        while (await browser.hello())[0].settings != settings:
            pass


async def test_settings_arrive_in_every_browser_of_his_and_nobody_elses(
    house: HouseProcess, browser: Browser
) -> None:
    changed = wire.Settings(cloth="night", currency="SC")
    async with same_player(browser) as second, guest_at(house.address) as other:
        assert (await browser.ask(wire.SaveSettings("s", changed))).told == (wire.SettingsUpdate(changed),)
        assert await second.told() == [wire.SettingsUpdate(changed)]
        assert await other.told() == []


async def test_settings_stay_after_a_kill(mortal: HouseProcess) -> None:
    changed = wire.Settings(sound=False, reminder_minutes=60)
    async with guest_at(mortal.address) as browser:
        await browser.ask(wire.SaveSettings("s", changed))
        mortal.kill()
        mortal.start()
        async with same_player(browser, mortal.address) as again:
            assert (await again.hello())[0].settings == changed


@pytest.mark.parametrize("socket", SOCKETS)
async def test_a_house_with_visitors_closes_in_order(tmp_path: Path, socket: str) -> None:
    house = HouseProcess(tmp_path / "data", socket=socket).start()
    async with guest_at(house.address) as browser, guest_at(house.address):
        await browser.join("classic")
        await begun(browser, "classic", STAKE)
        await asyncio.to_thread(closed_in_order, house)
        with pytest.raises(ConnectionClosed) as closed:
            await browser.told()
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 1001
    assert not house.data.joinpath("croupier.db-wal").exists(), "the books were not closed"
