"""A step of a live table: time, and refused inputs."""

from croupier.tables.live import inputs as i
from croupier.tables.live import step
from tests.tables.live.harness import MIDNIGHT_MS, TableHarness


def test_time_stands_still_while_the_clock_is_set_back() -> None:
    harness = TableHarness()
    harness.open()
    harness.now_ms -= 60_000
    harness.join("ann")
    assert harness.state.now_ms == MIDNIGHT_MS
    assert harness.state.deadline_ms == MIDNIGHT_MS + 10_000


def test_a_refused_input_returns_the_very_same_state() -> None:
    harness = TableHarness()
    harness.open()
    before = harness.state
    after, effects = step(before, i.Dealt("AS"), harness.now_ms + 1)
    assert after is before
    assert len(effects) == 1
