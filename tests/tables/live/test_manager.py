"""Inputs of the server and the manager between rounds."""

from croupier.tables.live import inputs as i
from tests.tables.live.harness import TableHarness


def test_a_restart_extends_the_deadline_by_the_time_away() -> None:
    harness = TableHarness()
    harness.join("ann")
    harness.open()
    harness.bet_main("ann")
    harness.wait(4_000)
    harness.feed(i.Ticked())
    harness.now_ms += 3_600_000
    harness.feed(i.Restarted())
    assert harness.state.deadline_ms == harness.now_ms + 6_000
    harness.wait(11_000)
    assert harness.state.phase == "decisions"


def test_a_delay_extends_the_deadline_even_if_it_has_passed() -> None:
    harness = TableHarness()
    harness.join("ann")
    harness.open()
    deadline_ms = harness.state.deadline_ms
    assert deadline_ms is not None
    harness.now_ms = deadline_ms + 20_000
    harness.feed(i.Delayed(25_000))
    assert harness.state.phase == "betting"
    assert harness.state.deadline_ms == deadline_ms + 25_000
    harness.bet_main("ann")
    assert harness.state.players["ann"].bet
