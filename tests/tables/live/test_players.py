"""Players of a live table: restrictions and currencies."""

from croupier.tables.live import inputs as i
from tests.tables.live.harness import TableHarness


def test_a_restricted_player_cannot_bet_and_keeps_the_earlier_bet() -> None:
    harness = TableHarness()
    harness.join("ann")
    harness.open()
    harness.bet_main("ann", 1_000)
    harness.feed(i.Restricted("ann", "self_excluded"))
    harness.bet_main("ann", 2_000)
    refusal = harness.refusals.pop()
    assert (refusal.player, refusal.code, refusal.rule) == ("ann", "restricted", "self_excluded")
    assert harness.held["ann"] == 1_000
    harness.wait(15_000)
    harness.wait_for("betting")
    harness.bet_main("ann", 2_000)
    assert harness.refusals.pop().code == "restricted"
    harness.feed(i.Restricted("ann", ""))
    harness.bet_main("ann", 2_000)
    assert harness.held["ann"] == 2_000


def test_a_players_currency_is_one_of_the_tables_and_is_fixed_while_money_is_at_risk() -> None:
    harness = TableHarness()
    harness.join("ann", currency="GC")
    assert harness.refusals.pop().code == "no_such_currency"
    harness.join("ann")
    harness.open()
    harness.bet_main("ann")
    harness.feed(i.Joined("ann", "ann-1", "USD"))
    assert harness.refusals.pop().code == "in_play"
    harness.bet("ann")
    harness.feed(i.Joined("ann", "ann-1", "USD"))
    harness.bet_main("ann")
    harness.wait(15_000)
    harness.wait_for("pause")
    assert harness.settlement("ann").currency == "USD"
