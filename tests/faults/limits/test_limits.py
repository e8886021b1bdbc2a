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

CI_SEQUENCES, CAMPAIGN_SEQUENCES = 500, 100_000
SQLITE_SEQUENCES = 20
FAULT_SEQUENCES = 1_500
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
    assert campaign(Plan(CI_SEQUENCES)).commands > CI_SEQUENCES


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
    with patch.object(*FAULTS[fault]()), pytest.raises(Wrong, match="the shortest is"):
        commands_of(range(FAULT_SEQUENCES))


@pytest.mark.campaign
@pytest.mark.timeout(4 * 3600)
def test_a_hundred_thousand_sequences(capsys: pytest.CaptureFixture[str]) -> None:
    result = campaign(Plan(CAMPAIGN_SEQUENCES, first_seed=CI_SEQUENCES, processes=2))
    with capsys.disabled():
        print(f"\n{result}")
