"""Requests that the driver makes again after a restart."""

from croupier.tables.live import inputs as i
from croupier.tables.live import outstanding
from croupier.tables.live.effects import Hold, RequestCard
from tests.tables.live.harness import TableHarness


def test_unanswered_requests_are_outstanding() -> None:
    harness = TableHarness(manual_holds=True, automatic=False)
    harness.join("ann")
    harness.join("bob")
    harness.open()
    harness.bet_main("ann")
    assert outstanding(harness.state) == (Hold("ann", "EUR", harness.state.round, 1, 1_000, 1_000),)
    harness.answer_holds()
    harness.bet_main("bob")
    harness.feed(i.Disconnected("bob", "bob-1"))
    assert outstanding(harness.state) == (Hold("bob", "EUR", harness.state.round, 1, 1_000, 1_000),)
    harness.answer_holds()
    harness.wait(15_000)
    (request,) = outstanding(harness.state)
    assert isinstance(request, RequestCard)
    assert request.words == "the player's first card"
    harness.feed(i.Paused("x"))
    assert outstanding(harness.state) == ()
