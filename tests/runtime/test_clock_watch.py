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
from croupier.accounts.responsible_gaming import (
    DAY_MS,
    Measure,
    PlayerRestrictions,
    RestrictionChange,
    began_ms,
)
from croupier.app.serve import KEY, open_books
from croupier.app.server import build_server
from croupier.clock import SLOWER_PER_MILLION, ServerClock
from croupier.ledger import entries
from croupier.ledger.sqlite.store import SqliteLedger
from croupier.refusal import Refused
from croupier.runtime import clock_watch
from croupier.runtime.clock_watch import check_clock, set_clock
from croupier.runtime.ledger_gateway import standalone_gateway
from croupier.runtime.server import Server
from croupier.runtime.shoe_seal import Seal
from croupier.storage.sqlite.stores import sqlite_stores
from tests.runtime.live.in_process import server_in
from tests.runtime.live.player import INFINITE
from tests.support.clocks import (
    BEGAN_MS,
    HOUR_MS,
    MINUTE_MS,
    SECOND_MS,
    Scripted,
    scripted,
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
PLAYER, TIRED = "p_limited", "p_tired"
DEPOSITS = Measure("deposit", "day", "EUR")


async def rounds_named(house: Server, seconds: float) -> int:
    """How many rounds the live table opens in that time."""
    table, rounds = house.live[INFINITE], set[str]()
    forget = table.watch(lambda: rounds.add(table.state.round))
    await asyncio.sleep(seconds)
    forget()
    return len(rounds)


@STEPS
async def test_a7_a_live_table_goes_on_at_its_pace(tmp_path: Path, step_ms: int) -> None:
    async with server_in(tmp_path) as house:
        before = await rounds_named(house, 1.5)
        with system_clock_stepped(step_ms):
            after = await rounds_named(house, 1.5)
    assert before >= 3
    assert abs(after - before) <= 2


@pytest.fixture
async def house(tmp_path: Path) -> Server:
    """One player has 50 EUR of deposits a day and asked for 500; another takes a break of a day."""
    ledger = open_books(tmp_path)
    found = build_server(sqlite_stores(ledger), {}, Seal.of_file(tmp_path / KEY))
    await found.start()
    return found


async def settle_in(house: Server) -> None:
    await house.restrictions.set_limit(PLAYER, DEPOSITS, 5_000)
    await house.restrictions.set_limit(PLAYER, DEPOSITS, 50_000)
    await house.restrictions.bar(TIRED, "time_out", clock.now_ms() + DAY_MS)


def may_deposit(house: Server, player: str, minor: int) -> str:
    """The code of the refusal; empty where it would be taken."""
    try:
        with house.limits.letting([entries.deposit("key", clock.now_ms(), player, "EUR", minor)]):
            return ""
    except Refused as why:
        return why.code


@STEPS
async def test_a7_a_step_loosens_no_limit_and_ends_no_break(house: Server, step_ms: int) -> None:
    await settle_in(house)
    with system_clock_stepped(step_ms):
        assert may_deposit(house, PLAYER, 5_001) == "over_own_limit"
        assert may_deposit(house, PLAYER, 5_000) == ""
        assert may_deposit(house, TIRED, 1) == "barred"
    house.ledger.close()


async def test_a7_elapsed_time_loosens_the_limit_and_ends_the_break(house: Server) -> None:
    with scripted() as machine:
        await settle_in(house)
        machine.steps(-2 * HOUR_MS)
        machine.passes(DAY_MS - 1)
        assert may_deposit(house, PLAYER, 5_001) == "over_own_limit"
        assert may_deposit(house, TIRED, 1) == "barred"
        machine.passes(1)
        assert may_deposit(house, PLAYER, 50_000) == ""
        assert may_deposit(house, TIRED, 1) == ""
    house.ledger.close()


MIDNIGHT_MS = began_ms("day", BEGAN_MS) + DAY_MS
MONTH_END_MS = began_ms("month", BEGAN_MS + 31 * DAY_MS)


@pytest.mark.parametrize("boundary_ms", [MIDNIGHT_MS, MONTH_END_MS], ids=["midnight", "month end"])
@pytest.mark.parametrize("step_ms", [-2 * HOUR_MS, 2 * HOUR_MS], ids=["back", "forward"])
async def test_a7_a_step_over_midnight_opens_no_budget_twice(
    house: Server, boundary_ms: int, step_ms: int
) -> None:
    """What is deposited on either side of midnight counts once, on its own day."""
    with scripted(boundary_ms - HOUR_MS) as machine:
        await house.restrictions.set_limit(PLAYER, DEPOSITS, 5_000)

        async def deposit(key: str, minor: int) -> str:
            entry = entries.deposit(key, clock.now_ms(), PLAYER, "EUR", minor)
            try:
                await house.gateway.post([entry])
            except Refused as why:
                return why.code
            return ""

        assert await deposit("before", 5_000) == ""
        machine.steps(step_ms)
        assert await deposit("at once", 1) == "over_own_limit", "the day is the same"
        machine.passes(HOUR_MS + 1)
        assert await deposit("new day", 4_000) == ""
        machine.steps(-step_ms)
        machine.steps(-3 * HOUR_MS)
        assert await deposit("too much", 1_001) == "over_own_limit"
        assert await deposit("rest", 1_000) == ""
    house.ledger.close()


# --- over restarts


@contextmanager
def process(folder: Path, machine: Scripted, boot: str = "one") -> Iterator[tuple[SqliteLedger, ServerClock]]:
    """A server that opens the ledger on this machine."""
    by = machine.clock()
    ledger = open_books(folder)
    try:
        with patch.object(clock_watch, "boot_id", lambda: boot), patch.object(clock, "CLOCK", by):
            yield ledger, by
    finally:
        ledger.close()


@STEPS
async def test_a7_a_restarted_server_counts_on_until_the_machine_is_booted(
    tmp_path: Path, step_ms: int
) -> None:
    machine = Scripted()
    with process(tmp_path, machine) as (ledger, by):
        await set_clock(ledger, by=by)
        assert by.now_ms() == BEGAN_MS
    machine.passes(HOUR_MS)
    machine.steps(step_ms)
    with process(tmp_path, machine) as (ledger, by):
        await set_clock(ledger, by=by)
        assert by.now_ms() == BEGAN_MS + HOUR_MS
        assert by.ahead_ms == -step_ms
    with process(tmp_path, machine, boot="another") as (ledger, by):
        await set_clock(ledger, by=by)
        assert by.now_ms() == BEGAN_MS + max(HOUR_MS + step_ms, 1), "never before the journal's last entry"


async def test_a7_an_operator_may_accept_the_system_clock(tmp_path: Path) -> None:
    machine = Scripted()
    with process(tmp_path, machine) as (ledger, by):
        await set_clock(ledger, by=by)
    machine.steps(48 * HOUR_MS)
    with process(tmp_path, machine) as (ledger, by):
        await set_clock(ledger, accept_system_time=True, by=by)
        assert by.now_ms() == BEGAN_MS + 48 * HOUR_MS
        assert [note.body["why"] for note in ledger.notes("clock:")] == ["accepted", "boot"]
    machine.passes(HOUR_MS)
    with process(tmp_path, machine) as (ledger, by):
        await set_clock(ledger, by=by)
        assert by.now_ms() == BEGAN_MS + 49 * HOUR_MS


async def test_a7_a_machine_that_does_not_name_its_boot_is_believed_but_never_back(tmp_path: Path) -> None:
    machine = Scripted()
    for step_ms in (0, HOUR_MS, -3 * HOUR_MS):
        machine.steps(step_ms)
        with process(tmp_path, machine, boot="") as (ledger, by):
            last_ms = ledger.last_ms()
            await set_clock(ledger, by=by)
            assert by.now_ms() == max(last_ms + 1, by.system_ms)


async def test_a7_a_step_is_logged_and_noted_in_the_journal(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    machine = Scripted()
    with process(tmp_path, machine) as (ledger, by), caplog.at_level(logging.WARNING):
        await set_clock(ledger, by=by)
        gateway = standalone_gateway(ledger)
        for step_ms in (0, 200, -MINUTE_MS, 0, 2 * HOUR_MS):
            machine.passes(SECOND_MS)
            machine.steps(step_ms)
            await check_clock(gateway, by)
        steps = [note.body["step_ms"] for note in reversed(ledger.notes("clock:"))]
    assert steps == [0, -MINUTE_MS, 2 * HOUR_MS]
    assert ["-60.000 s" in line or "+7200.000 s" in line for line in caplog.messages] == [True, True]


def test_a7_the_clock_runs_slower_until_the_system_clock_has_caught_up() -> None:
    machine = Scripted()
    by = machine.clock()
    machine.steps(-1_000)
    for _ in range(3_000):
        machine.passes(SECOND_MS)
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
    """Restarts go on from the note of the first start, as `set_clock` does."""
    machine = Scripted()
    by, passed_ms, shown_ms = machine.clock(), 0, BEGAN_MS
    measure = Measure("loss", "day", "EUR")
    care = PlayerRestrictions().after(_said(PlayerRestrictions(), measure, 100), BEGAN_MS)
    care = care.after(_said(care, measure, 900), BEGAN_MS)
    for move, ms in moves:
        if move == "passes":
            machine.passes(ms)
            passed_ms += ms
        elif move == "steps":
            machine.steps(ms)
        elif move == "check":
            by.check()
        else:
            first_ms, by = BEGAN_MS + passed_ms, machine.clock()
            by.set_ms(first_ms)
        assert shown_ms <= by.now_ms() <= BEGAN_MS + passed_ms
        assert by.now_ms() - BEGAN_MS >= passed_ms * (1 - SLOWER_PER_MILLION / 1e6) - 1
        shown_ms = by.now_ms()
        assert (care.most(measure, shown_ms) == 100) or passed_ms >= DAY_MS


def _said(care: PlayerRestrictions, measure: Measure, most: int) -> RestrictionChange:
    said = care.to_set(measure, most, BEGAN_MS, DAY_MS)
    assert said is not None
    return said
