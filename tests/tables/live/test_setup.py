"""The timings of a live table and the jurisdiction's profile."""

import pytest

from croupier.games import published_tables
from croupier.tables.live import Setup, TableProfile, Timings, new_table
from tests.tables.live.harness import MIDNIGHT_MS, TableHarness


def test_the_pause_extends_the_round_to_the_jurisdictions_minimum() -> None:
    harness = TableHarness(profile=TableProfile(round_min_ms=60_000))
    harness.join("ann")
    harness.open()
    harness.bet_main("ann")
    harness.wait(15_000)
    harness.wait_for("pause")
    assert harness.state.deadline_ms == MIDNIGHT_MS + 60_000


@pytest.mark.parametrize(
    "timings",
    [
        Timings(decision_ms=0),
        Timings(offer_ms=0),
        Timings(warning_ms=0),
        Timings(warning_ms=15_001),
        Timings(pause_ms=-1),
    ],
)
def test_timings_out_of_range_are_an_error(timings: Timings) -> None:
    with pytest.raises(ValueError, match="can't wait"):
        new_table(Setup(published_tables()["infinite"], timings))
