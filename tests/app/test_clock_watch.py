"""Item A7: a step of the system clock stops no live table, loosens no limit and ends no break."""

import asyncio
import logging
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from unittest.mock import patch

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from croupier import clock
from croupier.accounts.days import period_start_ms
from croupier.accounts.responsible_gaming import (
    DAY_MS,
    Measure,
    PlayerRestrictions,
    RestrictionChange,
)
from croupier.admission.ledger_gateway import standalone_gateway
from croupier.app import clock_watch
from croupier.app.clock_watch import check_clock, set_clock
from croupier.app.serve import SHOES_KEY, open_ledger
from croupier.app.server import build_server
from croupier.clock import SLOWER_PER_MILLION, ServerClock
from croupier.gateway.server import Server
from croupier.ledger import entries
from croupier.ledger.sql.store import SqlLedger
from croupier.refusal import Refused
from croupier.rounds.shoe_seal import Seal
from croupier.storage.sql.stores import sql_stores
from tests.dealing.live.in_process import running_server
from tests.dealing.live.player import INFINITE
from tests.support.clocks import (
    HOUR_MS,
    MINUTE_MS,
    SECOND_MS,
    START_MS,
    FakeMachine,
    fake_machine,
    system_clock_stepped,
)

pytestmark = pytest.mark.anyio

STEPS_MS = {
    "-60 s": -MINUTE_MS,
    "-2 h": -2 * HOUR_MS,
    "+1 h, as summer time": HOUR_MS,
    "+25 h": 25 * HOUR_MS,
    "+48 h": 48 * HOUR_MS,
    "+31 days": 31 * DAY_MS,
}
STEPS = pytest.mark.parametrize("step_ms", STEPS_MS.values(), ids=STEPS_MS)
PACE_S = 1.0
PLAYER, BARRED = "p_limited", "p_barred"
DEPOSITS = Measure("deposit", "day", "EUR")


async def count_rounds(server: Server, seconds: float) -> int:
    """Return how many rounds the live table opens in that time."""
    table, rounds = server.live[INFINITE], set[str]()
    forget = table.watch(lambda: rounds.add(table.state.round))
    await asyncio.sleep(seconds)
    forget()
    return len(rounds)


async def test_a7_a_live_table_keeps_its_pace(tmp_path: Path) -> None:
    """Also while the clock is stepped back: each step is followed by another one."""
    async with running_server(tmp_path) as server:
        before = await count_rounds(server, PACE_S)
        for step_ms in STEPS_MS.values():
            with system_clock_stepped(step_ms):
                after = await count_rounds(server, PACE_S)
            assert after >= 1
            assert abs(after - before) <= 2
    assert before >= 2


@pytest.fixture
async def server(tmp_path: Path) -> Server:
    """Start a server without live tables."""
    ledger = open_ledger(tmp_path)
    found = build_server(sql_stores(ledger), {}, Seal.of_file(tmp_path / SHOES_KEY))
    await found.start()
    return found


async def set_restrictions(server: Server) -> None:
    """Limit one player's deposits to 50 EUR a day, with 500 requested; bar another for a day."""
    await server.restrictions.set_limit(PLAYER, DEPOSITS, 5_000)
    await server.restrictions.set_limit(PLAYER, DEPOSITS, 50_000)
    await server.restrictions.bar(BARRED, "time_out", clock.now_ms() + DAY_MS)


async def may_deposit(server: Server, player: str, minor: int) -> str:
    """Return the code of the refusal; empty if the deposit would be accepted."""
    deposit = entries.deposit("key", clock.now_ms(), player, "EUR", minor)
    try:
        async with server.gateway.hold_reservation(lambda: server.limits.reserve([deposit])):
            return ""
    except Refused as why:
        return why.code


@STEPS
async def test_a7_a_step_loosens_no_limit_and_ends_no_break(server: Server, step_ms: int) -> None:
    await set_restrictions(server)
    with system_clock_stepped(step_ms):
        assert await may_deposit(server, PLAYER, 5_001) == "over_own_limit"
        assert await may_deposit(server, PLAYER, 5_000) == ""
        assert await may_deposit(server, BARRED, 1) == "barred"
    server.ledger.close()


async def test_a7_elapsed_time_loosens_the_limit_and_ends_the_break(server: Server) -> None:
    with fake_machine() as machine:
        await set_restrictions(server)
        machine.step_system_clock(-2 * HOUR_MS)
        machine.advance(DAY_MS - 1)
        assert await may_deposit(server, PLAYER, 5_001) == "over_own_limit"
        assert await may_deposit(server, BARRED, 1) == "barred"
        machine.advance(1)
        assert await may_deposit(server, PLAYER, 50_000) == ""
        assert await may_deposit(server, BARRED, 1) == ""
    server.ledger.close()


MIDNIGHT_MS = period_start_ms("day", START_MS) + DAY_MS
MONTH_END_MS = period_start_ms("month", START_MS + 31 * DAY_MS)


@pytest.mark.parametrize("boundary_ms", [MIDNIGHT_MS, MONTH_END_MS], ids=["midnight", "month end"])
@pytest.mark.parametrize("step_ms", [-2 * HOUR_MS, 2 * HOUR_MS], ids=["back", "forward"])
async def test_a7_a_step_over_midnight_opens_no_budget_twice(
    server: Server, boundary_ms: int, step_ms: int
) -> None:
    """A deposit before or after midnight counts once, on its own day."""
    with fake_machine(boundary_ms - HOUR_MS) as machine:
        await server.restrictions.set_limit(PLAYER, DEPOSITS, 5_000)

        async def deposit(key: str, minor: int) -> str:
            entry = entries.deposit(key, clock.now_ms(), PLAYER, "EUR", minor)
            try:
                await server.gateway.post([entry])
            except Refused as why:
                return why.code
            return ""

        assert await deposit("before", 5_000) == ""
        machine.step_system_clock(step_ms)
        assert await deposit("at once", 1) == "over_own_limit", "the day is the same"
        machine.advance(HOUR_MS + 1)
        assert await deposit("new day", 4_000) == ""
        machine.step_system_clock(-step_ms)
        machine.step_system_clock(-3 * HOUR_MS)
        assert await deposit("too much", 1_001) == "over_own_limit"
        assert await deposit("rest", 1_000) == ""
    server.ledger.close()


# --- restarts


@contextmanager
def process(folder: Path, machine: FakeMachine, boot: str = "one") -> Iterator[tuple[SqlLedger, ServerClock]]:
    """Open the ledger and a clock, as a server process on this machine does."""
    by = machine.clock()
    ledger = open_ledger(folder)
    try:
        with patch.object(clock_watch, "boot_id", lambda: boot), patch.object(clock, "CLOCK", by):
            yield ledger, by
    finally:
        ledger.close()


@STEPS
async def test_a7_a_restarted_server_keeps_its_time_until_the_machine_reboots(
    tmp_path: Path, step_ms: int
) -> None:
    machine = FakeMachine()
    with process(tmp_path, machine) as (ledger, by):
        await set_clock(ledger, by=by)
        assert by.now_ms() == START_MS
    machine.advance(HOUR_MS)
    machine.step_system_clock(step_ms)
    with process(tmp_path, machine) as (ledger, by):
        await set_clock(ledger, by=by)
        assert by.now_ms() == START_MS + HOUR_MS
        assert by.ahead_ms == -step_ms
    with process(tmp_path, machine, boot="another") as (ledger, by):
        await set_clock(ledger, by=by)
        assert by.now_ms() == START_MS + max(HOUR_MS + step_ms, 1), "not before the last entry"


async def test_a7_an_operator_may_accept_the_system_clock(tmp_path: Path) -> None:
    machine = FakeMachine()
    with process(tmp_path, machine) as (ledger, by):
        await set_clock(ledger, by=by)
    machine.step_system_clock(48 * HOUR_MS)
    with process(tmp_path, machine) as (ledger, by):
        await set_clock(ledger, accept_system_time=True, by=by)
        assert by.now_ms() == START_MS + 48 * HOUR_MS
        assert [note.body["why"] for note in ledger.notes("clock:")] == ["accepted", "boot"]
    machine.advance(HOUR_MS)
    with process(tmp_path, machine) as (ledger, by):
        await set_clock(ledger, by=by)
        assert by.now_ms() == START_MS + 49 * HOUR_MS


async def test_a7_without_a_boot_id_the_system_clock_is_used_but_time_never_goes_back(tmp_path: Path) -> None:
    machine = FakeMachine()
    for step_ms in (0, HOUR_MS, -3 * HOUR_MS):
        machine.step_system_clock(step_ms)
        with process(tmp_path, machine, boot="") as (ledger, by):
            last_ms = ledger.last_ms()
            await set_clock(ledger, by=by)
            assert by.now_ms() == max(last_ms + 1, by.system_ms)


async def test_a7_a_step_is_logged_and_noted_in_the_journal(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    machine = FakeMachine()
    with process(tmp_path, machine) as (ledger, by), caplog.at_level(logging.WARNING):
        await set_clock(ledger, by=by)
        gateway = standalone_gateway(ledger)
        for step_ms in (0, 200, -MINUTE_MS, 0, 2 * HOUR_MS):
            machine.advance(SECOND_MS)
            machine.step_system_clock(step_ms)
            await check_clock(gateway, by)
        steps = [note.body["step_ms"] for note in reversed(ledger.notes("clock:"))]
    assert steps == [0, -MINUTE_MS, 2 * HOUR_MS]
    assert ["-60.000 s" in line or "+7200.000 s" in line for line in caplog.messages] == [True, True]


def test_a7_the_clock_runs_slower_until_the_system_clock_has_caught_up() -> None:
    machine = FakeMachine()
    by = machine.clock()
    machine.step_system_clock(-1_000)
    for _ in range(3_000):
        machine.advance(SECOND_MS)
        by.check()
    assert 0 <= by.ahead_ms <= 51


MOVES = st.one_of(
    st.tuples(st.just("passes"), st.integers(1, 3 * DAY_MS)),
    st.tuples(st.just("steps"), st.integers(-60 * DAY_MS, 60 * DAY_MS)),
    st.tuples(st.just("check"), st.just(0)),
    st.tuples(st.just("restart"), st.just(0)),
)


@given(st.lists(MOVES, max_size=40))
@settings(deadline=None, max_examples=300)
def test_a7_no_sequence_of_steps_allows_more_than_the_true_time_would(moves: list[tuple[str, int]]) -> None:
    """Restarts continue from the note of the first start, as `set_clock` does."""
    machine = FakeMachine()
    by, passed_ms, shown_ms = machine.clock(), 0, START_MS
    measure = Measure("loss", "day", "EUR")
    restrictions = PlayerRestrictions().after(_limit_change(PlayerRestrictions(), measure, 100), START_MS)
    restrictions = restrictions.after(_limit_change(restrictions, measure, 900), START_MS)
    for move, ms in moves:
        if move == "passes":
            machine.advance(ms)
            passed_ms += ms
        elif move == "steps":
            machine.step_system_clock(ms)
        elif move == "check":
            by.check()
        else:
            first_ms, by = START_MS + passed_ms, machine.clock()
            by.set_ms(first_ms)
        assert shown_ms <= by.now_ms() <= START_MS + passed_ms
        assert by.now_ms() - START_MS >= passed_ms * (1 - SLOWER_PER_MILLION / 1e6) - 1
        shown_ms = by.now_ms()
        assert (restrictions.limit_at(measure, shown_ms) == 100) or passed_ms >= DAY_MS


def _limit_change(restrictions: PlayerRestrictions, measure: Measure, maximum: int) -> RestrictionChange:
    change = restrictions.limit_change(measure, maximum, START_MS, DAY_MS)
    assert change is not None
    return change
