"""Random commands about limits, breaks and money agree with an oracle; `make campaign` runs many more.

No stake or deposit passes a limit, a looser limit waits, nothing ends a break or an exclusion early, and
nothing allowed is refused.
"""

import asyncio
import shutil
from collections.abc import Iterator
from pathlib import Path
from unittest.mock import patch

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from croupier.ledger.sql.verify import verify
from croupier.ledger.sqlite.migrations import upgrade
from croupier.ledger.sqlite.store import SqliteLedger
from croupier.storage.sql.stores import sql_stores
from tests.faults.limits.campaign import Plan, campaign, commands_of
from tests.faults.limits.comparison import Wrong
from tests.faults.limits.memory_repositories import memory_stores
from tests.faults.limits.planted import FAULTS
from tests.faults.limits.sequence import (
    LENGTH_MAX,
    NUMBERS,
    START_MS,
    STARTS_WITHIN_MS,
    WEIGHTS,
    Command,
    Scenario,
    carry_out,
    random_scenario,
)
from tests.faults.limits.surroundings import event_loop

CI_SEQUENCES, CAMPAIGN_SEQUENCES = 150, 100_000
SQLITE_SEQUENCES = 10
FAULT_SEQUENCES = 1_500
FOUND_BY = {
    "spend_one_unit_more": 3,
    "refuse_the_last_unit": 59,
    "bet_live_while_barred": 22,
    "count_cooling_off_from_the_first_request": 353,
    "loosen_at_once": 1,
    "start_months_a_day_early": 304,
    "start_weeks_on_sunday": 158,
    "start_days_by_local_time": 32,
    "count_deposits_when_they_are_paid": 1_403,
    "shorten_a_break": 839,
    "let_a_time_out_replace_an_exclusion": 42,
    "forget_breaks_at_a_restart": 46,
    "cache_totals_of_open_rounds": 1_106,
    "check_each_bet_alone": 389,
    "count_rounds_for_the_day_they_end": 798,
    "ignore_the_registry": 50,
}
"""The first seed that finds each planted fault."""
NUMBER = st.integers(0, NUMBERS - 1)
SCENARIOS = st.builds(
    Scenario,
    st.integers(START_MS, START_MS + STARTS_WITHIN_MS),
    st.booleans(),
    st.lists(st.builds(Command, st.sampled_from(list(WEIGHTS)), NUMBER, NUMBER), max_size=LENGTH_MAX).map(
        tuple
    ),
)


@pytest.fixture(scope="module")
def loop() -> Iterator[asyncio.AbstractEventLoop]:
    with event_loop() as loop:
        yield loop


def test_no_random_sequence_passes_a_limit_or_a_break() -> None:
    """The sequences that find the planted faults are among them: without a fault none of them fails."""
    assert campaign(Plan(CI_SEQUENCES)).commands > CI_SEQUENCES
    commands_of(sorted(FOUND_BY.values()))


@settings(max_examples=50)
@given(scenario=SCENARIOS)
def test_no_sequence_that_hypothesis_finds_does(scenario: Scenario) -> None:
    """Hypothesis tries fewer sequences than the seeds do, but other ones, and shortens them better."""
    with event_loop() as loop:
        loop.run_until_complete(carry_out(scenario, memory_stores()))


def test_the_sqlite_store_gives_the_same_answers(
    tmp_path: Path, loop: asyncio.AbstractEventLoop, caplog: pytest.LogCaptureFixture
) -> None:
    empty = tmp_path / "empty.db"
    upgrade(empty)
    for seed in range(SQLITE_SEQUENCES):
        path = tmp_path / f"{seed}.db"
        shutil.copy(empty, path)
        ledger = SqliteLedger.open(path, migrate=lambda _: None)
        try:
            loop.run_until_complete(carry_out(random_scenario(seed), sql_stores(ledger)))
        finally:
            ledger.close()
        assert verify(path).bad is None


AFTER_A_REBOOT = Scenario(
    1_812_948_635_696,
    launched=False,
    commands=(
        Command("come_back", 6, 11),
        Command("reboot", 4, 7),
        Command("come_back", 6, 4),
        Command("bet_live", 7, 7),
        Command("settle", 4, 11),
        Command("set_limit", 4, 11),
    ),
)
"""A visit that began later than the rebooted machine's clock shows: its round counted twice."""


def test_a_round_counts_once_after_a_reboot(tmp_path: Path, loop: asyncio.AbstractEventLoop) -> None:
    loop.run_until_complete(carry_out(AFTER_A_REBOOT, memory_stores()))
    ledger = SqliteLedger.open(tmp_path / "reboot.db", migrate=upgrade)
    try:
        loop.run_until_complete(carry_out(AFTER_A_REBOOT, sql_stores(ledger)))
    finally:
        ledger.close()


@pytest.mark.parametrize("fault", FAULTS)
def test_a_planted_fault_is_found(fault: str) -> None:
    """The seed that is known to find it comes first, so that only a change of the sequences takes longer."""
    with patch.object(*FAULTS[fault]()), pytest.raises(Wrong, match="the shortest is"):
        commands_of([FOUND_BY[fault], *range(FAULT_SEQUENCES)])


@pytest.mark.campaign
@pytest.mark.timeout(4 * 3600)
def test_a_hundred_thousand_sequences(capsys: pytest.CaptureFixture[str]) -> None:
    result = campaign(Plan(CAMPAIGN_SEQUENCES, first_seed=CI_SEQUENCES, processes=2))
    with capsys.disabled():
        print(f"\n{result}")
