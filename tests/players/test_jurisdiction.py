"""Item A5: the server refuses what the profile forbids, over all of a player's tables and devices."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from itertools import pairwise
from pathlib import Path
from random import Random

import pytest

from croupier.gateway.server import Server
from croupier.protocol import wire
from tests.dealing.live.in_process import FAST, Guest, running_server
from tests.dealing.live.player import INFINITE, ROULETTE, Player, req
from tests.support import bot
from tests.support.browser_connection import Browser, another_browser, connect_guest, new_req
from tests.support.clocks import MINUTE_MS, SECOND_MS, FastForwardMachine, fast_forward_machine
from tests.support.server_process import ServerProcess

pytestmark = pytest.mark.anyio

AT_ONCE = ("baccarat", "dragon_tiger", "roulette", "sic_bo", "football_studio")
"""Own tables whose rounds end when they are dealt."""
PLAY_S = 4.0
ROUND_MIN_MS = 1_500
"""In tests in real time: profiles have five seconds, which tests.config shows."""


def config_with(profile: str, rest: str = "") -> str:
    return f'{FAST}\n[profile]\nlike = "{profile}"\n{rest}'


@pytest.fixture
def strictest(tmp_path: Path) -> Iterator[ServerProcess]:
    yield from serve_profile(tmp_path, "strictest")


@pytest.fixture
def slow_rounds(tmp_path: Path) -> Iterator[ServerProcess]:
    yield from serve_profile(tmp_path, "slow_rounds")


def serve_profile(folder: Path, profile: str) -> Iterator[ServerProcess]:
    file = folder / "croupier.toml"
    file.write_text(config_with(profile, f"round_min_ms = {ROUND_MIN_MS}\n"), encoding="utf-8")
    server = ServerProcess(folder / "data", options=("--config", str(file))).start()
    yield server
    assert server.stop() == 0
    assert "Traceback" not in server.log.read_text()


@asynccontextmanager
async def sockets_of_one_player(server: ServerProcess, number: int) -> AsyncIterator[list[Browser]]:
    async with AsyncExitStack() as open_:
        first = await open_.enter_async_context(connect_guest(server.address))
        others = [await open_.enter_async_context(another_browser(first)) for _ in range(1, number)]
        yield [first, *others]


async def play_as_fast_as_possible(browser: Browser, table: wire.LobbyTable, codes: set[str]) -> None:
    chance = Random(7)
    codes.add((await browser.join(table.table)).code)
    with suppress(TimeoutError):
        async with asyncio.timeout(PLAY_S):
            while True:
                answer = await browser.deal(table.table, *bot.random_stakes(table, "GC", chance))
                codes.add(answer.code)
                await asyncio.sleep(0.01)


async def play_everywhere(browsers: list[Browser]) -> tuple[list[set[str]], list[wire.HistoryLine]]:
    """Play another table on each socket; return the codes of each, and the rounds dealt, oldest first."""
    tables = {one.table: one for one in await browsers[0].get("/api/tables", list[wire.LobbyTable])}
    codes = [set[str]() for _ in browsers]
    plays = zip(browsers, AT_ONCE, codes, strict=False)
    await asyncio.gather(*(play_as_fast_as_possible(one, tables[at], refused) for one, at, refused in plays))
    history = await browsers[0].get("/api/history", wire.History, limit=100)
    return codes, list(reversed(history.lines))


def gaps_ms(rounds: list[wire.HistoryLine]) -> list[int]:
    return [after.started_ms - before.started_ms for before, after in pairwise(rounds)]


async def test_a5_five_sockets_play_one_table_at_the_pace_of_one(strictest: ServerProcess) -> None:
    async with sockets_of_one_player(strictest, 5) as browsers:
        codes, rounds = await play_everywhere(browsers)
        no_reminder = wire.SaveSettings(new_req(), wire.Settings(reminder_minutes=0))
        refused = (await browsers[0].ask(no_reminder)).reply
        welcome, _ = await browsers[1].hello()
    assert len({one.table for one in rounds}) == 1
    assert sum("too_many_tables" in refused for refused in codes) == 4
    assert len(rounds) >= 2
    assert min(gaps_ms(rounds)) >= ROUND_MIN_MS
    args: dict[str, str | int] = {"minutes": 0, "allowed": "30, 60, 90"}
    assert refused == wire.No(no_reminder.req, "no_such_reminder", args)
    assert welcome.settings.reminder_minutes == 30


async def test_a5_four_tables_are_no_faster_than_one(slow_rounds: ServerProcess) -> None:
    async with sockets_of_one_player(slow_rounds, 4) as browsers:
        codes, rounds = await play_everywhere(browsers)
        fifth = await browsers[0].join(AT_ONCE[4])
    assert fifth.code == "too_many_tables"
    assert {"", "too_soon"} <= set().union(*codes)
    assert len(rounds) >= 2
    assert min(gaps_ms(rounds)) >= ROUND_MIN_MS


async def test_a5_the_pace_is_kept_over_a_restart(slow_rounds: ServerProcess) -> None:
    async with connect_guest(slow_rounds.address) as browser:
        table = await first_table(browser)
        await browser.join(table.table)
        started = (await bot.play_round(browser, table, "GC", Random(7))).started_ms
        await browser.disconnect()
        slow_rounds.kill()
        slow_rounds.start()
        browser.address = slow_rounds.address
        await browser.connect()
        await browser.hello()
        other = AT_ONCE[1]
        state = (await browser.join(other)).state()
        assert state.next_deal_ms == started + ROUND_MIN_MS


async def first_table(browser: Browser) -> wire.LobbyTable:
    tables = await browser.get("/api/tables", list[wire.LobbyTable])
    return next(one for one in tables if one.table == AT_ONCE[0])


# --- in this process, on the test's clock


class Devices:
    """One player's devices, connected to a server with a given profile."""

    def __init__(self, server: Server, token: str, machine: FastForwardMachine) -> None:
        self.server = server
        self.machine = machine
        self._token = token
        self.guests: list[Guest] = []

    async def connect(self) -> Player:
        guest = Guest(self.server, self._token)
        self.guests.append(guest)
        return await guest.connect()


@asynccontextmanager
async def devices(folder: Path, profile: str, rest: str = "") -> AsyncIterator[Devices]:
    with fast_forward_machine() as machine:
        async with running_server(folder, config_with(profile, rest)) as server:
            found = Devices(server, await server.sessions.add_guest(), machine)
            yield found
            for guest in found.guests:
                if guest.session:
                    await guest.disconnect()


DOUBLE = "double_exposure"
"""An own table whose rounds wait for decisions."""
STAKE = wire.Stake(0, "main", 1_000)
EUROS = (0, "main", 1_000)


async def bet_live(player: Player, table: str = INFINITE, bet: str = "main") -> str:
    """Bet in a round whose bets have just opened."""
    round_ = player.states[table].clock.round
    await player.until(lambda: player.states[table].clock.round != round_)
    await player.until_phase("betting", table=table)
    return await player.bet((0, bet, 1_000), table=table)


async def deal(player: Player, table: str = DOUBLE) -> str:
    return await player.ask(wire.DealRound(req(), table, (STAKE,)))


async def test_a5_a_reality_check_holds_all_bets_until_it_is_answered(tmp_path: Path) -> None:
    async with devices(tmp_path, "always_reminded") as found:
        desktop, phone = await found.connect(), await found.connect()
        assert await desktop.join(INFINITE) == ""
        assert await phone.join(DOUBLE, "GC") == ""
        found.machine.advance(29 * MINUTE_MS)
        assert await bet_live(desktop) == ""
        found.machine.advance(MINUTE_MS)
        assert await bet_live(desktop) == "reminder_due"
        assert await desktop.bet() == "", "a bet may be taken back"
        assert await deal(phone) == "reminder_due"
        later = wire.SaveSettings(req(), wire.Settings(reminder_minutes=90))
        assert await phone.ask(later) == "reminder_due"
        assert await phone.ask(wire.AnswerReminder(req())) == ""
        assert [type(one) for one in desktop.messages].count(wire.ReminderAnswered) == 1
        assert await bet_live(desktop) == ""
        assert await deal(phone) == ""
        found.machine.advance(30 * MINUTE_MS)
        assert await bet_live(desktop) == "reminder_due"


async def test_a5_a_chosen_reminder_applies_if_the_profile_allows_none(tmp_path: Path) -> None:
    async with devices(tmp_path, "all") as found:
        desktop = await found.connect()
        assert await desktop.join(DOUBLE, "GC") == ""
        found.machine.advance(31 * MINUTE_MS)
        assert await desktop.ask(wire.AnswerReminder(req())) == "", "nothing is due, so nothing happens"
        assert not [one for one in desktop.messages if isinstance(one, wire.ReminderAnswered)]
        chosen = wire.SaveSettings(req(), wire.Settings(reminder_minutes=30))
        assert await desktop.ask(chosen) == ""
        assert await deal(desktop) == "reminder_due"


async def test_a5_an_answer_is_remembered_after_a_reconnect_and_a_restart(tmp_path: Path) -> None:
    strict = config_with("always_reminded")
    with fast_forward_machine() as machine:
        async with running_server(tmp_path, strict) as server:
            guest = Guest(server, token := await server.sessions.add_guest())
            desktop = await guest.connect()
            for _ in range(3):
                machine.advance(10 * MINUTE_MS)
                await desktop.join(DOUBLE, "GC")
                await server.sweep()
            assert await desktop.ask(wire.AnswerReminder(req())) == ""
            answered = next(one.at_ms for one in desktop.messages if isinstance(one, wire.ReminderAnswered))
            began = welcome_of(desktop).session_started_ms
            await guest.disconnect()
            again = welcome_of(await guest.connect())
            assert (again.session_started_ms, again.reminded_ms) == (began, answered)
            await guest.disconnect()
        async with running_server(tmp_path, strict) as server:
            guest = Guest(server, token)
            desktop = await guest.connect()
            assert welcome_of(desktop).reminded_ms == answered
            assert await desktop.join(DOUBLE, "GC") == ""
            assert await deal(desktop) == ""
            await guest.disconnect()


def welcome_of(player: Player) -> wire.Welcome:
    assert player.welcome is not None
    return player.welcome


async def test_a5_a_reconnect_after_half_an_hour_of_play_begins_no_new_visit(tmp_path: Path) -> None:
    """Otherwise a player would never be reminded, nor reach their own session limit."""
    async with devices(tmp_path, "always_reminded") as found:
        desktop = await found.connect()
        began = welcome_of(desktop).session_started_ms
        assert await desktop.join(DOUBLE, "GC") == ""
        for _ in range(4):
            found.machine.advance(10 * MINUTE_MS)
            await deal(desktop)
            await found.server.sweep()
        await found.guests[0].disconnect()
        again = await found.guests[0].connect()
        assert welcome_of(again).session_started_ms == began
        assert await again.join(DOUBLE, "GC") == ""
        assert await deal(again) in ("reminder_due", "round_open")


async def test_a5_live_and_own_rounds_keep_the_same_distance(tmp_path: Path) -> None:
    async with devices(tmp_path, "slow_rounds", "reminder_minutes = [0]") as found:
        desktop, phone = await found.connect(), await found.connect()
        for table in (INFINITE, ROULETTE):
            assert await desktop.join(table) == ""
        assert await phone.join("baccarat", "GC") == ""
        own = wire.DealRound(req(), "baccarat", (wire.Stake(0, "player", 1_000),))
        assert await phone.ask(own) == ""
        assert await bet_live(desktop) == "too_soon"
        found.machine.advance(5 * SECOND_MS)
        await desktop.until_phase("betting")
        while (code := await bet_live(desktop)) == "bets_closed":
            pass
        assert code == ""
        assert await bet_live(desktop, ROULETTE, "straight_1") == "too_soon"
        again = wire.DealRound(req(), "baccarat", own.stakes)
        assert await phone.ask(again) == "too_soon"


async def test_a5_tables_are_counted_over_devices_including_open_rounds(tmp_path: Path) -> None:
    async with devices(tmp_path, "one_table") as found:
        desktop, phone = await found.connect(), await found.connect()
        both = await asyncio.gather(desktop.join(INFINITE), phone.join(ROULETTE))
        assert sorted(both) == ["", "too_many_tables"]
        one, other = (desktop, phone) if both[0] == "" else (phone, desktop)
        at = INFINITE if one is desktop else ROULETTE
        assert await other.join(at) == "", "the same table on another device is one table"
        assert await other.ask(wire.Leave(req(), at)) == ""
        assert await other.join(DOUBLE, "GC") == ""
        while await deal(other) == "":  # until a round waits for a decision
            if not last_round(other).view.ended:
                break
        assert await other.ask(wire.Leave(req(), DOUBLE)) == ""
        assert await one.join(at) == "too_many_tables", "the round is still open"
        assert await one.join(DOUBLE, "GC") == ""


def last_round(player: Player) -> wire.PlayedRound:
    updates = (
        one for one in reversed(player.messages) if isinstance(one, wire.TableUpdate | wire.TableSnapshot)
    )
    round_ = next(updates).state.round
    assert round_ is not None
    return round_


async def test_a5_a_live_stake_counts_until_its_round_is_over(tmp_path: Path) -> None:
    async with devices(tmp_path, "one_table") as found:
        desktop = await found.connect()
        assert await desktop.join(INFINITE) == ""
        while await bet_live(desktop) != "":
            pass
        await desktop.until(lambda: desktop.states[INFINITE].clock.phase not in ("betting", "warning"))
        assert await desktop.ask(wire.Leave(req(), INFINITE)) == ""
        joined = await desktop.join(ROULETTE)
        staked = found.server.live[INFINITE].stakes_of(next(iter(found.server.players)).id)
        assert joined == ("too_many_tables" if staked else "")
