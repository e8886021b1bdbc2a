"""Item A5: what the profile forbids is refused by the server, over all of a player's tables and devices."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from itertools import pairwise
from pathlib import Path
from random import Random

import pytest

from croupier.protocol import wire
from croupier.runtime.server import Server
from tests.runtime.live.in_process import FAST, Guest, server_in
from tests.runtime.live.player import INFINITE, ROULETTE, Player, req
from tests.support import bot
from tests.support.browser_connection import Browser, guest_at, new_req, same_player
from tests.support.clocks import MINUTE_MS, SECOND_MS, Hurried, hurried
from tests.support.server_process import HouseProcess
from tests.support.servers import SOCKETS

pytestmark = pytest.mark.anyio

AT_ONCE = ("baccarat", "dragon_tiger", "roulette", "sic_bo", "football_studio")
"""Own tables where a round ends as soon as it is dealt."""
PLAYS_S = 12.0
ROUND_MIN_MS = 5_000


def floor(profile: str, rest: str = "") -> str:
    return f'{FAST}\n[profile]\nlike = "{profile}"\n{rest}'


@pytest.fixture(params=SOCKETS)
def strictest(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[HouseProcess]:
    yield from served(tmp_path, request.param, "strictest")


@pytest.fixture(params=SOCKETS)
def slow_rounds(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[HouseProcess]:
    yield from served(tmp_path, request.param, "slow_rounds")


def served(folder: Path, socket: str, profile: str) -> Iterator[HouseProcess]:
    file = folder / "floor.toml"
    file.write_text(floor(profile), encoding="utf-8")
    server = HouseProcess(folder / "data", socket=socket, words=("--floor", str(file))).start()
    yield server
    assert server.stop() == 0
    assert "Traceback" not in server.log.read_text()


@asynccontextmanager
async def sockets_of_one_player(server: HouseProcess, number: int) -> AsyncIterator[list[Browser]]:
    async with AsyncExitStack() as open_:
        first = await open_.enter_async_context(guest_at(server.address))
        others = [await open_.enter_async_context(same_player(first)) for _ in range(1, number)]
        yield [first, *others]


async def plays_as_fast_as_it_can(browser: Browser, table: wire.LobbyTable, codes: set[str]) -> None:
    chance = Random(7)
    codes.add((await browser.join(table.table)).code)
    with suppress(TimeoutError):
        async with asyncio.timeout(PLAYS_S):
            while True:
                answer = await browser.deal(table.table, *bot.stakes(table, "GC", chance))
                codes.add(answer.code)
                await asyncio.sleep(0.01)


async def play_everywhere(browsers: list[Browser]) -> tuple[list[set[str]], list[wire.HistoryLine]]:
    """The refusals on each socket, which has a table of its own, and the rounds dealt, oldest first."""
    tables = {one.table: one for one in await browsers[0].get("/api/tables", list[wire.LobbyTable])}
    codes = [set[str]() for _ in browsers]
    plays = zip(browsers, AT_ONCE, codes, strict=False)
    await asyncio.gather(*(plays_as_fast_as_it_can(one, tables[at], said) for one, at, said in plays))
    history = await browsers[0].get("/api/history", wire.History, limit=100)
    return codes, list(reversed(history.lines))


def gaps_ms(rounds: list[wire.HistoryLine]) -> list[int]:
    return [after.started_ms - before.started_ms for before, after in pairwise(rounds)]


async def test_a5_five_sockets_play_one_table_at_the_pace_of_one(strictest: HouseProcess) -> None:
    async with sockets_of_one_player(strictest, 5) as browsers:
        codes, rounds = await play_everywhere(browsers)
        no_reminder = wire.SaveSettings(new_req(), wire.Settings(reminder_minutes=0))
        refused = (await browsers[0].ask(no_reminder)).said
        welcome, _ = await browsers[1].hello()
    assert len({one.table for one in rounds}) == 1
    assert sum("too_many_tables" in said for said in codes) == 4
    assert len(rounds) >= 2
    assert min(gaps_ms(rounds)) >= ROUND_MIN_MS
    args: dict[str, str | int] = {"minutes": 0, "allowed": "30, 60, 90"}
    assert refused == wire.No(no_reminder.req, "no_such_reminder", args)
    assert welcome.settings.reminder_minutes == 30


async def test_a5_four_tables_are_no_faster_than_one(slow_rounds: HouseProcess) -> None:
    async with sockets_of_one_player(slow_rounds, 4) as browsers:
        codes, rounds = await play_everywhere(browsers)
        fifth = await browsers[0].join(AT_ONCE[4])
    assert fifth.code == "too_many_tables"
    assert {"", "too_soon"} <= set().union(*codes)
    assert len(rounds) >= 2
    assert min(gaps_ms(rounds)) >= ROUND_MIN_MS


async def test_a5_the_pace_is_kept_over_a_restart(slow_rounds: HouseProcess) -> None:
    async with guest_at(slow_rounds.address) as browser:
        table = await first_table(browser)
        await browser.join(table.table)
        started = (await bot.play_round(browser, table, "GC", Random(7))).started_ms
        await browser.hang_up()
        slow_rounds.kill()
        slow_rounds.start()
        browser.address = slow_rounds.address
        await browser.dial()
        await browser.hello()
        other = AT_ONCE[1]
        state = (await browser.join(other)).state()
        assert state.next_deal_ms == started + ROUND_MIN_MS


async def first_table(browser: Browser) -> wire.LobbyTable:
    tables = await browser.get("/api/tables", list[wire.LobbyTable])
    return next(one for one in tables if one.table == AT_ONCE[0])


# --- in this process, where time passes as the test says


class Devices:
    """One player's devices, in a server whose profile is given."""

    def __init__(self, house: Server, token: str, machine: Hurried) -> None:
        self.house = house
        self.machine = machine
        self._token = token
        self.guests: list[Guest] = []

    async def dial(self) -> Player:
        guest = Guest(self.house, self._token)
        self.guests.append(guest)
        return await guest.dial()


@asynccontextmanager
async def devices(folder: Path, profile: str, rest: str = "") -> AsyncIterator[Devices]:
    with hurried() as machine:
        async with server_in(folder, floor(profile, rest)) as house:
            found = Devices(house, await house.sessions.add_guest(), machine)
            yield found
            for guest in found.guests:
                if guest.visitor:
                    await guest.hang_up()


DOUBLE = "double_exposure"
"""An own table whose rounds wait for decisions."""
STAKE = wire.Stake(0, "main", 1_000)
EUROS = (0, "main", 1_000)


async def bet_live(player: Player, table: str = INFINITE, bet: str = "main") -> str:
    """Bet in a round whose bets have just opened."""
    round_ = player.states[table].clock.round
    await player.until(lambda: player.states[table].clock.round != round_)
    await player.phase("betting", table=table)
    return await player.bet((0, bet, 1_000), table=table)


async def deal(player: Player, table: str = DOUBLE) -> str:
    return await player.ask(wire.DealRound(req(), table, (STAKE,)))


async def test_a5_a_reality_check_holds_all_bets_until_it_is_answered(tmp_path: Path) -> None:
    async with devices(tmp_path, "always_reminded") as found:
        desk, phone = await found.dial(), await found.dial()
        assert await desk.join(INFINITE) == ""
        assert await phone.join(DOUBLE, "GC") == ""
        found.machine.passes(29 * MINUTE_MS)
        assert await bet_live(desk) == ""
        found.machine.passes(MINUTE_MS)
        assert await bet_live(desk) == "reminder_due"
        assert await desk.bet() == "", "a bet may be taken back"
        assert await deal(phone) == "reminder_due"
        later = wire.SaveSettings(req(), wire.Settings(reminder_minutes=90))
        assert await phone.ask(later) == "reminder_due"
        assert await phone.ask(wire.AnswerReminder(req())) == ""
        assert [type(one) for one in desk.told].count(wire.ReminderAnswered) == 1
        assert await bet_live(desk) == ""
        assert await deal(phone) == ""
        found.machine.passes(30 * MINUTE_MS)
        assert await bet_live(desk) == "reminder_due"


async def test_a5_a_reminder_that_the_player_chose_counts_where_it_may_be_off(tmp_path: Path) -> None:
    async with devices(tmp_path, "all") as found:
        desk = await found.dial()
        assert await desk.join(DOUBLE, "GC") == ""
        found.machine.passes(31 * MINUTE_MS)
        assert await desk.ask(wire.AnswerReminder(req())) == "", "nothing is due, so nothing happens"
        assert not [one for one in desk.told if isinstance(one, wire.ReminderAnswered)]
        chosen = wire.SaveSettings(req(), wire.Settings(reminder_minutes=30))
        assert await desk.ask(chosen) == ""
        assert await deal(desk) == "reminder_due"


async def test_a5_an_answer_is_known_after_a_reconnect_and_a_restart(tmp_path: Path) -> None:
    strict = floor("always_reminded")
    with hurried() as machine:
        async with server_in(tmp_path, strict) as house:
            guest = Guest(house, token := await house.sessions.add_guest())
            desk = await guest.dial()
            for _ in range(3):
                machine.passes(10 * MINUTE_MS)
                await desk.join(DOUBLE, "GC")
                await house.sweep()
            assert await desk.ask(wire.AnswerReminder(req())) == ""
            answered = next(one.at_ms for one in desk.told if isinstance(one, wire.ReminderAnswered))
            began = welcome_of(desk).session_started_ms
            await guest.hang_up()
            again = welcome_of(await guest.dial())
            assert (again.session_started_ms, again.reminded_ms) == (began, answered)
            await guest.hang_up()
        async with server_in(tmp_path, strict) as house:
            guest = Guest(house, token)
            desk = await guest.dial()
            assert welcome_of(desk).reminded_ms == answered
            assert await desk.join(DOUBLE, "GC") == ""
            assert await deal(desk) == ""
            await guest.hang_up()


def welcome_of(player: Player) -> wire.Welcome:
    assert player.welcome is not None
    return player.welcome


async def test_a5_a_reconnect_after_half_an_hour_of_play_begins_no_new_visit(tmp_path: Path) -> None:
    """Else a player would never be reminded, nor stopped by their own limit of time."""
    async with devices(tmp_path, "always_reminded") as found:
        desk = await found.dial()
        began = welcome_of(desk).session_started_ms
        assert await desk.join(DOUBLE, "GC") == ""
        for _ in range(4):
            found.machine.passes(10 * MINUTE_MS)
            await deal(desk)
            await found.house.sweep()
        await found.guests[0].hang_up()
        again = await found.guests[0].dial()
        assert welcome_of(again).session_started_ms == began
        assert await again.join(DOUBLE, "GC") == ""
        assert await deal(again) in ("reminder_due", "round_open")


async def test_a5_live_and_own_rounds_keep_the_same_distance(tmp_path: Path) -> None:
    async with devices(tmp_path, "slow_rounds", "reminder_minutes = [0]") as found:
        desk, phone = await found.dial(), await found.dial()
        for table in (INFINITE, ROULETTE):
            assert await desk.join(table) == ""
        assert await phone.join("baccarat", "GC") == ""
        own = wire.DealRound(req(), "baccarat", (wire.Stake(0, "player", 1_000),))
        assert await phone.ask(own) == ""
        assert await bet_live(desk) == "too_soon"
        found.machine.passes(5 * SECOND_MS)
        await desk.phase("betting")
        while (code := await bet_live(desk)) == "bets_closed":
            pass
        assert code == ""
        assert await bet_live(desk, ROULETTE, "straight_1") == "too_soon"
        again = wire.DealRound(req(), "baccarat", own.stakes)
        assert await phone.ask(again) == "too_soon"


async def test_a5_tables_are_counted_over_devices_and_a_round_that_waits_counts(tmp_path: Path) -> None:
    async with devices(tmp_path, "one_table") as found:
        desk, phone = await found.dial(), await found.dial()
        both = await asyncio.gather(desk.join(INFINITE), phone.join(ROULETTE))
        assert sorted(both) == ["", "too_many_tables"]
        one, other = (desk, phone) if both[0] == "" else (phone, desk)
        at = INFINITE if one is desk else ROULETTE
        assert await other.join(at) == "", "the same table on another device is one table"
        assert await other.ask(wire.Leave(req(), at)) == ""
        assert await other.join(DOUBLE, "GC") == ""
        while await deal(other) == "":  # until a round waits
            if not last_round(other).view.ended:
                break
        assert await other.ask(wire.Leave(req(), DOUBLE)) == ""
        assert await one.join(at) == "too_many_tables", "the round waits still"
        assert await one.join(DOUBLE, "GC") == ""


def last_round(player: Player) -> wire.PlayedRound:
    told = (one for one in reversed(player.told) if isinstance(one, wire.TableUpdate | wire.TableSnapshot))
    round_ = next(told).state.round
    assert round_ is not None
    return round_


async def test_a5_a_live_stake_counts_until_its_round_is_over(tmp_path: Path) -> None:
    async with devices(tmp_path, "one_table") as found:
        desk = await found.dial()
        assert await desk.join(INFINITE) == ""
        while await bet_live(desk) != "":
            pass
        await desk.until(lambda: desk.states[INFINITE].clock.phase not in ("betting", "warning"))
        assert await desk.ask(wire.Leave(req(), INFINITE)) == ""
        joined = await desk.join(ROULETTE)
        staked = found.house.live[INFINITE].stakes_of(next(iter(found.house.players)).id)
        assert joined == ("too_many_tables" if staked else "")
